#include <fmt/format.h>

#include "tests/interpreter/properties/random_program/varied_statement.h"

namespace shard::random_program {

namespace {

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return out;
}

}  // namespace

VariedStatements::Line VariedStatements::call() {
  const VariedArray* one =
      arrays_.any_that([](const VariedArray& a) { return a.dims.size() == 2; });
  if (one == nullptr) return std::nullopt;
  features_.insert("function");
  const VariedArray* other = arrays_.any_that([&](const VariedArray& a) {
    return a.dims.size() == 2 && a.dims[0] == one->dims[1] && a.dims[1] != one->dims[0] &&
           a.dtype == one->dtype;
  });
  if (other != nullptr && random_.chance(60)) {
    const std::string value = fmt::format("mix({}, {}, 2)", one->name, other->name);
    return made(arrays_.draft({one->dims[0], other->dims[1]}, one->dtype), value, true);
  }
  if (depth_ == 0 && random_.chance(30)) {
    features_.insert("several results");
    VariedArray rest = arrays_.draft(one->dims, one->dtype);
    VariedArray most = arrays_.draft({one->dims[0]}, one->dtype);
    most.layout_known = false;
    const std::string line =
        fmt::format("{}, {}, {}n = parts({})", rest.written(), most.name, rest.name, one->name);
    arrays_.add(std::move(rest));
    arrays_.add(std::move(most));
    return line;
  }
  const std::string value = fmt::format("{}({})", random_.chance(50) ? "twice" : "rows", one->name);
  return made(arrays_.draft(one->dims, one->dtype), value, random_.chance(70));
}

VariedStatements::Line VariedStatements::loop() {
  features_.insert("loop");
  std::string body;
  ++depth_;
  for (std::size_t i = 0, count = 1 + random_.below(2); i < count; ++i) {
    const auto line = plain();
    if (line) body += indented(*line) + "\n";
  }
  const auto passes = 1 + random_.below(3);
  const VariedArray* layers = arrays_.any_that([&](const VariedArray& a) {
    return a.dims.size() > 1 && arrays_.length(a.dims[0]) >= static_cast<std::int64_t>(passes);
  });
  if (layers != nullptr && random_.chance(50)) {
    features_.insert("index");
    const Names kept(layers->dims.begin() + 1, layers->dims.end());
    const std::string value = fmt::format("{}[i] ⊙ 2", layers->name + layers->brackets());
    body += indented(made(arrays_.draft(kept, layers->dtype), value, random_.chance(30))) + "\n";
  }
  --depth_;
  if (body.empty()) return std::nullopt;
  return fmt::format("for i in 0..{} {{\n{}}}", passes, body);
}

VariedStatements::Line VariedStatements::branch() {
  ++depth_;
  const auto yes = plain();
  --depth_;
  if (!yes) return std::nullopt;
  features_.insert("branch");
  return fmt::format("if I > 0 {{\n{}\n}} else {{\n  strict\n}}", indented(*yes));
}

VariedStatements::Line VariedStatements::group() {
  const std::vector<VariedArray> known = arrays_.all();
  ++depth_;
  const auto line = plain();
  --depth_;
  if (!line) return std::nullopt;
  arrays_.forget_all_but(known);
  features_.insert("group");
  return "{\n" + indented(*line) + "\n}";
}

VariedStatements::Line VariedStatements::expectation() {
  const VariedArray* one = arrays_.any();
  if (one == nullptr) return std::nullopt;
  features_.insert("expect");
  return fmt::format("expect equal({0}, {0})\nprint bytes({0})", one->name);
}

// Of something new, as gradients are derived once.
VariedStatements::Line VariedStatements::differentiated() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return !a.is_integer(); });
  if (one == nullptr) return std::nullopt;
  features_.insert("backward");
  VariedArray target = arrays_.draft(one->dims, one->dtype);
  target.place = one->place;
  const std::string name = target.name;
  std::string line = made(std::move(target), fmt::format("{0} + {0} ⊙ {0}", one->name), true);
  return line + "\nbackward " + name;
}

VariedStatements::Line VariedStatements::plotted() {
  features_.insert("plot");
  const auto last = 10 + random_.below(1000);
  return fmt::format("plot 3 ⊙ n + 2, n ⊙ n{} against n from 1 to {}",
                     random_.chance(30) ? ", 500 / n" : "", last);
}

}  // namespace shard::random_program
