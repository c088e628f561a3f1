#include "interpreter/suggest/swapped_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/contains.h"
#include "grammar/tree/statement_parts.h"
#include "interpreter/check/collective/collective_help.h"

namespace shard {

namespace {

using Words = std::vector<std::string>;

// The layout of an operand, by names.
struct Held {
  std::vector<std::pair<std::string, Words>> dimensions;
  Words unreduced;
  Words placed;

  Words axes_of(const std::string& dimension) const {
    for (const auto& [name, axes] : dimensions) {
      if (name == dimension) return axes;
    }
    return {};
  }
  bool has(const std::string& dimension) const {
    return std::any_of(dimensions.begin(), dimensions.end(),
                       [&](const auto& entry) { return entry.first == dimension; });
  }
  // The axes of the only dimension that is split; empty if several are, or none.
  Words only_split() const {
    Words found;
    for (const auto& [name, axes] : dimensions) {
      if (axes.empty()) continue;
      if (!found.empty()) return {};
      found = axes;
    }
    return found;
  }
  void add(const Held& other) {
    dimensions.insert(dimensions.end(), other.dimensions.begin(), other.dimensions.end());
    unreduced.insert(unreduced.end(), other.unreduced.begin(), other.unreduced.end());
    placed.insert(placed.end(), other.placed.begin(), other.placed.end());
  }
};

struct Mistake {
  DiagnosticKind kind;
  Span place;
  std::string message;
};

class SwapReader {
 public:
  SwapReader(const ast::Statement& statement, const Scope& scope)
      : parts_(parts_of(statement)), scope_(scope) {}

  // False if nothing is swapped, or something is and cannot be mended.
  bool read() {
    for (const BracketPart& part : parts_.brackets) learn(part);
    for (const BracketPart& part : parts_.brackets) mend(part);
    for (const ast::Collective* collective : parts_.collectives) mend(*collective);
    for (const ast::Product* product : parts_.products) mend(*product);
    for (const ast::Call* call : parts_.calls) mend(*call);
    for (const ast::Identifier* name : parts_.axes) mend_axis(*name, {});
    return mendable_ && !mistakes_.empty();
  }

  Diagnostic diagnostic() const {
    const auto first = std::min_element(
        mistakes_.begin(), mistakes_.end(),
        [](const auto& a, const auto& b) { return a.place.begin < b.place.begin; });
    Diagnostic result{.kind = first->kind, .span = first->place, .message = first->message};
    result.edits = edits_;
    return result;
  }

  bool tells(const Span& place) const {
    return std::any_of(mistakes_.begin(), mistakes_.end(),
                       [&](const Mistake& mistake) { return mistake.place == place; });
  }

 private:
  bool is_axis(const std::string& name) const { return scope_.find_axes(name).has_value(); }
  bool is_dimension(const std::string& name) const {
    return !is_axis(name) &&
           (scope_.names.find_dimension(name) || scope_.find_binding(name) != nullptr);
  }
  std::string axis_name(AxisId axis) const { return scope_.mesh().axes[axis].name; }

  void tell(DiagnosticKind kind, Span place, std::string message) {
    mistakes_.push_back({kind, place, std::move(message)});
  }
  void tell_dimension(const ast::Identifier& name) {
    tell(
        DiagnosticKind::UnknownAxis, name.at.span,
        fmt::format("`{}` is a dimension, and what stands here is an axis of the mesh", name.text));
  }
  void put(Span place, std::string text) { edits_.push_back({place, std::move(text)}); }

  // ------------------------------------------------------------ brackets

  // `X_I`, where I is no axis and X is one.
  bool is_swapped(const ast::Dimension& dimension) const {
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    return name != nullptr && dimension.axes.size() == 1 && is_axis(name->text) &&
           !is_axis(dimension.axes.front().text);
  }

  Held held(const BracketPart& part) const {
    Held result;
    for (const ast::Dimension& dimension : part.dimensions) {
      const auto* name = std::get_if<ast::Identifier>(&dimension.name);
      if (name == nullptr) continue;
      if (is_swapped(dimension)) {
        result.dimensions.push_back({dimension.axes.front().text, {name->text}});
        continue;
      }
      Words axes;
      for (const ast::Identifier& axis : dimension.axes) {
        if (is_axis(axis.text)) axes.push_back(axis.text);
      }
      result.dimensions.emplace_back(name->text, std::move(axes));
    }
    for (const ast::Identifier& axis : part.unreduced) {
      if (is_axis(axis.text)) result.unreduced.push_back(axis.text);
    }
    for (const ast::Identifier& axis : part.placed) {
      if (is_axis(axis.text)) result.placed.push_back(axis.text);
    }
    return result;
  }

