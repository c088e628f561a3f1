// Random programs in fp64, in random layouts, with everything that has a gradient: what `backward` derives agrees with finite
// differences. Each program is one script, which computes its result three times: as it is, and with its inputs moved by a small
// step forwards and backwards along random directions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/words.h"
#include "tests/interpreter/properties/random_program/random.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::random_program::gradient_property_test {
namespace {

using Dims = std::vector<std::string>;

// All lengths divide by both axes at once; L and T alone are never split.
constexpr const char* kSizes = "B = 4, D = 8, F = 4, H = 4, N = 2, M = 4, L = 3, V = 8, E = 12";

struct Array {
  std::string
      name;  // "@a1@": what stands between the signs has a suffix in the two other computations
  Dims dims;
};

bool has(const Dims& dims, const std::string& name) {
  return std::find(dims.begin(), dims.end(), name) != dims.end();
}

Dims without(Dims dims, const std::string& name) {
  std::erase(dims, name);
  return dims;
}

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {
    const auto size = [&] { return std::size_t{1} << random_.below(2); };
    head_ = fmt::format("mesh {{X: {}, Y: {}}}\n{}\n", size(), size(), kSizes);
    const std::size_t statements = 2 + random_.below(4);
    arrays_.push_back(input({"B", "D"}));
    for (std::size_t i = 0; i < statements; ++i) add_statement();
    finish();
  }

  const std::string& text() const { return text_; }
  const std::map<std::string, int>& hits() const { return hits_; }

 private:
  // ------------------------------------------------------------ layouts

  std::string brackets(const Dims& dims) {
    std::vector<std::string> axes(dims.size());
    for (const char* axis : {"X", "Y"}) {
      if (dims.empty() || random_.chance(35)) continue;
      const std::size_t place = random_.below(dims.size());
      if (dims[place] == "L") continue;
      // N has two elements.
      if (dims[place] == "N" && !axes[place].empty()) continue;
      axes[place] += axis;
    }
    std::vector<std::string> written;
    for (std::size_t i = 0; i < dims.size(); ++i)
      written.push_back(dims[i] + (axes[i].empty() ? "" : "_{" + axes[i] + "}"));
    return "[" + join(written, ", ") + "]";
  }

  Array input(Dims dims) {
    const std::string name = "p" + std::to_string(inputs_.size() + 1);
    const std::string written = brackets(dims);
    const std::size_t number = inputs_.size() + 1;
    head_ += fmt::format("{}: fp64{} = random({})\n", name, written, number);
    head_ += fmt::format("v{}: fp64{} = random({})\n", name, written, number + 100);
    inputs_.push_back({name, written, dims});
    return {"@" + name + "@", std::move(dims)};
  }

  // An array with at least these dimensions, or a new input.
  Array any() { return random_.pick(arrays_); }
  Array with(const std::string& dim) {
    std::vector<Array> fitting;
    std::copy_if(arrays_.begin(), arrays_.end(), std::back_inserter(fitting),
                 [&](const Array& array) { return has(array.dims, dim); });
    if (fitting.empty()) return input({"B", dim == "B" ? "D" : dim});
    return random_.pick(fitting);
  }

  // Some of the dimensions, at least one of them.
  Dims some(const Dims& dims) {
    Dims kept;
    for (const std::string& dim : dims) {
      if (random_.chance(60)) kept.push_back(dim);
    }
    if (kept.empty()) kept.push_back(dims.front());
    return kept;
  }

  // ------------------------------------------------------------ statements

  void make(const std::string& value, Dims dims, const std::string& sign = " = ") {
    const std::string name = "@a" + std::to_string(++made_) + "@";
    lines_.push_back(name + brackets(dims) + sign + value);
    arrays_.push_back({name, std::move(dims)});
  }

  std::string function(const std::string& x) {
    static const std::vector<std::string> kFunctions = {"tanh({})",
                                                        "sigmoid({})",
                                                        "silu({})",
                                                        "gelu({})",
                                                        "relu({})",
                                                        "sin({})",
                                                        "cos({})",
                                                        "abs({})",
                                                        "exp({} ⊙ 0.3)",
                                                        "log({0} ⊙ {0} + 1)",
                                                        "sqrt({0} ⊙ {0} + 1)",
                                                        "rsqrt({0} ⊙ {0} + 2)",
                                                        "(({} + 0.3)^3 ⊙ 0.1)",
                                                        "(1 / (2 + {0} ⊙ {0}))",
                                                        "(-{})",
                                                        "({} mod 3)",
                                                        "fp64({})"};
    const std::string& form = random_.pick(kFunctions);
    ++hits_[form.substr(0, form.find('('))];
    return fmt::format(fmt::runtime(form), x);
  }

