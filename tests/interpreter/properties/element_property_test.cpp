// Random expressions of arrays, element by element, reduced, normalised and indexed, in random layouts: every array
// that a program makes lies within the bounds of the unsharded computation. Shapes are right by construction.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "tests/interpreter/properties/random_program/random.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::random_program::element_property_test {
namespace {

const std::vector<std::string> kDimensions = {"I", "J", "K"};

struct Array {
  std::string name;
  std::vector<std::string> dims;
  std::vector<std::string> splits;  // by dimension: "", "_X", "_{XY}"
  bool declared = false;            // made anew it has to be as it was declared
};

struct Part {
  std::string text;
  std::vector<std::string> dims;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {
    real_ = random_.pick(std::vector<std::string>{"bf16", "fp32", "fp64"});
    const auto size = [&] { return std::size_t{1} << random_.below(3); };
    lines_ = fmt::format("mesh {{X: {}, Y: {}}}\nI = 16, J = 16, K = 32\n", size(), size());
    for (const char* name : {"A", "B", "C"}) declare_input(name);
    const std::size_t statements = 1 + random_.below(4);
    for (std::size_t i = 0; i < statements; ++i) {
      if (random_.chance(20)) add_partial("P" + std::to_string(i));
      const bool anew = random_.chance(15) && !arrays_.back().declared;
      add_statement(anew ? arrays_.back().name : "T" + std::to_string(i));
    }
  }

  const std::string& text() const { return lines_; }

 private:
  std::string any_type() {
    if (random_.chance(60)) return real_;
    if (random_.chance(30)) return other_type();
    return random_.pick(std::vector<std::string>{"int8", "int32"});
  }

  // Any two of these go together.
  std::string other_type() {
    return random_.pick(
        std::vector<std::string>{"bf16", "fp16", "fp32", "fp64", "fp8", "int8", "int4"});
  }

  Array placed(std::string name, std::vector<std::string> dims) {
    Array array{.name = std::move(name), .dims = std::move(dims), .splits = {}, .declared = false};
    std::vector<std::string> axes(array.dims.size());
    for (const char* axis : {"X", "Y"}) {
      if (!axes.empty() && random_.chance(60)) axes[random_.below(axes.size())] += axis;
    }
    for (const std::string& own : axes) array.splits.push_back(own.empty() ? "" : "_{" + own + "}");
    return array;
  }

  static std::string brackets(const Array& array, const std::string& without = "") {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < array.dims.size(); ++i) {
      if (array.dims[i] != without) words.push_back(array.dims[i] + array.splits[i]);
    }
    return "[" + joined(words, ", ") + "]";
  }

  std::vector<std::string> some_of(std::vector<std::string> names) {
    random_.shuffle(names);
    names.resize(1 + random_.below(names.size()));
    return names;
  }

  void declare_input(const std::string& name) {
    Array array = placed(name, some_of(kDimensions));
    array.declared = true;
    lines_ += fmt::format("{}: {}{}\n", name, any_type(), brackets(array));
    if (random_.chance(40)) lines_ += fmt::format("{} = random({})\n", name, random_.below(1000));
    arrays_.push_back(array);
  }

  // The target is declared where its element type is to be another one.
  void add_statement(const std::string& name) {
    Part value = expression(3);
    value.text += " + 0";  // a use alone would be a copy of the same array
    std::vector<std::string> dims = value.dims;
    random_.shuffle(dims);
    Array target = placed(name, dims);
    const bool is_new = std::none_of(arrays_.begin(), arrays_.end(),
                                     [&](const Array& one) { return one.name == name; });
    target.declared = is_new && random_.chance(50);
    // What a declaration makes known first is what the statement then computes anew.
    std::string left = name + brackets(target);
    if (target.declared) {
      const std::string declared = fmt::format("{}: {}", left, any_type());
      left = random_.chance(50) ? declared : declared + "\n" + left;
    }
    lines_ += fmt::format("{} = {}\n", left, value.text);
    keep(target);
  }

  // Partial results, used as far as they may be, and reduced.
  void add_partial(const std::string& name) {
    const Array from = random_.pick(arrays_);
    const auto split = std::find_if(from.splits.begin(), from.splits.end(),
                                    [](const std::string& one) { return !one.empty(); });
    if (split == from.splits.end()) return;
    const auto at = static_cast<std::size_t>(split - from.splits.begin());
    const std::string kind = random_.pick(std::vector<std::string>{"sum", "mean", "max", "min"});
    const std::string axes = split->substr(1);
    const std::string mark =
        fmt::format("{{{}_{}}}", kind == "sum" || kind == "mean" ? "U" : kind, axes);
    const std::string left = brackets(from, from.dims[at]);
    lines_ += fmt::format("{}{}{} = {}_{}({}{})\n", name, left, mark, kind, from.dims[at],
                          from.name, brackets(from));
    if (kind == "sum") {
      lines_ += fmt::format("{0}S{1}{2} = {0}{1}{2} ⊙ 3 - {0}{1}{2}\n", name, left, mark);
      lines_ += fmt::format("AllReduce_{3} {0}S{1}{2} → {0}S{1}\n", name, left, mark, axes);
    }
    lines_ += fmt::format("AllReduce_{3} {0}{1}{2} → {0}{1}\n", name, left, mark, axes);
    Array result{.name = name, .dims = {}, .splits = {}, .declared = false};
    for (std::size_t i = 0; i < from.dims.size(); ++i) {
      if (i == at) continue;
      result.dims.push_back(from.dims[i]);
      result.splits.push_back(from.splits[i]);
    }
    keep(result);
  }

