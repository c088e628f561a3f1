#include "interpreter/suggest/mended_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/operation.h"
#include "interpreter/suggest/change_told.h"

namespace shard {

namespace {

// `K_Y`, by names.
struct NamedDimension {
  std::string name;
  std::vector<std::string> axes;
};
using Row = std::vector<NamedDimension>;

Row row_of(const ast::ArrayRef& array) {
  Row row;
  for (const ast::Dimension& dimension : array.dimensions) {
    ast::Dimension whole = dimension;
    whole.axes.clear();
    NamedDimension named{print(whole, Spelling::Unicode), {}};
    for (const ast::Identifier& axis : dimension.axes) named.axes.push_back(axis.text);
    row.push_back(std::move(named));
  }
  return row;
}

std::string dimension_text(const NamedDimension& dimension) {
  ast::Dimension written{ast::Identifier{dimension.name, {}}, {}, {}};
  for (const std::string& axis : dimension.axes) written.axes.push_back({axis, {}});
  return print(written, Spelling::Unicode);
}

bool has_dimension(const Row& row, const std::string& name) {
  return std::any_of(row.begin(), row.end(),
                     [&](const NamedDimension& dimension) { return dimension.name == name; });
}

// As the newest copy is held; nothing of an array that is not known.
std::optional<Row> known_row(const std::string& name, const Scope& scope) {
  const auto id = scope.names.find_array(name);
  if (!id || scope.held.of(*id).empty()) return std::nullopt;
  const Layout& layout = scope.held.of(*id).back().layout;
  const auto names = scope.store.names_of(scope.store.arrays[*id].dimensions);
  Row row;
  for (std::size_t i = 0; i < names.size(); ++i) {
    NamedDimension dimension{names[i], {}};
    for (const AxisId axis : layout.dims.items()[i])
      dimension.axes.push_back(scope.mesh().axes[axis].name);
    row.push_back(std::move(dimension));
  }
  return row;
}

// What flows into a target: arrays with products between them.
class FlowReader {
 public:
  // `misread` are the operands whose brackets are wrong.
  FlowReader(const ast::Flow& flow, const std::set<const ast::ArrayRef*>& misread,
             const Scope& scope)
      : target_(row_of(flow.target)), misread_(misread), scope_(scope) {
    readable_ = read(flow.value);
  }

  // The dimensions of the target as it was meant; nothing where that is not known.
  std::optional<Row> target() const {
    if (!readable_) return std::nullopt;
    const std::set<std::string> summed = summed_names();
    Row meant;
    for (const NamedDimension& dimension : target_) {
      if (has_dimension(all_, dimension.name) && !summed.contains(dimension.name))
        meant.push_back(dimension);
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const NamedDimension& dimension = all_[i];
      if (summed.contains(dimension.name) || has_dimension(meant, dimension.name)) continue;
      meant.insert(place_of(i, meant), free_of(dimension, meant));
    }
    return meant;
  }

 private:
  bool read(const ast::Expr& expr) {
    if (const auto* product = std::get_if<ast::Product>(&expr.node)) {
      for (const ast::Identifier& name : product->index) index_.insert(name.text);
      open_ = open_ || product->index.empty();
      return read(*product->left) && read(*product->right);
    }
    const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
    if (array == nullptr || !array->name || !array->indices.empty()) return false;
    Row row = row_of(*array);
    if (!array->bracketed || misread_.contains(array)) {
      auto known = known_row(array->name->text, scope_);
      if (!known) return false;
      row = *std::move(known);
    }
    for (NamedDimension& dimension : row) {
      ++count_[dimension.name];
      if (!has_dimension(all_, dimension.name)) all_.push_back(std::move(dimension));
    }
    return true;
  }

  // Without an index a product sums over what several operands have and the target lacks.
  std::set<std::string> summed_names() const {
    std::set<std::string> names = index_;
    for (const auto& [name, count] : count_) {
      if (open_ && count > 1 && !has_dimension(target_, name)) names.insert(name);
    }
    return names;
  }

