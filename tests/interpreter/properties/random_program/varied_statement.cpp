#include "tests/interpreter/properties/random_program/varied_statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/element/dtype.h"
#include "tests/interpreter/properties/random_program/varied.h"

namespace shard::random_program {

namespace {

const Names& all_types() {
  static const Names kTypes = {"bf16",    "fp16", "fp32", "fp64",  "fp8",
                               "fp8e5m2", "int4", "int8", "int32", "uint32"};
  return kTypes;
}

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool are_among(const Names& some, const Names& all) {
  return std::all_of(some.begin(), some.end(),
                     [&](const std::string& name) { return contains(all, name); });
}

// The type of what is computed of both; nothing of the two kinds of fp8.
std::string promoted(const std::string& a, const std::string& b) {
  const auto common = common_type(*parse_dtype(a), *parse_dtype(b));
  return common ? std::string(name_of(*common)) : "";
}

}  // namespace

const std::vector<std::string>& varied_features() {
  static const std::vector<std::string> kFeatures = [] {
    std::vector<std::string> all = {"fault",
                                    "slow",
                                    "placed",
                                    "function",
                                    "loop",
                                    "branch",
                                    "group",
                                    "product",
                                    "elements",
                                    "mixed types",
                                    "cast",
                                    "fill",
                                    "declared with a value",
                                    "reduction",
                                    "softmax",
                                    "relayout",
                                    "collective",
                                    "partial sums",
                                    "index",
                                    "index of a split dimension",
                                    "index by an array",
                                    "coord",
                                    "changed element",
                                    "reshape",
                                    "top",
                                    "cumsum",
                                    "argmax",
                                    "one hot",
                                    "padded",
                                    "joined",
                                    "two indices",
                                    "several results",
                                    "moved",
                                    "send",
                                    "expect",
                                    "backward",
                                    "plot",
                                    "overlap"};
    all.insert(all.end(), all_types().begin(), all_types().end());
    return all;
  }();
  return kFeatures;
}

VariedStatements::VariedStatements(Random& random, VariedArrays& arrays,
                                   std::set<std::string>& features)
    : random_(random), arrays_(arrays), features_(features) {
  main_type_ = random_.chance(60) ? "bf16" : random_.pick(all_types());
}

std::string VariedStatements::dtype() {
  return random_.chance(70) ? main_type_ : random_.pick(all_types());
}

std::string VariedStatements::input() {
  VariedArray array = arrays_.draft(arrays_.some_dimensions(1, 3), dtype());
  features_.insert(array.dtype);
  const std::string line = fmt::format("{}: {}{}", array.name, array.dtype, array.brackets());
  arrays_.add(std::move(array));
  return line;
}

std::vector<std::string> VariedStatements::begin() {
  std::vector<std::string> lines;
  lines.emplace_back("fn twice(x[i, j]) {\n  return x + x\n}");
  lines.emplace_back("fn mix(x[i, j], w[j, k], s) {\n  h = x ·_j w\n  return relu(h) ⊙ s\n}");
  lines.emplace_back("fn parts(x[i, j]) {\n  m = max_j(x)\n  return x - m, m, |i|\n}");
  lines.emplace_back("fn rows(x[i, j]) {\n  m = max_j(x)\n  y[i, j] = x - m\n  return y\n}");
  for (std::size_t i = 0, count = 2 + random_.below(3); i < count; ++i) lines.push_back(input());
  return lines;
}

std::string VariedStatements::made(VariedArray target, const std::string& value,
                                   bool with_brackets) {
  std::string left = with_brackets ? target.written() : target.name;
  target.layout_known = with_brackets;
  // A declaration keeps its type, and says its layout before.
  if (with_brackets && depth_ == 0 && random_.chance(25)) {
    const std::string line = fmt::format("{}: {}{}", target.name, target.dtype, target.brackets());
    features_.insert(target.dtype);
    const bool at_once = random_.chance(50);
    if (at_once) features_.insert("declared with a value");
    left = at_once ? line : line + "\n" + left;
  }
  arrays_.add(std::move(target));
  return left + " = " + value;
}

VariedStatements::Line VariedStatements::plain() {
  switch (random_.below(12)) {
    case 0:
    case 1:
      return product();
    case 2:
    case 3:
    case 4:
      return elements();
    case 5:
      return reduction();
    case 6:
      return softmax();
    case 7:
      return relayout();
    case 8:
      return collective();
    case 9:
      return picked();
    case 10:
      return call();
    default:
      return changed_element();
  }
}

VariedStatements::Line VariedStatements::next() {
  switch (random_.below(28)) {
    case 0:
      return input();
    case 1:
      return partial_sums();
    case 2:
      return picked_by_array();
    case 3:
      return reshaped();
    case 4:
      return top();
    case 5:
    case 6:
      return placed_input();
    case 7:
    case 8:
      return moved();
    case 9:
      return sent();
    case 10:
    case 11:
      return loop();
    case 12:
      return branch();
    case 13:
      return group();
    case 14:
      return expectation();
    case 15:
      return filled();
    case 16:
      return looked_along();
    case 17:
      return joined();
    case 18:
      return picked_at_once();
    case 19:
      return differentiated();
    case 20:
      return plotted();
    default:
      return plain();
  }
}

VariedStatements::Line VariedStatements::product() {
  const VariedArray* left = arrays_.any();
  if (left == nullptr) return std::nullopt;
  const VariedArray* right = arrays_.any_that([&](const VariedArray& one) {
    const bool shares = std::any_of(one.dims.begin(), one.dims.end(),
                                    [&](const std::string& d) { return contains(left->dims, d); });
    return shares && one.name != left->name && !promoted(left->dtype, one.dtype).empty();
  });
  if (right == nullptr) return std::nullopt;
  Names shared;
  Names kept;
  for (const std::string& d : left->dims) (contains(right->dims, d) ? shared : kept).push_back(d);
  for (const std::string& d : right->dims) {
    if (!contains(left->dims, d)) kept.push_back(d);
  }
  // The first is summed; others may be a batch.
  for (std::size_t i = 1; i < shared.size(); ++i) {
    if (random_.chance(60)) kept.push_back(shared[i]);
  }
  if (kept.size() > 3) return std::nullopt;
  random_.shuffle(kept);
  features_.insert("product");
  const std::string value = fmt::format("{} · {}", left->name, right->name);
  if (left->dtype != right->dtype && !left->is_integer() && !right->is_integer())
    features_.insert("mixed types");
  VariedArray target = arrays_.draft(kept, promoted(left->dtype, right->dtype));
  if (!random_.chance(20)) target.place = left->place;
  std::string line = made(std::move(target), value, true);
  if (random_.chance(20) && depth_ == 0) {
    features_.insert("overlap");
    line += " overlap " + random_.pick(arrays_.axes()).name;
  }
  return line;
}

std::string VariedStatements::expression(const Names& dims, int depth) {
  const VariedArray* leaf =
      arrays_.any_that([&](const VariedArray& one) { return are_among(one.dims, dims); });
  if (leaf == nullptr || (depth > 0 && random_.chance(8))) return random_.chance(50) ? "2" : "0.5";
  if (depth > 2 || random_.chance(25)) return leaf->name;
  static const Names kFunctions = {"relu", "gelu", "silu",  "sigmoid", "exp", "log",  "sqrt",
                                   "tanh", "abs",  "rsqrt", "sin",     "cos", "round"};
  static const Names kSigns = {"+", "-", "⊙", "/", "mod", "+", "⊙"};
  const auto inner = [&] { return expression(dims, depth + 1); };
  switch (random_.below(9)) {
    case 0:
    case 1:
      return fmt::format("{}({})", random_.pick(kFunctions), inner());
    case 8:
      features_.insert("cast");
      return fmt::format("{}({} ⊙ {})", random_.pick(all_types()), leaf->name, inner());
    case 2:
      return fmt::format("max({}, {})", inner(), leaf->name);
    case 3:
      return fmt::format("where({} > {}, {}, {})", leaf->name, inner(), inner(), inner());
    case 4:
      return fmt::format("({} + iota_{})", leaf->name, random_.pick(dims));
    default:
      return fmt::format("({} {} {})", leaf->name, random_.pick(kSigns), inner());
  }
}

VariedStatements::Line VariedStatements::elements() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return !a.dims.empty(); });
  if (one == nullptr) return std::nullopt;
  const bool again = random_.chance(20);
  const std::string value = expression(one->dims, 0);
  features_.insert("elements");
  VariedArray target = again ? arrays_.laid_out_anew(*one) : arrays_.draft(one->dims, one->dtype);
  if (!again && random_.chance(80)) target.place = one->place;
  for (Names& names : target.axes) {
    if (!target.place.empty()) std::erase(names, target.place.substr(0, 1));
  }
  return made(std::move(target), one->name + " + " + value, random_.chance(70));
}

