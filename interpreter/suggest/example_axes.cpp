#include "interpreter/suggest/example_axes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/collective.h"
#include "base/contains.h"
#include "base/words.h"
#include "interpreter/suggest/change_told.h"

namespace shard {

namespace {

constexpr std::string_view kExampleAxes = "XYZ";

// A row of example axes in a line: `XY` of `I_{XY}`.
struct AxisPlace {
  std::size_t begin;
  std::size_t end;
};

// Finds where a line names axes: subscripts of dimensions, of marks and of collectives.
class AxisFinder {
 public:
  explicit AxisFinder(std::string_view line) : line_(line) {}

  std::vector<AxisPlace> find() {
    for (std::size_t i = 0; i < line_.size(); ++i) {
      if (line_[i] == '[') ++brackets_;
      if (line_[i] == ']') --brackets_;
      if (line_[i] == '_' && i > 0) read_subscript(i);
      if (line_[i] == '{' && at(i + 2) == '=') add(i + 1, i + 2);
      if (line_[i] == '|' && at(i + 2) == '|') add(i + 1, i + 2);
    }
    for (const std::string_view word : {"overlap ", "coord("}) {
      const std::size_t found = line_.find(word);
      if (found != std::string_view::npos && !is_name_character(at(found + word.size() + 1)))
        add(found + word.size(), found + word.size() + 1);
    }
    return std::move(places_);
  }

 private:
  char at(std::size_t i) const { return i < line_.size() ? line_[i] : '\0'; }

  void add(std::size_t begin, std::size_t end) {
    const std::string_view row = line_.substr(begin, end - begin);
    const bool example = !row.empty() && std::all_of(row.begin(), row.end(), [](char c) {
      return kExampleAxes.find(c) != std::string_view::npos;
    });
    if (example) places_.push_back({begin, end});
  }

  // Of `·_J` and `sum_J` these are dimensions.
  void read_subscript(std::size_t underscore) {
    std::size_t begin = underscore;
    while (begin > 0 && (is_letter(line_[begin - 1]) || is_digit(line_[begin - 1]))) --begin;
    const std::string_view word = line_.substr(begin, underscore - begin);
    const bool mark = word == "U" || word == "max" || word == "min";
    const bool marked = mark && begin > 0 && line_[begin - 1] == '{';
    const bool collective = !word.empty() && find_collective(word) != nullptr;
    if (word.empty() || (!collective && !marked && brackets_ <= 0)) return;
    const bool braces = at(underscore + 1) == '{';
    std::size_t end = underscore + (braces ? 2 : 1);
    const std::size_t first = end;
    while (is_letter(at(end)) || is_digit(at(end))) ++end;
    if (braces || !is_name_character(at(end))) add(first, end);
  }

  std::string_view line_;
  int brackets_ = 0;
  std::vector<AxisPlace> places_;
};

// The name for each example axis; nothing where the mesh has too few.
using AxisNames = std::array<std::optional<std::string>, kExampleAxes.size()>;

std::string named(std::string_view row, const AxisNames& names, bool braces) {
  std::vector<std::string> words;
  for (const char c : row) words.push_back(*names[kExampleAxes.find(c)]);
  const bool letters = std::all_of(words.begin(), words.end(),
                                   [](const std::string& word) { return word.size() == 1; });
  return join(words, letters || !braces ? "" : ",");
}

}  // namespace

std::string with_axes(std::string_view line, const std::vector<std::string>& axes) {
  std::vector<AxisPlace> places = AxisFinder(line).find();
  AxisNames names;
  std::size_t next = 0;
  for (const AxisPlace& place : places) {
    for (const char c : line.substr(place.begin, place.end - place.begin)) {
      auto& name = names[kExampleAxes.find(c)];
      if (name) continue;
      if (next == axes.size()) return std::string(line);
      name = axes[next++];
    }
  }
  std::string text;
  std::size_t done = 0;
  std::sort(places.begin(), places.end(),
            [](const AxisPlace& a, const AxisPlace& b) { return a.begin < b.begin; });
  for (const AxisPlace& place : places) {
    text += line.substr(done, place.begin - done);
    const std::string_view row = line.substr(place.begin, place.end - place.begin);
    text += named(row, names, place.begin > 0 && line[place.begin - 1] == '{');
    done = place.end;
  }
  return text.append(line.substr(done));
}

std::string with_mesh_axes(std::string_view line, const Scope& scope) {
  std::vector<std::string> axes;
  for (const MeshAxis& axis : scope.mesh().axes) {
    if (axis.name.size() == 1 && kExampleAxes.find(axis.name) != std::string_view::npos)
      return std::string(line);
    axes.push_back(axis.name);
  }
  return scope.machine.mesh_known() ? with_axes(line, axes) : std::string(line);
}

void use_axes_of_mesh(const Span& statement, std::string_view text, const Scope& scope,
                      DiagnosticSink& sink) {
  if (with_mesh_axes(text, scope) != text) return;
  change_told(statement, sink, [&](const Diagnostic& told) -> std::optional<Diagnostic> {
    Diagnostic other = told;
    for (std::string& help : other.help) help = with_mesh_axes(help, scope);
    return other.help == told.help ? std::nullopt : std::optional(std::move(other));
  });
}

}  // namespace shard
