// Random programs in fp64, in random layouts, with everything that has a gradient: what `backward` derives agrees with finite
// differences. Each program is one script, which computes its result three times: as it is, and with its inputs moved by a small
// step forwards and backwards along random directions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/interpreter/properties/gradient_script.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::random_program::gradient_property_test {
namespace {

class Writer : public GradientScript {
 public:
  explicit Writer(std::uint64_t seed) : GradientScript(seed) {
    const std::size_t statements = 2 + random_.below(4);
    arrays_.push_back(input({"B", "D"}));
    for (std::size_t i = 0; i < statements; ++i) add_statement();
    finish();
  }

 private:
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
    if (random_.chance(60)) return;
    const Array x = input({"B", "N", "H"});
    make(fmt::format("scatter_V({} mod 3, {})", index, function(x.name)),
         random_.chance(50) ? Dims{"V", "H"} : Dims{"B", "V", "H"});
    ++hits_["scatter"];
  }

  void add_update() {
    const Array x = any();
    if (x.dims.size() < 2) return add_elements();
    const std::string dim = random_.pick(x.dims);
    make(x.name, x.dims);
    const Array changed = arrays_.back();
    for (std::size_t more = random_.below(4) + 1; more > 0; --more) {
      const Array value = input(without(x.dims, dim));
      const std::string place = random_.chance(20) ? "-1" : std::to_string(random_.below(2));
      lines_.push_back(fmt::format("{}[{} = {}] = {}", changed.name, dim, place, value.name));
    }
    ++hits_["update"];
  }

  void add_parts() {
    const Array x = with("D");
    if (has(x.dims, "H")) return add_elements();
    // As lengths in brackets are, so is the part's.
    Dims dims = x.dims;
    std::replace(dims.begin(), dims.end(), std::string("D"), std::string("H"));
    const auto begin = random_.below(4);
    const Array all = unsplit(x);
    make(part(all, "D", begin, begin + 4), dims);
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
    const Array all = unsplit(x);
    Dims dims;
    for (const std::string& dim : x.dims) {
      if (dim == "D") {
        dims.insert(dims.end(), {"N", "M"});
      } else {
        dims.push_back(dim);
      }
    }
    make("Reshape(" + all.name + ")", dims);
    lines_.back() = arrays_.back().name + whole(dims) + " = Reshape(" + all.name + ")";
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
    const std::string once = fmt::format("{}({}, {})", name, x.name, w.name);
    make(random_.chance(60) ? once : fmt::format("{}({}, {}) + {}", name, once, w.name, once),
         x.dims);
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

  // Rotary positions: a table that no input leads to, parts and all of an array in one expression, and types that meet.
  void add_rotary() {
    const bool narrow = random_.chance(30);
    const Array x = unsplit(narrow ? input({"B", "D"}, "fp32") : with("D"));
    // Other statements would lose the digits that differences need.
    if (narrow) arrays_.pop_back();
    const Array w = input({"D"}, random_.chance(50) ? "fp32" : "fp64");
    const std::string turned =
        fmt::format("concat_D(-{}, {})", part(x, "D", 4, 8), part(x, "D", 0, 4));
    static const std::vector<std::string> kForms = {
        "{0} ⊙ cos(iota_D ⊙ 0.7) + {2} ⊙ sin(iota_D ⊙ 0.7)", "fp64({0}) ⊙ {1} + {2}",
        "{2} ⊙ {1} - fp64({0})", "{0} ⊙ {0} ⊙ {1} + {2}"};
    const std::size_t form = random_.below(kForms.size());
    const std::string value = fmt::format(fmt::runtime(kForms[form]), x.name, w.name, turned);
    make(narrow ? "fp64(" + value + ")" : value, x.dims);
    ++hits_["rotary"];
  }

  // A dimension that has a length and no name.
  void add_length() {
    const Array x = unsplit(any());
    if (x.dims.empty() || x.dims.size() > 2 || has(x.dims, "H")) return add_elements();
    const Array w = unsplit(input({"D"}));
    make("", x.dims);
    const std::string name = arrays_.back().name;
    const std::string outer = "@o" + name.substr(1);
    Dims read = x.dims;
    read.push_back("H");
    lines_.back() = fmt::format("{} = {} ⊙ {}", outer, x.name, part(w, "D", 2, 6));
    lines_.push_back(
        fmt::format("{}{} = sum_H({})", name, brackets(x.dims), function(outer + whole(read))));
    ++hits_["length"];
  }

  // What a kernel makes for itself is over with it.
  void add_fused() {
    const Array x = any();
    if (x.dims.empty()) return add_elements();
    const std::string dim = random_.pick(x.dims);
    const Array w = input({dim});
    // In several passes, the weights are those of all of them.
    const bool loops = random_.chance(40);
    make(x.name, x.dims);
    const std::string name = arrays_.back().name;
    const std::string from = loops ? name : x.name;
    const std::string inner = "@k" + name.substr(1);
    const std::string kernel = fmt::format(
        "fused {{  # {0}\n  {1}{2} = {3} ⊙ {4}\n  {0}{2} = softmax_{5}({1}) + {6}\n}}", name, inner,
        brackets(x.dims), function(from), w.name, dim, random_.chance(50) ? function(inner) : from);
    if (loops)
      lines_.push_back("for pass in 0..2 {  # " + name + "\n" + kernel + "\n}");
    else
      lines_.back() = kernel;
    ++hits_["fused"];
  }

  // An array that only chooses.
  void add_choice() {
    const Array x = any();
    make(function(x.name), x.dims);
    const std::string chooses = arrays_.back().name;
    make(fmt::format("where({} > 0.1, {}, {} ⊙ 3)", chooses, x.name, x.name), x.dims);
    ++hits_["choice"];
  }

  // An array in two layouts, and each of them read.
  void add_moved() {
    const Array x = any();
    if (x.dims.empty() || made_ == 0) return add_elements();
    const std::string moved = brackets(x.dims);
    make(x.name, x.dims);
    const Array own = arrays_.back();
    lines_.push_back(own.name + " → " + own.name + moved);
    make(fmt::format("{} + {} ⊙ {}", function(own.name), own.name + moved, function(own.name)),
         x.dims);
    ++hits_["moved"];
  }

  void add_statement() {
    using Add = void (Writer::*)();
    static const std::vector<Add> kAll = {
        &Writer::add_elements,  &Writer::add_product, &Writer::add_product, &Writer::add_chain,
        &Writer::add_reduction, &Writer::add_softmax, &Writer::add_norm,    &Writer::add_index,
        &Writer::add_lookup,    &Writer::add_update,  &Writer::add_parts,   &Writer::add_concat,
        &Writer::add_reshape,   &Writer::add_cumsum,  &Writer::add_loop,    &Writer::add_call,
        &Writer::add_transpose, &Writer::add_copy,    &Writer::add_rotary,  &Writer::add_fused,
        &Writer::add_choice,    &Writer::add_moved,   &Writer::add_length};
    (this->*random_.pick(kAll))();
  }
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
       {"elements", "product",   "chain",  "sum",    "max",    "softmax", "norm",   "index",
        "lookup",   "scatter",   "update", "part",   "concat", "reshape", "cumsum", "loop",
        "call",     "transpose", "copy",   "rotary", "fused",  "choice",  "moved",  "length"})
    EXPECT_GE(hits[kind], 8) << kind;
}

}  // namespace
}  // namespace shard::random_program::gradient_property_test