VariedStatements::Line VariedStatements::filled() {
  static const Names kNumbers = {"0", "-3", "0.1", "1e9", "-1e30", "7 / 2"};
  VariedArray target = arrays_.draft(arrays_.some_dimensions(0, 3), random_.pick(all_types()));
  if (random_.chance(20)) arrays_.place(target);
  features_.insert("fill");
  const std::string line = fmt::format("{}: {}{} = {}", target.name, target.dtype,
                                       target.brackets(), random_.pick(kNumbers));
  arrays_.add(std::move(target));
  return line;
}

VariedStatements::Line VariedStatements::reduction() {
  static const Names kWords = {"sum", "mean", "max", "min"};
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return a.dims.size() > 1; });
  if (one == nullptr) return std::nullopt;
  Names kept = one->dims;
  const std::size_t which = random_.below(kept.size());
  const std::string summed = kept[which];
  kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(which));
  features_.insert("reduction");
  const std::string value = fmt::format("{}_{}({})", random_.pick(kWords), summed, one->name);
  return made(arrays_.draft(kept, one->dtype), value, random_.chance(70));
}

VariedStatements::Line VariedStatements::softmax() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return !a.dims.empty(); });
  if (one == nullptr) return std::nullopt;
  features_.insert("softmax");
  const std::string value = fmt::format("softmax_{}({})", random_.pick(one->dims), one->name);
  return made(arrays_.draft(one->dims, one->dtype), value, random_.chance(70));
}

