// The machine in canonical spelling.
#include <fmt/format.h>

#include "grammar/print/context.h"

namespace shard {
namespace {

std::string figures_text(const std::vector<ast::Figure>& figures) {
  std::string text;
  for (const ast::Figure& figure : figures) {
    const std::string value = match(
        figure.value, [](const ast::Number& number) { return number.text; },
        [](const ast::Identifier& word) { return word.text; },
        [](const std::vector<ast::Number>& numbers) { return slice_text(numbers); },
        [](const std::vector<ast::SizedFigure>& sizes) {
          std::string list;
          for (const ast::SizedFigure& one : sizes)
            list +=
                fmt::format("{}{}: {}", list.empty() ? "" : ", ", one.size.text, one.value.text);
          return "{" + list + "}";
        });
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", figure.name.text, value);
  }
  return "{" + text + "}";
}

std::string_view word_of(ast::AxisKind kind) {
  switch (kind) {
    case ast::AxisKind::Ici:
      return "";
    case ast::AxisKind::Ring:
      return " ring";
    case ast::AxisKind::Line:
      return " line";
    case ast::AxisKind::Dcn:
      return " dcn";
    case ast::AxisKind::Switch:
      return " switch";
    case ast::AxisKind::Core:
      return " core";
  }
  return "";
}

}  // namespace

std::string slice_text(const std::vector<ast::Number>& numbers) {
  std::string text;
  for (const ast::Number& number : numbers) {
    if (!text.empty()) text += "x";
    text += number.text;
  }
  return text;
}

std::string hardware_text(const ast::Hardware& hardware) {
  return "hardware " + machine_text(hardware);
}

std::string machine_text(const ast::Hardware& hardware) {
  std::string text = hardware.chip.text;
  if (!hardware.slice.empty()) text += " " + slice_text(hardware.slice);
  if (hardware.wraparound) text += *hardware.wraparound ? " wrap" : " nowrap";
  if (!hardware.overrides.empty()) text += " " + figures_text(hardware.overrides);
  return text;
}

std::string mesh_text(const ast::Mesh& mesh) { return "mesh " + axes_text(mesh); }

std::string axes_text(const ast::Mesh& mesh) {
  std::string text;
  for (const ast::MeshAxis& axis : mesh.axes) {
    text += fmt::format("{}{}: {}{}", text.empty() ? "" : ", ", axis.name.text,
                        slice_text(axis.sizes), word_of(axis.kind));
    if (axis.bandwidth) text += " " + axis.bandwidth->text;
  }
  return "{" + text + "}";
}

std::string device_text(const ast::DeviceName& device) {
  std::string text;
  for (const ast::Number& coordinate : device.coordinates)
    text += (text.empty() ? "" : ",") + coordinate.text;
  return device.listed ? "(" + text + ")" : text;
}

namespace {

std::string part_text(const ast::MachinePart& part) {
  return match(
      part.name,
      [](const ast::LinkName& link) {
        return fmt::format("link {}{}[{}]", link.axis.text,
                           link.torus ? "." + link.torus->text : "", link.position.text);
      },
      [](const ast::DeviceName& device) { return "device " + device_text(device); });
}

}  // namespace

std::string fault_text(const ast::Fault& fault) {
  return "fault " + part_text(fault.part) + (fault.at ? " at " + fault.at->text : "");
}

std::string slow_text(const ast::Slow& slow) {
  return fmt::format("slow {} {} {}", part_text(slow.part), slow.to ? "to" : "by",
                     slow.amount.text);
}

std::string chip_text(const ast::Chip& chip) {
  std::string text = "chip " + chip.name.text;
  if (chip.base) text += " = " + chip.base->text;
  if (!chip.figures.empty() || !chip.base) text += " " + figures_text(chip.figures);
  return text;
}

}  // namespace shard
