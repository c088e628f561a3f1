#include "tests/interpreter/properties/random_program/varied.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/interpreter/properties/random_program/varied_arrays.h"
#include "tests/interpreter/properties/random_program/varied_statement.h"

namespace shard::random_program {

namespace {

// The machine: axes, chip, faults. `lines` get what declares it.
std::vector<Axis> varied_machine(Random& random, VariedProgram& program) {
  static const std::vector<std::int64_t> kLengths = {2, 2, 2, 4, 4, 3, 1};
  static const std::vector<std::string> kKinds = {"", "", "", "", " ring", " line", " switch"};
  static const std::vector<std::string> kChips = {"TPUv5p", "TPUv5p", "TPUv4p", "TPUv5e"};
  constexpr std::int64_t kMostDevices = 16;
  std::vector<Axis> axes;
  std::string mesh;
  std::int64_t devices = 1;
  for (std::size_t i = 0, count = 1 + random.below(3); i < count; ++i) {
    std::int64_t length = random.pick(kLengths);
    if (devices * length > kMostDevices) length = 1;
    devices *= length;
    axes.push_back({std::string(1, "XYZ"[i]), length});
    mesh += fmt::format("{}{}: {}{}", i == 0 ? "" : ", ", axes.back().name, length,
                        random.pick(kKinds));
  }
  const bool has_chip = random.chance(75);
  if (has_chip) program.lines.push_back("hardware " + random.pick(kChips));
  program.lines.push_back("mesh {" + mesh + "}");
  if (!has_chip || !random.chance(35)) return axes;
  const Axis& axis = random.pick(axes);
  const auto place = random.below(static_cast<std::size_t>(axis.length));
  const auto device = random.below(static_cast<std::size_t>(devices));
  switch (random.below(5)) {
    case 0:
      program.lines.push_back(fmt::format("slow device {} by 3", device));
      break;
    case 1:
      program.lines.push_back(fmt::format("slow link {}[{}] by 10", axis.name, place));
      break;
    case 2:
      program.lines.push_back(fmt::format("fault link {}[{}] at 3 us", axis.name, place));
      break;
    case 3:
      program.lines.push_back(random.chance(30) ? fmt::format("fault device {}", device)
                                                : fmt::format("fault device {} at 4 us", device));
      break;
    default:
      program.lines.push_back(fmt::format("fault link {}[{}]", axis.name, place));
      break;
  }
  program.features.insert(program.lines.back().starts_with("slow") ? "slow" : "fault");
  return axes;
}

std::vector<Dimension> varied_sizes(Random& random, VariedProgram& program) {
  static const std::vector<std::int64_t> kLengths = {4, 8, 8, 12, 16, 6, 24, 1};
  std::vector<Dimension> dimensions;
  std::string sizes;
  for (const char* name : {"I", "J", "K", "L"}) {
    dimensions.push_back({name, random.pick(kLengths)});
    sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", name, dimensions.back().length);
  }
  program.lines.push_back(sizes);
  return dimensions;
}

}  // namespace

std::string VariedProgram::text() const {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

VariedProgram varied_program(Random& random) {
  VariedProgram program;
  auto axes = varied_machine(random, program);
  auto dimensions = varied_sizes(random, program);
  VariedArrays arrays(random, std::move(axes), std::move(dimensions));
  VariedStatements statements(random, arrays, program.features);
  for (const std::string& line : statements.begin()) program.lines.push_back(line);
  for (std::size_t i = 0, count = 2 + random.below(6); i < count; ++i) {
    for (int attempt = 0; attempt < 10; ++attempt) {
      const auto line = statements.next();
      if (!line) continue;
      program.lines.push_back(*line);
      break;
    }
  }
  return program;
}

}  // namespace shard::random_program
