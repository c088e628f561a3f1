#include "interpreter/holes/open_block.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/contains.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/holes/walk_block.h"

namespace shard {

namespace {

// All orders up to this many axes; of more only that of the mesh.
constexpr std::size_t kMostInAnyOrder = 4;
// Any of so many axes; of more only neighbours: 16 axes have 65,536 sets and 43 million pairs of them, and 137 runs.
constexpr std::size_t kMostInAnySet = 6;

void add_rows(const std::vector<OpenAxis>& axes, std::size_t length, AxisRow& row,
              std::vector<AxisRow>& rows) {
  if (row.size() == length) return rows.push_back(row);
  const bool any_order = axes.size() <= kMostInAnyOrder;
  bool behind = row.empty();
  for (const OpenAxis& axis : axes) {
    if (!any_order && !behind) {
      behind = axis.name == row.back();
      continue;
    }
    if (contains(row, axis.name)) continue;
    row.push_back(axis.name);
    add_rows(axes, length, row, rows);
    row.pop_back();
  }
}

std::vector<AxisRow> runs_of(const std::vector<OpenAxis>& axes) {
  std::vector<AxisRow> rows = {{}};
  for (std::size_t length = 1; length <= axes.size(); ++length) {
    for (std::size_t begin = 0; begin + length <= axes.size(); ++begin) {
      AxisRow& row = rows.emplace_back();
      for (std::size_t i = begin; i < begin + length; ++i) row.push_back(axes[i].name);
    }
  }
  return rows;
}

std::vector<AxisRow> rows_of(const std::vector<OpenAxis>& axes) {
  if (axes.size() > kMostInAnySet) return runs_of(axes);
  std::vector<AxisRow> rows;
  for (std::size_t length = 0; length <= axes.size(); ++length) {
    AxisRow row;
    add_rows(axes, length, row, rows);
  }
  return rows;
}

std::optional<std::int64_t> whole(const Rational& number) { return number.to_int64(); }

void add_statement_lines(const ast::Statement& statement, const std::string& indent,
                         std::vector<std::string>& lines) {
  const auto* branch = std::get_if<ast::If>(&statement.node);
  if (branch == nullptr) {
    std::istringstream text(print(statement, Spelling::Unicode));
    for (std::string line; std::getline(text, line);) lines.push_back(indent + line);
    return;
  }
  const auto add_side = [&](const std::vector<ast::Statement>& side) {
    for (const ast::Statement& inner : side) add_statement_lines(inner, indent + "  ", lines);
  };
  lines.push_back(indent + "if " + print(branch->condition, Spelling::Unicode) + " {");
  add_side(branch->body);
  if (branch->otherwise) {
    lines.push_back(indent + "} else {");
    add_side(*branch->otherwise);
  }
  lines.push_back(indent + "}");
}

}  // namespace

std::vector<std::string> statement_lines(const ast::Statement& statement) {
  std::vector<std::string> lines;
  add_statement_lines(statement, "", lines);
  return lines;
}

std::vector<std::size_t> OpenArray::holes() const {
  std::vector<std::size_t> found;
  for (const Part& part : parts) {
    if (part.hole && !contains(found, *part.hole)) found.push_back(*part.hole);
  }
  std::sort(found.begin(), found.end());
  return found;
}

OpenBlock::OpenBlock(const std::vector<ast::Statement>& body, const Scope& scope,
                     const std::vector<OpenAxis>& axes)
    : scope_(scope),
      body_(body),
      rows_(rows_of(axes)),
      has_all_rows_(axes.size() <= kMostInAnySet) {
  for (const OpenAxis& axis : axes) {
    axis_sizes_[axis.name] = axis.size;
    know_axes({axis.name});
  }
  for (const AxisRow& row : rows_) splits_.push_back(split_by(row));
  read(body_, "");
  even_loops_ = shard::even_loops(body_, scope_);
}

void OpenBlock::set_passes(const EvenLoop& loop, std::optional<std::int64_t> passes) {
  auto& values = std::get<ast::Loop>(body_[loop.statement].node).values;
  std::get<ast::Range>(values).end =
      passes ? ast::Expr{whole_number(loop.begin + *passes), {}} : loop.end;
}

namespace {

std::vector<std::string> names_of(const ast::ArrayRef& array) {
  std::vector<std::string> names;
  for (const ast::Dimension& dimension : array.dimensions) {
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    names.push_back(name == nullptr ? "" : name_key(name->text));
  }
  return names;
}

}  // namespace

void OpenBlock::read(std::vector<ast::Statement>& body, const std::string& owner) {
  Known known;
  std::set<std::string> made;
  const std::size_t first_array = arrays_.size();
  std::vector<const ast::Call*> calls;
  const BlockWalk walk{
      .statement =
          [&](ast::Statement& statement) {
            statements_.push_back({statement.at.span, {}});
            if (const auto* flow = std::get_if<ast::Flow>(&statement.node);
                flow != nullptr && flow->target.name) {
              made.insert(name_key(flow->target.name->text));
              if (owner.empty()) last_result_ = names_of(flow->target);
            }
            const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
            for (std::size_t i = 0; bindings != nullptr && i < bindings->items.size(); ++i) {
              const auto* number = std::get_if<ast::Number>(&bindings->items[i].value->node);
              const auto length = number == nullptr ? std::nullopt : whole(number->value);
              if (length) lengths_[name_key(bindings->items[i].name.text)] = *length;
            }
          },
      .array = [&](ast::ArrayRef& array) { read_array(array, owner, known); },
      .shaped =
          [&](ast::Shaped& shaped) {
            OpenArray open;
            read_dimensions(shaped.dimensions, open, owner);
          },
      .call = [&](const ast::Call& call) { calls.push_back(&call); }};
  walk_block(body, walk);
  for (std::size_t i = first_array; i < arrays_.size(); ++i)
    arrays_[i].is_made = made.contains(arrays_[i].name);
  for (const ast::Call* call : calls) read_function(*call);
}

void OpenBlock::read_array(ast::ArrayRef& array, const std::string& owner, Known& known) {
  const std::string key = array.name ? name_key(array.name->text) : "";
  std::set<std::size_t> own;
  if (array.bracketed) {
    OpenArray open{.name = key, .written = array, .parts = {}, .other_axes = {}};
    open.written.indices.clear();
    for (const ast::Identifier& axis : array.unreduced) open.other_axes.push_back(axis.text);
    for (const ast::Placement& place : array.placed) open.other_axes.push_back(place.axis.text);
    know_axes(open.other_axes);
    read_dimensions(array.dimensions, open,
                    owner + (key.empty() ? std::to_string(array.at.span.begin) : key));
    const auto holes = open.holes();
    own = {holes.begin(), holes.end()};
    if (!key.empty()) known[key] = own;
  } else if (const auto earlier = known.find(key); earlier != known.end()) {
    own = earlier->second;
  }
  if (!statements_.empty()) statements_.back().holes.insert(own.begin(), own.end());
}

void OpenBlock::read_dimensions(std::vector<ast::Dimension>& dimensions, OpenArray& open,
                                const std::string& owner) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    ast::Dimension& dimension = dimensions[i];
    OpenArray::Part part;
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    if (name != nullptr) part.dimension = name_key(name->text);
    part.length = length_of(dimension);
    if (dimension.axes.size() == 1 && is_hole(dimension.axes.front())) {
      const std::string& text = dimension.axes.front().text;
      const std::string place = name != nullptr ? part.dimension : std::to_string(i);
      part.hole = hole_at(dimension.axes, text.size() > 1 ? text : owner + "." + place);
    } else {
      for (const ast::Identifier& axis : dimension.axes) part.axes.push_back(axis.text);
      know_axes(part.axes);
    }
    const auto renamed = renames_.find(part.dimension);
    if (renamed != renames_.end()) part.dimension = renamed->second;
    open.parts.push_back(std::move(part));
  }
  if (!open.holes().empty()) arrays_.push_back(open);
}

