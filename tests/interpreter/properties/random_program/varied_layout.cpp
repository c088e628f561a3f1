#include <fmt/format.h>

#include <algorithm>

#include "tests/interpreter/properties/random_program/varied_statement.h"

namespace shard::random_program {

VariedStatements::Line VariedStatements::relayout() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) { return a.layout_known; });
  if (one == nullptr) return std::nullopt;
  features_.insert("relayout");
  VariedArray target = *one;
  if (random_.chance(50)) target = arrays_.draft(one->dims, one->dtype);
  if (random_.chance(70)) target.place = one->place;
  if (target.name != one->name && random_.chance(30)) random_.shuffle(target.dims);
  target = arrays_.laid_out_anew(std::move(target));
  const std::string line = fmt::format("{} → {}", one->written(), target.written());
  arrays_.add(std::move(target));
  return line;
}

VariedStatements::Line VariedStatements::collective() {
  const VariedArray* one = arrays_.any_that([](const VariedArray& a) {
    return a.layout_known && std::any_of(a.axes.begin(), a.axes.end(),
                                         [](const Names& names) { return !names.empty(); });
  });
  if (one == nullptr) return std::nullopt;
  VariedArray target = *one;
  std::size_t d = 0;
  while (target.axes[d].empty()) ++d;
  const std::string axis = target.axes[d].back();
  features_.insert("collective");
  std::string word = "AllGather_" + axis;
  const std::size_t other = random_.below(target.dims.size());
  const std::string idle = idle_axis_like(axis, *one);
  if (random_.chance(30)) {
    word = fmt::format("Shift_{{{},{}}}", axis, random_.chance(50) ? 1 : -1);
    target.name += "s";
  } else if (!idle.empty() && random_.chance(50)) {
    word = "CollectivePermute";
    target.axes[d].back() = idle;
  } else {
    target.axes[d].pop_back();
    if (other != d && random_.chance(50)) {
      word = fmt::format("AllToAll_{{{},{}}}", axis, target.dims[other]);
      target.axes[other].push_back(axis);
    }
  }
  const std::string line = fmt::format("{} {} → {}", word, one->written(), target.written());
  arrays_.add(std::move(target));
  return line;
}

std::string VariedStatements::idle_axis_like(const std::string& axis, const VariedArray& array) {
  const auto& axes = arrays_.axes();
  const auto length = [&](const std::string& name) {
    return std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == name; })
        ->length;
  };
  for (const Axis& other : axes) {
    const bool used = array.place.substr(0, other.name.size()) == other.name ||
                      std::any_of(array.axes.begin(), array.axes.end(), [&](const Names& names) {
                        return std::find(names.begin(), names.end(), other.name) != names.end();
                      });
    if (!used && other.name != axis && other.length == length(axis)) return other.name;
  }
  return "";
}

// A product that is left unreduced, and reduced by what is written.
VariedStatements::Line VariedStatements::partial_sums() {
  const Axis& axis = random_.pick(arrays_.axes());
  const Names dims = arrays_.some_dimensions(3, 3);
  if (arrays_.length(dims[1]) % axis.length != 0) return std::nullopt;
  const std::string type = dtype();
  features_.insert(type);
  features_.insert("partial sums");
  VariedArray target = arrays_.draft({dims[0], dims[2]}, type);
  VariedArray left = arrays_.draft({dims[0], dims[1]}, type);
  VariedArray right = arrays_.draft({dims[1], dims[2]}, type);
  left.axes = {{}, {axis.name}};
  right.axes = {{axis.name}, {}};
  target.axes = {{}, {}};
  const std::string partial = target.written() + "{U_" + axis.name + "}";
  std::string text =
      fmt::format("{}: {}{}\n{}: {}{}\n{} ·LOCAL {} → {}\n", left.name, type, left.brackets(),
                  right.name, type, right.brackets(), left.written(), right.written(), partial);
  if (random_.chance(50) && arrays_.length(dims[2]) % axis.length == 0) {
    target.axes[1] = {axis.name};
    text += fmt::format("ReduceScatter_{{{},{}}} {} → {}", axis.name, dims[2], partial,
                        target.written());
  } else {
    text += fmt::format("AllReduce_{} {} → {}", axis.name, partial, target.written());
  }
  for (VariedArray& array : std::vector<VariedArray>{left, right, target}) arrays_.add(array);
  return text;
}

VariedStatements::Line VariedStatements::placed_input() {
  VariedArray array = arrays_.draft(arrays_.some_dimensions(1, 2), dtype());
  if (!arrays_.place(array)) return std::nullopt;
  features_.insert("placed");
  features_.insert(array.dtype);
  std::string line = fmt::format("{}: {}{}", array.name, array.dtype, array.brackets());
  VariedArray target = arrays_.draft(array.dims, array.dtype);
  target.axes = array.axes;
  target.place = random_.chance(70) ? array.place : "";
  const std::string value = fmt::format("{} ⊙ 2", array.name);
  arrays_.add(std::move(array));
  return line + "\n" + made(std::move(target), value, true);
}

VariedStatements::Line VariedStatements::moved() {
  const VariedArray* one =
      arrays_.any_that([](const VariedArray& a) { return a.layout_known && !a.place.empty(); });
  if (one == nullptr) return std::nullopt;
  VariedArray target = *one;
  const std::string axis = one->place.substr(0, 1);
  const auto found = std::find_if(arrays_.axes().begin(), arrays_.axes().end(),
                                  [&](const Axis& a) { return a.name == axis; });
  features_.insert("moved");
  std::string word = "Broadcast_" + axis;
  target.place = "";
  if (random_.chance(60)) {
    const std::string idle = random_.chance(40) ? idle_axis_like(axis, *one) : "";
    word = "CollectivePermute_" + (idle.empty() ? axis : "{" + axis + idle + "}");
    target.place = fmt::format("{}={}", idle.empty() ? axis : idle,
                               random_.below(static_cast<std::size_t>(found->length)));
  }
  const std::string line = fmt::format("{} {} → {}", word, one->written(), target.written());
  arrays_.add(std::move(target));
  return line;
}

VariedStatements::Line VariedStatements::sent() {
  VariedArray array = arrays_.draft(arrays_.some_dimensions(1, 2), "bf16");
  array.axes.assign(array.dims.size(), {});
  const auto device = [&] {
    std::string text;
    for (const Axis& axis : arrays_.axes())
      text += fmt::format("{}{}", text.empty() ? "" : ",",
                          random_.below(static_cast<std::size_t>(axis.length)));
    return "(" + text + ")";
  };
  features_.insert("send");
  array.layout_known = false;
  const std::string line =
      fmt::format("send {} from {} to {}", array.written(), device(), device());
  arrays_.add(std::move(array));
  return line;
}

}  // namespace shard::random_program
