// Elements by their place: what was picked goes back to where it was picked from.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "interpreter/gradient/derivation.h"
#include "interpreter/gradient/element_rules.h"

namespace shard::gradient {

std::string Derivation::length_text(DimensionId label) {
  const DimensionInfo& info = scope_.store.dimensions[label];
  if (info.literal) return std::to_string(*info.literal);
  return "|" + name(label) + "|";
}

std::string Derivation::end_text(DimensionId label) {
  const DimensionInfo& info = scope_.store.dimensions[label];
  return info.literal ? std::to_string(*info.literal) : name(label);
}

std::string Derivation::range_text(const Formula& begin, DimensionId part) {
  const DimensionInfo& info = scope_.store.dimensions[part];
  const std::string text = number_text(begin);
  if (info.literal) return fmt::format("{}:{}", text, number_text(begin + Formula(*info.literal)));
  return text + ":" + (begin.is_zero() ? "" : text + " + ") + end_text(part);
}

// Its operands have names.
std::string Derivation::written_selection(const At& at, const checked::Selection& selection,
                                          const std::vector<Piece>& values) {
  const std::vector<DimensionId>& from = selection.operands.front().labels;
  const auto texts = [&](std::size_t first) {
    std::vector<std::string> all;
    for (std::size_t i = first; i < values.size(); ++i) all.push_back(values[i].text);
    return all;
  };
  if (selection.kind == SelectionKind::CumSum)
    return fmt::format("cumsum_{}({})", subscript(selection.along), values[0].text);
  if (selection.kind == SelectionKind::Reshape) return "Reshape(" + values[0].text + ")";
  if (selection.kind == SelectionKind::Scatter) {
    std::vector<std::string> arguments = texts(1);
    arguments.push_back(values[0].text);
    return fmt::format("scatter_{}({})", subscript(selection.along), join(arguments, ", "));
  }
  if (selection.kind == SelectionKind::Concat && values.size() > 1) {
    const auto joined = std::find_if(from.begin(), from.end(), [&](DimensionId label) {
      return !contains(at.operation.labels, label);
    });
    std::vector<DimensionId> along = selection.along;
    if (joined != from.end()) along.insert(along.begin(), *joined);
    return fmt::format("concat_{}({})", subscript(along), join(texts(0), ", "));
  }
  if (selection.kind == SelectionKind::Gather && values.size() > 1) {
    std::vector<std::string> indices = texts(1);
    for (std::size_t i = 0; i < indices.size(); ++i)
      indices[i] = name(selection.along[i]) + " = " + indices[i];
    return fmt::format("{}[{}]", values[0].text, join(indices, ", "));
  }
  if (selection.kind == SelectionKind::Gather && values[0].text.find('[') != std::string::npos) {
    const auto part = std::find_if(at.operation.labels.begin(), at.operation.labels.end(),
                                   [&](DimensionId label) { return !contains(from, label); });
    const DimensionId along = selection.along.front();
    if (part == at.operation.labels.end())
      return picked(name(along), number_text(selection.position), values[0]).text;
    return picked(bracket_name(along), range_text(selection.position, *part), values[0]).text;
  }
  fail(at.operation.span,
       "a value that the backward pass needs is inside of an expression, and cannot be computed "
       "anew",
       "give it a name on a line of its own");
  return "0";
}

void Derivation::apply_selection(const At& at, const checked::Selection& selection,
                                 const Piece& g) {
  switch (selection.kind) {
    case SelectionKind::Gather:
      return apply_gather(at, selection, g);
    case SelectionKind::Update:
      return apply_update(at, selection, g);
    case SelectionKind::Scatter:
      return apply_scatter(at, selection, g);
    case SelectionKind::Concat:
      return apply_concat(at, selection, g);
    case SelectionKind::Reshape:
      return give(at, 0,
                  {.piece = {.text = "Reshape(" + g.text + ")",
                             .labels = {selection.operands[0].labels.begin(),
                                        selection.operands[0].labels.end()},
                             .dtypes = g.dtypes},
                   .labels = {},
                   .alone = true});
    case SelectionKind::CumSum: {
      const std::string along = subscript(selection.along);
      Piece piece = g;
      piece.text =
          fmt::format("sum_{}({}) - cumsum_{}({}) + {}", along, g.text, along, g.text, g.text);
      return give(at, 0, {.piece = std::move(piece), .labels = {}});
    }
    case SelectionKind::Top:
      fail(at.operation.span, "`top` and `argmax` give indices, which have no gradient",
           "gradients go through what is picked by them: A[I, J][J = Pick]");
  }
}

void Derivation::apply_gather(const At& at, const checked::Selection& selection, const Piece& g) {
  const std::vector<DimensionId>& from = selection.operands[0].labels;
  for (const checked::Operation& index : selection.operands) {
    for (const DimensionId label : index.labels) {
      if (scope_.store.dimensions[label].coordinate)
        return static_cast<void>(fail(at.operation.span, "an index by `coord` has no gradient here",
                                      "Shift_X moves blocks along an axis, and has one"));
    }
  }
  if (selection.operands.size() == 1) {
    Place place{.along = selection.along.front(), .begin = selection.position, .part = {}};
    for (const DimensionId label : at.operation.labels) {
      if (!contains(from, label)) place.part = label;
    }
    return give(at, 0, {.piece = g, .labels = {}, .place = place});
  }
  // What has a dimension of the indices and keeps it is told by the target's brackets alone.
  Piece piece = g;
  bool alone = false;
  std::vector<std::string> arguments;
  for (std::size_t i = 1; i < selection.operands.size(); ++i) {
    arguments.push_back(value_of(at, i).text);
    for (const DimensionId label : selection.operands[i].labels)
      alone = alone || contains(from, label);
  }
  arguments.push_back(g.text);
  piece.text = fmt::format("scatter_{}({})", subscript(selection.along), join(arguments, ", "));
  for (const DimensionId label : at.operation.labels) {
    if (!contains(from, label)) piece.labels.erase(label);
  }
  piece.labels.insert(selection.along.begin(), selection.along.end());
  give(at, 0, {.piece = std::move(piece), .labels = {}, .alone = alone});
}

// What was added up at a place is picked from there.
void Derivation::apply_scatter(const At& at, const checked::Selection& selection, const Piece& g) {
  Piece piece = g;
  std::vector<std::string> indices;
  for (std::size_t i = 0; i < selection.along.size(); ++i)
    indices.push_back(fmt::format("{} = {}", name(selection.along[i]), value_of(at, i + 1).text));
  piece.text = fmt::format("{}[{}]", g.text, join(indices, ", "));
  const std::vector<DimensionId>& own = selection.operands.front().labels;
  piece.labels = {own.begin(), own.end()};
  give(at, 0, {.piece = std::move(piece), .labels = {}});
}

// `g` is an array with brackets here, as what it belongs to is one.
Piece Derivation::picked(const std::string& dimension, const std::string& inside, const Piece& g) {
  Piece piece = g;
  if (inside.find(':') == std::string::npos) {
    piece.text = fmt::format("{}[{} = {}]", g.text, dimension, inside);
    return piece;
  }
  const std::size_t open = piece.text.find('[');
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (std::size_t i = open + 1; i < piece.text.size() && depth >= 0; ++i) {
    const char c = piece.text[i];
    depth += c == '{' ? 1 : (c == '}' || c == ']') ? -1 : 0;
    if ((c == ',' && depth == 0) || depth < 0) {
      parts.push_back(std::move(part));
      part.clear();
      if (c == ',') ++i;
    } else {
      part += c;
    }
  }
  for (std::string& own : parts) {
    if (own == dimension || own.starts_with(dimension + "_")) own = inside;
  }
  piece.text = piece.text.substr(0, open) + "[" + join(parts, ", ") + "]";
  return piece;
}

void Derivation::apply_update(const At& at, const checked::Selection& selection, const Piece& g) {
  const std::vector<DimensionId>& whole = selection.operands[0].labels;
  const std::vector<DimensionId>& put = selection.operands[1].labels;
  const std::string along = name(selection.along.front());
  std::vector<Overwritten> zeroed = std::exchange(zeroed_, {});
  Overwritten own{
      .place = {.along = selection.along.front(), .begin = selection.position, .part = {}},
      .indices = {}};
  // Numbers below 0 count from the end.
  const auto length = scope_.size_of(selection.along.front()).constant();
  const auto begin = selection.position.constant();
  if (length && begin && *begin < Rational(0)) own.place.begin = Formula(*begin + *length);
  const bool is_over = std::any_of(zeroed.begin(), zeroed.end(), [&](const Overwritten& one) {
    return one.place.begin == own.place.begin;
  });
  Piece value = g;
  if (selection.operands.size() > 2) {
    for (std::size_t i = 0; i + 2 < selection.operands.size(); ++i)
      own.indices += fmt::format("{}{} = {}", own.indices.empty() ? "" : ", ",
                                 name(selection.along[i]), value_of(at, i + 2).text);
    value.text = fmt::format("{}[{}]", g.text, own.indices);
    value.labels = {put.begin(), put.end()};
    give(at, 1, {.piece = std::move(value), .labels = {}});
  } else if (const auto part =
                 std::find_if(put.begin(), put.end(),
                              [&](DimensionId label) { return !contains(whole, label); });
             part != put.end()) {
    own.place.part = *part;
    value = picked(along, range_text(selection.position, *part), g);
    value.labels = {put.begin(), put.end()};
    give(at, 1, {.piece = std::move(value), .labels = {}, .alone = true});
  } else {
    // Nothing is left of what another one has overwritten, but it has a gradient.
    value = picked(along, number_text(selection.position), g);
    if (is_over) value.text = "0 ⊙ " + value.text;
    give(at, 1, {.piece = std::move(value), .labels = {}});
  }
  if (!is_over) zeroed.push_back(std::move(own));
  give(at, 0, {.piece = g, .labels = {}, .zeroed = std::move(zeroed), .after = at.of});
}

void Derivation::apply_concat(const At& at, const checked::Selection& selection, const Piece& g) {
  const std::string along = bracket_name(selection.along.front());
  // Where the next one begins: behind lengths with names, and a number.
  std::vector<std::string> names;
  Formula number(std::int64_t{0});
  const auto place = [&] {
    if (names.empty()) return number_text(number);
    return join(names, " + ") + (number.is_zero() ? "" : " + " + number_text(number));
  };
  for (std::size_t i = 0; i < selection.operands.size(); ++i) {
    const std::vector<DimensionId>& own = selection.operands[i].labels;
    const auto part = std::find_if(own.begin(), own.end(), [&](DimensionId label) {
      return !contains(at.operation.labels, label);
    });
    if (part == own.end()) continue;
    const std::string begin = place();
    const DimensionInfo& info = scope_.store.dimensions[*part];
    if (info.literal)
      number = number + Formula(*info.literal);
    else
      names.push_back(end_text(*part));
    Piece piece = picked(along, begin + ":" + place(), g);
    piece.labels = {own.begin(), own.end()};
    give(at, i, {.piece = std::move(piece), .labels = {}, .alone = true});
  }
}

}  // namespace shard::gradient