std::size_t OpenBlock::hole_at(std::vector<ast::Identifier>& axes, const std::string& key) {
  const auto [at, is_new] = names_.emplace(key, places_.size());
  if (is_new) places_.emplace_back();
  places_[at->second].push_back(&axes);
  return at->second;
}

// The names of an array's dimensions but for those that are indexed; empty where they are not written.
std::vector<std::string> OpenBlock::dimensions_of(const ast::Expr& argument) const {
  const auto* array = std::get_if<ast::ArrayRef>(&argument.node);
  if (array == nullptr) return {};
  std::vector<std::string> names;
  for (const ast::Dimension& dimension : array->dimensions) {
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    const std::string key = name == nullptr ? "" : name_key(name->text);
    const auto renamed = renames_.find(key);
    names.push_back(renamed == renames_.end() ? key : renamed->second);
  }
  if (!array->bracketed && array->name) {
    const std::string key = name_key(array->name->text);
    const auto written = std::find_if(arrays_.rbegin(), arrays_.rend(),
                                      [&](const OpenArray& known) { return known.name == key; });
    if (written == arrays_.rend()) return {};
    for (const OpenArray::Part& part : written->parts) names.push_back(part.dimension);
  }
  for (const ast::Index& index : array->indices) {
    const auto at = index.dimension
                        ? std::find(names.begin(), names.end(), name_key(index.dimension->text))
                        : names.begin();
    if (at != names.end()) names.erase(at);
  }
  return names;
}

std::map<std::string, std::string> OpenBlock::renames_of(const ast::Call& call,
                                                         const ast::Function& function) const {
  std::map<std::string, std::string> renames;
  for (std::size_t i = 0; i < std::min(call.arguments.size(), function.parameters.size()); ++i) {
    const auto& dimensions = function.parameters[i].dimensions;
    const std::vector<std::string> given = dimensions_of(*call.arguments[i]);
    if (given.size() != dimensions.size()) continue;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const auto* name = std::get_if<ast::Identifier>(&dimensions[d].name);
      if (name != nullptr && !given[d].empty()) renames.emplace(name_key(name->text), given[d]);
    }
  }
  return renames;
}