  // In front of the first one that stands after it in the operands.
  Row::iterator place_of(std::size_t index, Row& meant) const {
    return std::find_if(meant.begin(), meant.end(), [&](const NamedDimension& dimension) {
      for (std::size_t i = index + 1; i < all_.size(); ++i) {
        if (all_[i].name == dimension.name) return true;
      }
      return false;
    });
  }

  // Without the axes that split other dimensions.
  static NamedDimension free_of(NamedDimension dimension, const Row& others) {
    std::erase_if(dimension.axes, [&](const std::string& axis) {
      return std::any_of(others.begin(), others.end(),
                         [&](const NamedDimension& other) { return contains(other.axes, axis); });
    });
    return dimension;
  }

  Row target_;
  const std::set<const ast::ArrayRef*>& misread_;
  const Scope& scope_;
  Row all_;  // of the operands, in their order
  std::map<std::string, int> count_;
  std::set<std::string> index_;
  bool open_ = false;  // a product does not name what it sums over
  bool readable_ = false;
};

std::string list_of(const Row& row) {
  std::vector<std::string> texts;
  for (const NamedDimension& dimension : row) texts.push_back(dimension_text(dimension));
  return join(texts, ", ");
}

// `row` in the place of what stands in the brackets.
std::optional<Edit> bracket_edit(const ast::ArrayRef& array, const Row& row) {
  if (array.dimensions.empty() || !array.bracketed) return std::nullopt;
  const Span all = cover(array.dimensions.front().at.span, array.dimensions.back().at.span);
  return Edit{all, list_of(row)};
}

// Operands whose brackets were reported to have another number of dimensions than the array.
void find_misread(const ast::Expr& expr, const Span& place, std::set<const ast::ArrayRef*>& found) {
  if (const auto* product = std::get_if<ast::Product>(&expr.node)) {
    find_misread(*product->left, place, found);
    find_misread(*product->right, place, found);
  }
  const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
  if (array != nullptr && array->name && array->at.span == place) found.insert(array);
}

std::vector<Edit> dimension_edits(const ast::Flow& flow, const Diagnostic& told,
                                  const Scope& scope) {
  std::vector<Edit> edits;
  std::set<const ast::ArrayRef*> misread;
  if (told.kind == DiagnosticKind::RankMismatch) {
    find_misread(flow.value, told.span, misread);
    if (misread.empty()) return {};
  }
  for (const ast::ArrayRef* array : misread) {
    const auto row = known_row(array->name->text, scope);
    const auto edit = row ? bracket_edit(*array, *row) : std::nullopt;
    if (!edit) return {};
    edits.push_back(*edit);
  }
  if (!flow.target.bracketed) return edits;
  const auto target = FlowReader(flow, misread, scope).target();
  if (!target) return {};
  if (list_of(*target) != list_of(row_of(flow.target))) {
    const auto edit = bracket_edit(flow.target, *target);
    if (!edit) return {};
    edits.push_back(*edit);
  }
  return edits;
}

}  // namespace

void mend_dimensions(const ast::Statement& statement, const Scope& scope, DiagnosticSink& sink) {
  const auto* flow = std::get_if<ast::Flow>(&statement.node);
  const std::vector<DiagnosticKind> kinds = {
      DiagnosticKind::RankMismatch, DiagnosticKind::DroppedDimension,
      DiagnosticKind::TargetMismatch, DiagnosticKind::BadContraction};
  if (flow == nullptr || changes_elements(flow->target) ||
      !sink.has_within(statement.at.span, kinds))
    return;
  change_told(statement.at.span, sink, [&](const Diagnostic& told) -> std::optional<Diagnostic> {
    if (!contains(kinds, told.kind) || !told.edits.empty()) return std::nullopt;
    Diagnostic mended = told;
    mended.edits = dimension_edits(*flow, told, scope);
    return mended.edits.empty() ? std::nullopt : std::optional(std::move(mended));
  });
}

}  // namespace shard