VariedStatements::Line VariedStatements::picked() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return a.dims.size() > 1; });
  if (one == nullptr) return std::nullopt;
  const std::size_t d = random_.below(one->dims.size());
  Names kept = one->dims;
  kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(d));
  const bool is_split = one->layout_known && !one->axes[d].empty();
  const auto place = random_.below(static_cast<std::size_t>(arrays_.length(one->dims[d])));
  features_.insert(is_split ? "index of a split dimension" : "index");
  if (is_split) features_.insert("placed");
  std::vector<Axis> axes = arrays_.axes();
  std::erase_if(axes, [&](const Axis& axis) {
    return axis.length == 1 || axis.length > arrays_.length(one->dims[d]);
  });
  std::string index = std::to_string(place);
  if (!axes.empty() && one->place.empty() && random_.chance(35)) {
    index = fmt::format("coord({})", random_.pick(axes).name);
    features_.insert("coord");
  }
  const std::string value = fmt::format("{}[{} = {}]", one->name, one->dims[d], index);
  VariedArray target = arrays_.draft(kept, one->dtype);
  target.place = one->place;
  return made(std::move(target), value, random_.chance(40));
}

VariedStatements::Line VariedStatements::picked_by_array() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return !a.dims.empty(); });
  if (one == nullptr) return std::nullopt;
  const std::size_t d = random_.below(one->dims.size());
  const Names free = arrays_.some_dimensions(1, 1);
  if (contains(one->dims, free.front()) && free.front() != one->dims[d]) return std::nullopt;
  VariedArray index = arrays_.draft(free, "int32");
  Names dims = one->dims;
  dims[d] = free.front();
  features_.insert("index by an array");
  // Indices that no dimension is too short for.
  const std::string lines =
      fmt::format("{0}: int32{1}\n{0} = iota\n{2} = {0} mod {3}\n", index.name, index.brackets(),
                  index.written(), arrays_.length(one->dims[d]));
  const std::string value = fmt::format("{}[{} = {}]", one->name, one->dims[d], index.name);
  VariedArray target = arrays_.draft(dims, one->dtype);
  arrays_.add(std::move(index));
  return lines + made(std::move(target), value, random_.chance(60));
}

VariedStatements::Line VariedStatements::changed_element() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return !a.dims.empty(); });
  if (one == nullptr) return std::nullopt;
  const std::string& dimension = random_.pick(one->dims);
  features_.insert("changed element");
  return fmt::format("{}[{} = {}] = {}", one->name, dimension,
                     random_.below(static_cast<std::size_t>(arrays_.length(dimension))),
                     random_.chance(70) ? "3" : one->name + "[" + dimension + " = 0]");
}

VariedStatements::Line VariedStatements::reshaped() {
  const VariedArray* one =
      arrays_.any_that([](const VariedArray& a) { return a.dims.size() == 2; });
  if (one == nullptr) return std::nullopt;
  features_.insert("reshape");
  const auto elements = arrays_.length(one->dims[0]) * arrays_.length(one->dims[1]);
  const std::string name = one->name + "r";
  return fmt::format("{}[{}] = Reshape({})\n{}[{}, {}] = Reshape({})", name, elements, one->name,
                     name + "r", one->dims[0], one->dims[1], name);
}

VariedStatements::Line VariedStatements::top() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return !a.dims.empty(); });
  if (one == nullptr) return std::nullopt;
  const std::string& along = random_.pick(one->dims);
  const Names few = arrays_.some_dimensions(1, 1);
  if (contains(one->dims, few.front()) || arrays_.length(few.front()) > arrays_.length(along))
    return std::nullopt;
  Names dims = one->dims;
  std::replace(dims.begin(), dims.end(), along, few.front());
  features_.insert("top");
  features_.insert("int32");
  return made(arrays_.draft(dims, "int32"),
              fmt::format("top_{{{},{}}}({})", along, few.front(), one->name), random_.chance(70));
}

}  // namespace shard::random_program