  void keep(const Array& array) {
    std::erase_if(arrays_, [&](const Array& one) { return one.name == array.name; });
    arrays_.push_back(array);
  }

  static std::vector<std::string> united(std::vector<std::string> a,
                                         const std::vector<std::string>& b) {
    for (const std::string& name : b) {
      if (!has(a, name)) a.push_back(name);
    }
    return a;
  }

  Part expression(int depth) {
    switch (depth == 0 ? random_.below(2) : random_.below(9)) {
      case 0:
      case 1:
        return leaf();
      case 2:
      case 3:
      case 4:
        return binary(depth);
      case 5:
        return function(depth);
      case 6:
        return where(depth);
      case 7:
        return reduction(depth);
      default:
        return index();
    }
  }

  Part leaf() {
    if (random_.chance(12)) {
      const std::string dimension = random_.pick(kDimensions);
      return {"iota_" + dimension, {dimension}};
    }
    const Array& array = random_.pick(arrays_);
    return {array.name + brackets(array), array.dims};
  }

  Part binary(int depth) {
    static const std::vector<std::string> signs = {"+", "-", "⊙", "/", "mod", "<", "≥", "=="};
    const Part left = expression(depth - 1);
    Part right = expression(depth - 1);
    if (random_.chance(30))
      right = {random_.pick(std::vector<std::string>{"2", "0.5", "3", "0.1"}), {}};
    const std::vector<std::string> dims = united(left.dims, right.dims);
    if (random_.chance(15))
      return {fmt::format("{}({}, {})", random_.chance(50) ? "max" : "min", left.text, right.text),
              dims};
    return {fmt::format("({} {} {})", left.text, random_.pick(signs), right.text), dims};
  }

  Part function(int depth) {
    static const std::vector<std::string> names = {"relu", "gelu", "silu", "sigmoid", "exp",
                                                   "log",  "sqrt", "tanh", "abs",     "-"};
    const Part inner = expression(depth - 1);
    if (random_.chance(25) && !inner.dims.empty())
      return {fmt::format("{}({})", other_type(), inner.text), inner.dims};
    return {fmt::format("({}({}))", random_.pick(names), inner.text), inner.dims};
  }

  Part where(int depth) {
    const Part condition = expression(depth - 1);
    const Part yes = expression(depth - 1);
    const Part no = expression(depth - 1);
    return {fmt::format("where({} > 0, {}, {})", condition.text, yes.text, no.text),
            united(united(condition.dims, yes.dims), no.dims)};
  }

  Part reduction(int depth) {
    Part inner = expression(depth - 1);
    if (inner.dims.empty()) return inner;
    const std::vector<std::string> along = some_of(inner.dims);
    const std::string subscript =
        along.size() == 1 ? along.front() : "{" + joined(along, ",") + "}";
    if (random_.chance(25))
      return {fmt::format("softmax_{}({})", subscript, inner.text), inner.dims};
    const std::string kind = random_.pick(std::vector<std::string>{"sum", "mean", "max", "min"});
    Part result{fmt::format("{}_{}({})", kind, subscript, inner.text), {}};
    for (const std::string& name : inner.dims) {
      if (!has(along, name)) result.dims.push_back(name);
    }
    return result;
  }

  Part index() {
    const Array& array = random_.pick(arrays_);
    if (array.dims.empty()) return {array.name + "[]", {}};
    const std::string along = random_.pick(array.dims);
    Part result{fmt::format("{}{}[{} = {}]", array.name, brackets(array), along, random_.below(16)),
                {}};
    for (const std::string& name : array.dims) {
      if (name != along) result.dims.push_back(name);
    }
    return result;
  }

  Random& random_;
  std::string real_;
  std::string lines_;
  std::vector<Array> arrays_;
};

// What is wrong; empty if nothing is. `kinds`: of the errors.
std::string complaint_about(const std::string& script, std::vector<std::string>& kinds) {
  const testing::Ran ran(script, testing::running());
  for (const Diagnostic& diagnostic : ran.outcome.diagnostics) {
    if (info(diagnostic.kind).severity == Severity::Error)
      kinds.emplace_back(info(diagnostic.kind).name);
  }
  for (const std::string& kind : kinds) return "it draws " + kind;
  if (ran.outcome.programs.size() != 1) return "it was not run";
  const Execution& execution = ran.outcome.programs.front().execution;
  if (!execution.executed) return "it was not executed: " + execution.reason;
  for (const Comparison& comparison : execution.comparisons) {
    if (!comparison.within)
      return ran.session.state().scope.store.arrays[comparison.array].name + " differs";
  }
  return "";
}

TEST(Elements, LieWithinTheBoundsOfTheUnshardedComputation) {
  constexpr int kFull = 2000;
  constexpr int kMostFailures = 5;
  const int cases = scaled_cases(kFull);
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  int failures = 0;
  int accepted = 0;
  for (int i = 0; i < cases && failures < kMostFailures; ++i) {
    Random random(seed_of_case(seed, i));
    const Writer writer(random);
    std::vector<std::string> kinds;
    const std::string complaint = complaint_about(writer.text(), kinds);
    if (kinds.empty()) ++accepted;
    if (complaint.empty()) continue;
    ++failures;
    ADD_FAILURE() << "case " << i << " of RC_PARAMS=seed=" << seed << ": " << complaint << "\n"
                  << writer.text();
  }
  EXPECT_EQ(accepted, failures == 0 ? cases : accepted);
}

}  // namespace
}  // namespace shard::random_program::element_property_test
