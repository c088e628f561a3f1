// Statements about the places of elements: found, counted up to, picked from several dimensions, cut and joined.
#include <fmt/format.h>

#include <algorithm>

#include "tests/interpreter/properties/random_program/varied_statement.h"

namespace shard::random_program {

VariedStatements::Line VariedStatements::looked_along() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return a.dims.size() > 1; });
  if (one == nullptr) return std::nullopt;
  const std::string along = random_.pick(one->dims);
  if (random_.chance(50)) {
    features_.insert("cumsum");
    return made(arrays_.draft(one->dims, one->dtype),
                fmt::format("cumsum_{}({})", along, one->name), random_.chance(70));
  }
  features_.insert("argmax");
  Names kept = one->dims;
  std::erase(kept, along);
  VariedArray found = arrays_.draft(kept, "int32");
  std::string lines = made(found, fmt::format("argmax_{}({})", along, one->name), true);
  if (random_.chance(60)) return lines;
  features_.insert("one hot");
  kept.push_back(along);
  return lines + "\n" +
         made(arrays_.draft(kept, "int32"), fmt::format("one_hot_{}({})", along, found.name), true);
}

// Both halves of a dimension joined again, which is the array itself; or zeros behind its end.
VariedStatements::Line VariedStatements::joined() {
  const VariedArray* one = arrays_.any_that(
      [&](const VariedArray& a) { return !a.dims.empty() && arrays_.length(a.dims.back()) > 1; });
  if (one == nullptr) return std::nullopt;
  const std::string& along = one->dims.back();
  const auto length = arrays_.length(along);
  if (random_.chance(30)) {
    features_.insert("padded");
    const std::string longer = one->name + "z";
    return fmt::format("{0} = {1}\n{2}y = pad_{{{3},{0}}}({2})", longer,
                       length + 1 + static_cast<std::int64_t>(random_.below(4)), one->name, along);
  }
  features_.insert("joined");
  std::string others;
  for (std::size_t i = 1; i < one->dims.size(); ++i) others += ":, ";
  const auto cut = 1 + random_.below(static_cast<std::size_t>(length - 1));
  const std::string value =
      fmt::format("concat_{0}({1}[{2}:{3}], {1}[{2}{3}:])", along, one->name, others, cut);
  return made(arrays_.draft(one->dims, one->dtype), value, true);
}

VariedStatements::Line VariedStatements::picked_at_once() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return a.dims.size() > 1; });
  if (one == nullptr) return std::nullopt;
  const std::string free = arrays_.some_dimensions(1, 1).front();
  const std::string first = one->dims[0];
  const std::string second = one->dims[1];
  if (std::find(one->dims.begin(), one->dims.end(), free) != one->dims.end()) return std::nullopt;
  features_.insert("two indices");
  const VariedArray index = arrays_.draft({free}, "int32");
  const std::string lines =
      fmt::format("{0}: int32{1}\n{0} = iota\n{2} = {0} mod {3}\n", index.name, index.brackets(),
                  index.written(), std::min(arrays_.length(first), arrays_.length(second)));
  Names dims(one->dims.begin() + 2, one->dims.end());
  dims.insert(dims.begin(), free);
  VariedArray target = arrays_.draft(dims, one->dtype);
  const std::string value =
      fmt::format("{0}[{1} = {3}, {2} = {3}]", one->name, first, second, index.name);
  arrays_.add(index);
  return lines + made(std::move(target), value, random_.chance(60));
}

}  // namespace shard::random_program