  void add_elements() {
    const Array x = any();
    const Array y = random_.chance(50) ? input(some(x.dims)) : x;
    static const std::vector<std::string> kForms = {"{} + {}",
                                                    "{} ⊙ {}",
                                                    "{} - {}",
                                                    "{} / (3 + {})",
                                                    "max({}, {})",
                                                    "min({}, {})",
                                                    "where({0} > {1}, {0} ⊙ 2, {1})"};
    make(fmt::format(fmt::runtime(random_.pick(kForms)), function(x.name), function(y.name)),
         x.dims);
    ++hits_["elements"];
  }

  void add_product() {
    const Array x = any();
    if (x.dims.empty()) return add_elements();
    const std::string summed = random_.pick(x.dims);
    Dims dims = {summed};
    // A dimension of both is a batch dimension, and a new one is free.
    if (x.dims.size() > 1 && random_.chance(30)) dims.push_back(without(x.dims, summed).front());
    for (const char* free : {"F", "H", "M"}) {
      if (!has(x.dims, free) && dims.size() < 3 && random_.chance(50)) dims.push_back(free);
    }
    random_.shuffle(dims);
    const Array w = input(dims);
    Dims result = without(x.dims, summed);
    for (const std::string& dim : w.dims) {
      if (dim != summed && !has(result, dim)) result.push_back(dim);
    }
    if (result.size() > 3) return add_elements();
    if (random_.chance(30)) random_.shuffle(result);
    const std::string left = random_.chance(30) ? function(x.name) : x.name;
    std::string value = random_.chance(70) ? left + " ·_" + summed + " " + w.name
                                           : w.name + " ·_" + summed + " " + left;
    if (random_.chance(30)) value = function("(" + value + ")");
    make(value + (random_.chance(30) ? " ⊙ 0.5" : ""), result);
    ++hits_["product"];
  }

  void add_chain() {
    const Array x = with("D");
    if (has(x.dims, "F") || has(x.dims, "H")) return add_product();
    const Array a = input({"D", "F"});
    const Array b = input({"F", "H"});
    Dims result = without(x.dims, "D");
    result.push_back("H");
    make(fmt::format("{} ·_D {} ·_F {}", x.name, a.name, b.name), result);
    ++hits_["chain"];
  }

  void add_reduction() {
    const Array x = any();
    if (x.dims.size() < 2) return add_elements();
    const std::string dim = random_.pick(x.dims);
    static const std::vector<std::string> kKinds = {"sum", "mean", "max", "min"};
    const std::string kind = random_.pick(kKinds);
    const std::string inside = random_.chance(50) ? function(x.name) : x.name;
    if (random_.chance(40)) {
      make(fmt::format("{} - {}_{}({})", x.name, kind, dim, inside), x.dims);
    } else {
      make(fmt::format("{}_{}({})", kind, dim, inside), without(x.dims, dim));
    }
    ++hits_[kind];
  }

  void add_softmax() {
    const Array x = any();
    if (x.dims.empty()) return add_elements();
    make(fmt::format("softmax_{}({})", random_.pick(x.dims),
                     random_.chance(50) ? function(x.name) : x.name),
         x.dims);
    ++hits_["softmax"];
  }

  void add_norm() {
    const Array x = any();
    if (x.dims.empty()) return add_elements();
    const std::string dim = random_.pick(x.dims);
    const Array scale = input({dim});
    make(fmt::format("{0} ⊙ {1} / sqrt(mean_{2}({0} ⊙ {0}) + 0.1)", x.name, scale.name, dim),
         x.dims);
    ++hits_["norm"];
  }

  void add_index() {
    const Array x = any();
    if (x.dims.empty() || has(x.dims, "L")) return add_elements();
    Dims dims = some(x.dims);
    dims.insert(dims.begin(), "L");
    const Array w = input(dims);
    const auto first = random_.below(3);
    const auto second = random_.below(3);
    make(fmt::format("{} ⊙ {}[L = {}] + {}[L = {}]", x.name, w.name, first, w.name, second),
         x.dims);
    ++hits_["index"];
  }

  void add_lookup() {
    const Array table = input({"V", "H"});
    const std::string index = "i" + std::to_string(++indices_);
    head_ += fmt::format("{}: int32[B, N] = iota\n", index);
    make(fmt::format("{}[V = {}]", table.name, index), {"B", "N", "H"});
    ++hits_["lookup"];
  }

  void add_update() {
    const Array x = any();
    if (x.dims.size() < 2) return add_elements();
    const std::string dim = random_.pick(x.dims);
    make(x.name, x.dims);
    const Array changed = arrays_.back();
    const Array value = input(without(x.dims, dim));
    lines_.push_back(
        fmt::format("{}[{} = {}] = {}", changed.name, dim, random_.below(2), value.name));
    ++hits_["update"];
  }