  Held held(const ast::ArrayRef& array) const {
    if (array.bracketed) return held(bracket_part(array));
    const auto id = array.name ? scope_.names.find_array(array.name->text) : std::nullopt;
    const LiveCopy* copy = id ? scope_.held.newest_written(*id) : nullptr;
    Held result;
    if (copy == nullptr) return result;
    const Words names = scope_.store.names_of(scope_.store.arrays[*id].dimensions);
    for (std::size_t i = 0; i < names.size(); ++i) {
      Words axes;
      for (const AxisId axis : copy->layout.dims[i]) axes.push_back(axis_name(axis));
      result.dimensions.emplace_back(names[i], std::move(axes));
    }
    for (const AxisId axis : copy->layout.unreduced) result.unreduced.push_back(axis_name(axis));
    for (const Placement& place : copy->layout.placed)
      result.placed.push_back(axis_name(place.axis));
    return result;
  }

  Held held(const ast::Expr& expr) const {
    Held result;
    for (const ast::ArrayRef* array : arrays_in(expr)) result.add(held(*array));
    return result;
  }

  void learn(const BracketPart& part) {
    const Held fine = held(part);
    for (const auto& [name, axes] : fine.dimensions) {
      if (!axes.empty()) splits_.insert({name, axes});
    }
  }

  void mend(const BracketPart& part) {
    Words used;
    const Held fine = held(part);
    for (const auto& [name, axes] : fine.dimensions)
      used.insert(used.end(), axes.begin(), axes.end());
    used.insert(used.end(), fine.unreduced.begin(), fine.unreduced.end());
    used.insert(used.end(), fine.placed.begin(), fine.placed.end());
    for (const ast::Dimension& dimension : part.dimensions) {
      if (is_swapped(dimension)) {
        swap(dimension);
        continue;
      }
      const auto* name = std::get_if<ast::Identifier>(&dimension.name);
      for (const ast::Identifier& axis : dimension.axes)
        mend_axis(axis, used, name == nullptr ? "" : name->text);
    }
    for (const ast::Identifier& axis : part.unreduced) mend_axis(axis, used);
    for (const ast::Identifier& axis : part.placed) mend_axis(axis, used);
  }

  void swap(const ast::Dimension& dimension) {
    const auto& axis = std::get<ast::Identifier>(dimension.name);
    const ast::Identifier& name = dimension.axes.front();
    tell(DiagnosticKind::UnknownAxis, name.at.span,
         fmt::format("`{}` is the axis and `{}` the dimension, which stands in front of its axis",
                     axis.text, name.text));
    put(axis.at.span, name.text);
    put(name.at.span, axis.text);
  }

  // A dimension in the place of an axis, in the subscript of another dimension or alone.
  void mend_axis(const ast::Identifier& name, const Words& used, const std::string& of = "") {
    if (!is_dimension(name.text)) return;
    tell_dimension(name);
    Words likely;
    for (const std::string& dimension : {of, name.text}) {
      const auto found = splits_.find(dimension);
      if (found != splits_.end())
        likely.insert(likely.end(), found->second.begin(), found->second.end());
    }
    for (const ast::Collective* collective : parts_.collectives) {
      for (const ast::Identifier& axis : collective->axes) likely.push_back(axis.text);
    }
    for (const MeshAxis& axis : scope_.mesh().axes) likely.push_back(axis.name);
    const auto meant = std::find_if(likely.begin(), likely.end(), [&](const std::string& axis) {
      return is_axis(axis) && !contains(used, axis);
    });
    if (meant == likely.end()) {
      mendable_ = false;
      return;
    }
    put(name.at.span, *meant);
  }

  // ------------------------------------------------------------ collectives