void OpenBlock::read_function(const ast::Call& call) {
  const std::string key = name_key(call.function.text);
  const auto* known = scope_.names.functions.find(key) == scope_.names.functions.end()
                          ? nullptr
                          : &scope_.names.functions.find(key)->second;
  if (known == nullptr || functions_.contains(key)) return;
  const auto copy = std::make_shared<ast::Function>(**known);
  functions_[key] = copy;
  const std::size_t before = places_.size();
  const std::size_t first_array = arrays_.size();
  const auto outer = std::exchange(renames_, renames_of(call, *copy));
  for (ast::ArrayRef& parameter : copy->parameters) {
    OpenArray open{.name = name_key(parameter.name->text),
                   .written = parameter,
                   .parts = {},
                   .other_axes = {}};
    if (parameter.bracketed) read_dimensions(parameter.dimensions, open, key + "(" + open.name);
  }
  read(copy->body, key + "(");
  renames_ = outer;
  for (std::size_t i = first_array; i < arrays_.size(); ++i) arrays_[i].in_function = true;
  if (places_.size() == before) functions_.erase(key);
}

std::optional<std::int64_t> OpenBlock::length_of(const ast::Dimension& dimension) const {
  if (const auto* number = std::get_if<ast::Number>(&dimension.name)) return whole(number->value);
  const auto* name = std::get_if<ast::Identifier>(&dimension.name);
  if (name == nullptr) return std::nullopt;
  const auto given = lengths_.find(name_key(name->text));
  if (given != lengths_.end()) return given->second;
  const auto* binding = scope_.find_binding(name->text);
  const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
  const auto number = quantity == nullptr ? std::nullopt : quantity->value.constant();
  return number ? whole(*number) : std::nullopt;
}

std::optional<std::size_t> OpenBlock::statement_at(const Span& span) const {
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    const Span& own = statements_[i].span;
    if (own.file.value == span.file.value && own.begin <= span.begin && span.end <= own.end)
      return i;
  }
  return std::nullopt;
}

void OpenBlock::know_axes(const AxisRow& row) {
  for (const std::string& axis : row) axis_bits_.emplace(axis, axis_bits_.size());
}

OpenBlock::Split OpenBlock::split_by(const AxisRow& row) const {
  constexpr std::size_t kBits = 64;
  Split split;
  for (const std::string& axis : row) {
    const auto bit = axis_bits_.find(axis);
    const std::uint64_t mask =
        bit != axis_bits_.end() && bit->second < kBits ? std::uint64_t{1} << bit->second : 0;
    split.is_twice = split.is_twice || (split.axes & mask) != 0;
    split.axes |= mask;
    const auto size = axis_sizes_.find(axis);
    if (size != axis_sizes_.end() && size->second) split.pieces *= *size->second;
  }
  return split;
}

bool OpenBlock::allows(const OpenArray& array, const HoleRows& rows) const {
  std::uint64_t used = array.other_axes.empty() ? 0 : split_by(array.other_axes).axes;
  for (const OpenArray::Part& part : array.parts) {
    const Split split = part.hole           ? splits_[rows[*part.hole]]
                        : part.axes.empty() ? Split()
                                            : split_by(part.axes);
    if (split.is_twice || (used & split.axes) != 0) return false;
    used |= split.axes;
    if (part.length && split.pieces > 0 && *part.length % split.pieces != 0) return false;
  }
  return true;
}

double OpenBlock::pieces(const OpenArray& array, const HoleRows& rows) const {
  double product = 1;
  for (const OpenArray::Part& part : array.parts) {
    for (const std::string& axis : part.hole ? rows_[rows[*part.hole]] : part.axes) {
      const auto size = axis_sizes_.find(axis);
      if (size != axis_sizes_.end() && size->second) product *= static_cast<double>(*size->second);
    }
  }
  return product;
}

bool OpenBlock::allows(const HoleRows& rows) const {
  return std::all_of(arrays_.begin(), arrays_.end(),
                     [&](const OpenArray& array) { return allows(array, rows); });
}

std::string OpenBlock::text(const OpenArray& array, const HoleRows& rows) const {
  ast::ArrayRef filled = array.written;
  for (std::size_t i = 0; i < array.parts.size() && i < filled.dimensions.size(); ++i) {
    if (!array.parts[i].hole) continue;
    filled.dimensions[i].axes.clear();
    for (const std::string& axis : rows_[rows[*array.parts[i].hole]])
      filled.dimensions[i].axes.push_back({axis, {}});
  }
  return print(filled, Spelling::Unicode);
}

void OpenBlock::fill(const HoleRows& rows) {
  std::set<std::size_t> all;
  for (std::size_t hole = 0; hole < places_.size(); ++hole) all.insert(hole);
  fill(rows, all);
}

void OpenBlock::fill(const HoleRows& rows, const std::set<std::size_t>& some) {
  for (const std::size_t hole : some) {
    for (std::vector<ast::Identifier>* axes : places_[hole]) {
      const Span place = axes->empty() ? Span() : axes->front().at.span;
      axes->clear();
      for (const std::string& axis : rows_[rows[hole]]) axes->push_back({axis, {place}});
    }
  }
}

}  // namespace shard