  void add_parts() {
    const Array x = with("D");
    if (has(x.dims, "H")) return add_elements();
    // As lengths in brackets are, so is the part's.
    Dims dims = x.dims;
    std::replace(dims.begin(), dims.end(), std::string("D"), std::string("H"));
    std::vector<std::string> all;
    for (const std::string& dim : x.dims) all.push_back(dim == "D" ? "{}:{}" : dim);
    const auto begin = random_.below(4);
    make(x.name, x.dims);
    const std::string form = join(all, ", ");
    lines_.back() = arrays_.back().name + "[" + join(x.dims, ", ") + "] = " + x.name;
    make(arrays_.back().name + "[" + fmt::format(fmt::runtime(form), begin, begin + 4) + "]", dims);
    ++hits_["part"];
  }

  void add_concat() {
    const Array x = with("D");
    if (has(x.dims, "E") || has(x.dims, "F")) return add_elements();
    Dims other = x.dims;
    Dims result = x.dims;
    std::replace(other.begin(), other.end(), std::string("D"), std::string("F"));
    std::replace(result.begin(), result.end(), std::string("D"), std::string("E"));
    const Array y = input(other);
    if (random_.chance(70))
      make(fmt::format("concat_E({}, {})", x.name, y.name), result);
    else
      make(fmt::format("pad_{{D,E}}({})", x.name), result);
    ++hits_["concat"];
  }

  void add_reshape() {
    const Array x = with("D");
    if (has(x.dims, "N") || has(x.dims, "M")) return add_elements();
    // Not split, so that nothing moves.
    make(x.name, x.dims);
    lines_.back() = arrays_.back().name + "[" + join(x.dims, ", ") + "] = " + x.name;
    const Array whole = arrays_.back();
    Dims dims;
    for (const std::string& dim : x.dims) {
      if (dim == "D") {
        dims.insert(dims.end(), {"N", "M"});
      } else {
        dims.push_back(dim);
      }
    }
    make("Reshape(" + whole.name + ")", dims);
    lines_.back() =
        arrays_.back().name + "[" + join(dims, ", ") + "] = Reshape(" + whole.name + ")";
    ++hits_["reshape"];
  }

  void add_cumsum() {
    const Array x = any();
    if (x.dims.empty()) return add_elements();
    make(fmt::format("cumsum_{}({}) ⊙ 0.3", random_.pick(x.dims), x.name), x.dims);
    ++hits_["cumsum"];
  }

  void add_loop() {
    const Array x = with("D");
    if (has(x.dims, "F") || has(x.dims, "L")) return add_product();
    const Array in = input({"L", "D", "F"});
    const Array out = input({"L", "F", "D"});
    make(x.name, x.dims);
    const std::string name = arrays_.back().name;
    lines_.push_back(
        fmt::format("for l in 0..3 {{ {0}{1} = {0} + tanh({0} ·_D {2}[L = l]) ·_F {3}[L = l] }}",
                    name, brackets(x.dims), in.name, out.name));
    ++hits_["loop"];
  }

  void add_call() {
    const Array x = any();
    if (x.dims.empty()) return add_elements();
    const std::string name = "f" + std::to_string(++functions_);
    const Array w = input({x.dims.back()});
    head_ += fmt::format("fn {}(x[{}], w[{}]) {{\n  t = {}\n  return t ⊙ w + {}\n}}\n", name,
                         join(x.dims, ", "), x.dims.back(), function("x"), function("t"));
    make(fmt::format("{}({}, {})", name, x.name, w.name), x.dims);
    ++hits_["call"];
  }

  void add_transpose() {
    const Array x = any();
    if (x.dims.empty()) return add_elements();
    Dims dims = x.dims;
    random_.shuffle(dims);
    make(x.name, dims);
    ++hits_["transpose"];
  }

  void add_copy() {
    const Array x = any();
    if (made_ == 0) return add_elements();
    lines_.push_back(x.name + " → " + x.name + brackets(x.dims));
    ++hits_["copy"];
  }

  void add_statement() {
    using Add = void (Writer::*)();
    static const std::vector<Add> kAll = {
        &Writer::add_elements,  &Writer::add_product, &Writer::add_product, &Writer::add_chain,
        &Writer::add_reduction, &Writer::add_softmax, &Writer::add_norm,    &Writer::add_index,
        &Writer::add_lookup,    &Writer::add_update,  &Writer::add_parts,   &Writer::add_concat,
        &Writer::add_reshape,   &Writer::add_cumsum,  &Writer::add_loop,    &Writer::add_call,
        &Writer::add_transpose, &Writer::add_copy};
    (this->*random_.pick(kAll))();
  }