  void mend(const ast::Collective& collective) {
    const auto bad = std::find_if(collective.axes.begin(), collective.axes.end(),
                                  [&](const auto& name) { return is_dimension(name.text); });
    if (bad == collective.axes.end()) return;
    Words axes;
    Words dimensions;
    for (const ast::Identifier& name : collective.axes)
      (is_axis(name.text) ? axes : dimensions).push_back(name.text);
    for (const ast::Destination& destination : collective.destinations)
      dimensions.push_back(destination.dimension.text);
    tell(DiagnosticKind::UnknownAxis, bad->at.span,
         axes.empty() ? fmt::format("`{}` is a dimension, and a collective runs over an axis of "
                                    "the mesh",
                                    bad->text)
                      : fmt::format("`{}` is a dimension and `{}` the axis: axes stand first in a "
                                    "collective's subscript",
                                    bad->text, axes.front()));
    const Held from = held(*collective.operand);
    std::string dimension = destination(collective.kind, from, axes, dimensions);
    if (axes.empty()) axes = axes_meant(collective.kind, from, dimensions);
    if (axes.empty() && scope_.mesh().axes.size() == 1) axes = {scope_.mesh().axes[AxisId{0}].name};
    if (axes.empty()) {
      mendable_ = false;
      return;
    }
    put(collective.name.span, collective_text(collective, axes, dimension));
  }

  // The dimension that a ReduceScatter or AllToAll splits; empty if it names none.
  static std::string destination(ast::CollectiveKind kind, const Held& from, const Words& axes,
                                 const Words& dimensions) {
    if (!names_dimension(kind)) return "";
    for (auto name = dimensions.rbegin(); name != dimensions.rend(); ++name) {
      const Words split = from.axes_of(*name);
      const bool source =
          exchanges(kind) && (axes.empty() ? !split.empty() : contains(split, axes.front()));
      if (!source) return *name;
    }
    return "";
  }

  static Words axes_meant(ast::CollectiveKind kind, const Held& from, const Words& dimensions) {
    if (adds_up(kind)) return from.unreduced;
    if (kind == ast::CollectiveKind::Broadcast) return from.placed;
    Words axes;
    for (const std::string& name : dimensions) {
      for (const std::string& axis : from.axes_of(name)) axes.push_back(axis);
    }
    return axes.empty() ? from.only_split() : axes;
  }

  // ------------------------------------------------------------ sums

  void mend(const ast::Product& product) {
    Held both;
    const Held left = held(*product.left);
    const Held right = held(*product.right);
    for (const auto& [name, axes] : left.dimensions) {
      if (right.has(name)) both.dimensions.emplace_back(name, axes);
    }
    for (const ast::Identifier& name : product.index) mend_sum(name, both);
  }

  void mend(const ast::Call& call) {
    const bool coordinate = call.function.text == "coord" && call.arguments.size() == 1;
    if (coordinate) {
      const auto* array = std::get_if<ast::ArrayRef>(&call.arguments.front()->node);
      if (array != nullptr && array->name && !array->bracketed) mend_axis(*array->name, {});
    }
    if (call.arguments.empty()) return;
    const Held from = held(*call.arguments.front());
    for (const ast::Identifier& name : call.subscript) mend_sum(name, from);
  }

  // An axis in the place of the dimension that it splits.
  void mend_sum(const ast::Identifier& name, const Held& from) {
    if (!is_axis(name.text) || from.has(name.text)) return;
    Words split;
    for (const auto& [dimension, axes] : from.dimensions) {
      if (contains(axes, name.text)) split.push_back(dimension);
    }
    tell(
        DiagnosticKind::UnknownDimension, name.at.span,
        fmt::format("`{}` is an axis of the mesh, and what stands here is a dimension", name.text));
    if (split.size() == 1)
      put(name.at.span, split.front());
    else
      mendable_ = false;
  }

  StatementParts parts_;
  const Scope& scope_;
  std::map<std::string, Words> splits_;  // the axes of dimensions, as far as the statement has them
  std::vector<Mistake> mistakes_;
  std::vector<Edit> edits_;
  bool mendable_ = true;
};

}  // namespace

void retell_swapped(const ast::Statement& statement, const Scope& scope, DiagnosticSink& sink) {
  const std::vector<DiagnosticKind> kinds = {DiagnosticKind::UnknownAxis,
                                             DiagnosticKind::UnknownDimension};
  const Span& place = statement.at.span;
  if (!sink.has_within(place, kinds)) return;
  SwapReader reader(statement, scope);
  if (!reader.read()) return;
  // What else is wrong would be so after the edits.
  for (const Diagnostic& told : sink.all()) {
    const bool inside = told.span.file == place.file && told.span.begin >= place.begin &&
                        told.span.end <= place.end && contains(kinds, told.kind);
    if (inside && !reader.tells(told.span)) return;
  }
  sink.replace(place, kinds, reader.diagnostic());
}

}  // namespace shard