  // ------------------------------------------------------------ the whole script

  static std::string named(const std::string& line, const std::string& suffix) {
    std::string text;
    bool inside = false;
    for (const char c : line) {
      if (c != '@') {
        text += c;
        continue;
      }
      if (inside) text += suffix;
      inside = !inside;
    }
    return text;
  }

  static std::string summed(const Dims& dims, const std::string& value) {
    return dims.empty() ? value : fmt::format("sum_{{{}}}({})", join(dims, ","), value);
  }

  void finish() {
    const Array last = arrays_.back();
    const std::string out = named(last.name, "");
    head_ += fmt::format("d{}: fp64{} = random(77)\n", out, brackets(last.dims));
    text_ = head_;
    for (const std::string& line : lines_) text_ += named(line, "") + "\n";
    text_ += "backward " + out + "\n";
    std::string back = "scale";
    for (const auto& [name, brackets, dims] : inputs_) {
      text_ +=
          fmt::format("{0}m{1} = {0} - 1e-6 ⊙ v{0}\n{0}q{1} = {0} + 1e-6 ⊙ v{0}\n", name, brackets);
    }
    for (const char* suffix : {"m", "q"}) {
      for (const std::string& line : lines_) text_ += named(line, suffix) + "\n";
    }
    text_ += fmt::format("scale: fp64[] = {}\n",
                         summed(last.dims, fmt::format("abs({0}) + abs({0} ⊙ d{0})", out)));
    text_ += fmt::format("differences: fp64[] = scale + {}\n",
                         summed(last.dims, fmt::format("({0}q - {0}m) ⊙ d{0} / 2e-6", out)));
    text_ += "gradients: fp64[] = scale";
    for (const auto& [name, brackets, dims] : inputs_) {
      // What did not lead to the result has none.
      if (reaches(name)) text_ += " + " + summed(dims, fmt::format("d{0} ⊙ v{0}", name));
    }
    text_ += "\nexpect equal(differences, gradients, 1e-6)\n";
  }

  // Whether the last line depends on the input.
  bool reaches(const std::string& input) const {
    std::vector<std::string> wanted = {arrays_.back().name};
    for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
      const bool is_loop = line->starts_with("for");
      const std::size_t begin = is_loop ? line->find('@') : 0;
      const std::string target = line->substr(begin, line->find('@', begin + 1) + 1 - begin);
      if (!has(wanted, target)) continue;
      for (std::size_t at = line->find('@'); at != std::string::npos;) {
        const std::size_t end = line->find('@', at + 1);
        wanted.push_back(line->substr(at, end + 1 - at));
        at = line->find('@', end + 1);
      }
    }
    return has(wanted, "@" + input + "@");
  }

  struct Input {
    std::string name;
    std::string brackets;
    Dims dims;
  };

  Random random_;
  std::string head_;
  std::string text_;
  std::vector<std::string> lines_;
  std::vector<Input> inputs_;
  std::vector<Array> arrays_;
  std::map<std::string, int> hits_;
  int made_ = 0;
  int indices_ = 0;
  int functions_ = 0;
};

SessionOptions in_full() {
  SessionOptions options = testing::running();
  options.execution.verify = false;
  return options;
}

std::string complaints(const Outcome& outcome) {
  std::string text;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (info(diagnostic.kind).severity != Severity::Error) continue;
    text += diagnostic.message + " [" + std::string(info(diagnostic.kind).name) + "]";
    for (const std::string& help : diagnostic.help) text += "\n  " + help;
    text += "\n";
  }
  return text;
}

TEST(Gradients, AgreeWithFiniteDifferences) {
  std::map<std::string, int> hits;
  const int cases = scaled_cases(500);
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  for (int i = 0; i < cases; ++i) {
    const Writer writer(seed_of_case(seed, i));
    const testing::Ran ran(writer.text(), in_full());
    EXPECT_TRUE(ran.outcome.status == ExitStatus::Fine && complaints(ran.outcome).empty())
        << "case " << i << " of RC_PARAMS=seed=" << seed << ":\n"
        << writer.text() << complaints(ran.outcome);
    for (const auto& [name, count] : writer.hits()) hits[name] += count;
  }
  if (cases < 500) return;
  for (const char* kind :
       {"elements", "product", "chain", "sum", "max", "softmax", "norm", "index", "lookup",
        "update", "part", "concat", "reshape", "cumsum", "loop", "call", "transpose", "copy"})
    EXPECT_GE(hits[kind], 20) << kind;
}

}  // namespace
}  // namespace shard::random_program::gradient_property_test
