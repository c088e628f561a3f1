#include "interpreter/check/brackets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "base/format.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/operation.h"

namespace shard {

namespace {

// A number that is bound to a dimension's name is its length. One that cannot be is reported once.
void check_bound_length(const ast::Identifier& name, CheckContext& context) {
  const BindingInfo* binding = context.scope.find_binding(name.text);
  const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
  if (quantity == nullptr || is_length(*quantity)) return;
  report(context, DiagnosticKind::BadArgument, name.at.span,
         fmt::format("`{}` is {}, which is no length of a dimension: {}", name.text,
                     to_text(*quantity), kLengthRule),
         {}, {{binding->span, "it gets its value here"}});
  context.scope.told.unknown.insert(name_key(name.text));
  context.scope.names.bindings.erase(name_key(name.text));
}

// `A: bf16[L: 4]`: a dimension with its length. The name, and the length as written.
std::optional<std::pair<std::string, std::string>> named_length(const ast::Slice& slice) {
  if (!slice.begin || !slice.end || !std::holds_alternative<ast::Number>((*slice.end)->node))
    return std::nullopt;
  const auto* name = std::get_if<ast::ArrayRef>(&(*slice.begin)->node);
  if (name == nullptr || name->bracketed || !name->name) return std::nullopt;
  return std::pair(name->name->text, print(**slice.end, Spelling::Unicode));
}

std::optional<DimensionId> not_read(const ast::Dimension& dimension, CheckContext& context) {
  if (const auto named = named_length(std::get<ast::Slice>(dimension.name))) {
    report(context, DiagnosticKind::NotNotation, dimension.at.span,
           "the length of a dimension is given by a statement of its own, and not in brackets",
           {fmt::format("{} = {}", named->first, named->second)});
    return std::nullopt;
  }
  report(context, DiagnosticKind::NotYet, dimension.at.span,
         "a part of a dimension stands where an array is read, and nowhere else",
         {"parts become a whole by concat: C[I, J] = concat_J(A[I, K], B[I, L])"});
  return std::nullopt;
}

// `[128 * 1024, D/4]`
std::optional<DimensionId> check_reckoned_length(const ast::Expr& expr, Span span,
                                                 CheckContext& context) {
  const auto refuse = [&](const ast::BlockExpr&) {
    report(context, DiagnosticKind::BadArgument, span, "a cost block is no length");
  };
  const auto length = context.scalars.quantity(expr, refuse, context);
  if (!length) return std::nullopt;
  const std::string text = print(expr, Spelling::Unicode);
  const auto number = length->value.constant();
  if (!number) {
    report(context, DiagnosticKind::BadArgument, span,
           fmt::format("the length `{}` has no value yet: {}", text, to_text(*length)),
           {"give the names in it sizes: B = 1024"});
    return std::nullopt;
  }
  if (!is_length(*length)) {
    report(context, DiagnosticKind::BadArgument, span,
           fmt::format("`{}` is {}, which is no length of a dimension: {}", text, to_text(*length),
                       kLengthRule));
    return std::nullopt;
  }
  return context.scope.intern_length(*number->to_int64());
}

std::optional<DimensionId> check_dimension(const ast::Dimension& dimension, CheckContext& context) {
  return match(
      dimension.name,
      [&](const ast::Identifier& name) -> std::optional<DimensionId> {
        if (!check_name_length(name, context)) return std::nullopt;
        check_bound_length(name, context);
        return context.scope.intern_dimension(name.text);
      },
      [&](const ast::Number& number) -> std::optional<DimensionId> {
        if (!is_length({Formula(number.value), number.unit})) {
          report(context, DiagnosticKind::BadArgument, number.at.span,
                 fmt::format("`{}` is no length of a dimension: {}", number.text, kLengthRule));
          return std::nullopt;
        }
        return context.scope.intern_length(*number.value.to_int64());
      },
      [&](const Box<ast::Expr>& length) {
        return check_reckoned_length(*length, dimension.at.span, context);
      },
      [&](const ast::Slice&) { return not_read(dimension, context); },
      [](const ast::Rest&) { return std::optional<DimensionId>(); });
}

bool is_rest(const ast::Dimension& dimension) {
  return std::holds_alternative<ast::Rest>(dimension.name);
}

// The dimensions that `…` stands for: those of the array that is known by this name which are not written before and
// after it. They are not split.
bool expand_rest(const ast::ArrayRef& array, const ast::Dimension& rest,
                 std::vector<DimensionId>& labels, CheckContext& context) {
  const Scope& scope = context.scope;
  const auto known = array.name ? scope.names.find_array(array.name->text) : std::nullopt;
  if (!known) {
    if (array.name && scope.told.is_unknown(array.name->text)) return false;
    report(context, DiagnosticKind::UnknownDimension, rest.at.span,
           fmt::format("nothing tells which dimensions `…` stands for{}",
                       array.name ? ": `" + array.name->text + "` is not declared" : ""),
           {"write them all out, or declare the array before: A: bf16[I, J, K]"});
    return false;
  }
  const std::vector<DimensionId>& all = scope.store.arrays[*known].dimensions;
  const std::size_t written = array.dimensions.size() - 1;
  if (std::count_if(array.dimensions.begin(), array.dimensions.end(), is_rest) > 1) {
    report(context, DiagnosticKind::DimensionReused, array.at.span,
           "`…` stands twice in these brackets, so nothing tells where the others stand");
    return false;
  }
  if (written > all.size()) {
    report(context, DiagnosticKind::RankMismatch, array.at.span,
           fmt::format("`{}` has {} dimensions, and these brackets name {} besides `…`",
                       scope.store.arrays[*known].name, all.size(), written));
    return false;
  }
  const std::size_t begin = labels.size();
  for (std::size_t i = begin; i < begin + all.size() - written; ++i) labels.push_back(all[i]);
  return true;
}

// With the value of a place that is computed, as `Z=i + 1` is in a loop.
void report_place(const ast::Placement& place, AxisId id, std::optional<std::int64_t> value,
                  CheckContext& context) {
  const MeshAxis& axis = context.scope.mesh().axes[id];
  const auto length = axis.length();
  const std::string written = print(*place.coordinate, Spelling::Unicode);
  const bool computed = value && length && written != fmt::format("{}", *value);
  if (computed)
    return report(
        context, DiagnosticKind::BadIndex, place.coordinate->at.span,
        fmt::format("`{}` is {}, and `{}` has the places 0 to {}", written, *value, axis.name,
                    *length - 1),
        {*value < 0 ? fmt::format("an `if 0 <= {} {{ … }}` around the line leaves it out", written)
                    : fmt::format("an `if {} < {} {{ … }}` around the line leaves it out", written,
                                  *length)});
  report(context, DiagnosticKind::BadIndex, place.coordinate->at.span,
         fmt::format("`{}` is no place on axis `{}`", written, axis.name),
         {length ? fmt::format("its devices are numbered from 0 to {}", *length - 1)
                 : "its devices are numbered from 0 on"});
}

// `{Z=0}`: an axis, used nowhere else, and a coordinate that it has.
bool check_places(const ast::ArrayRef& array, std::vector<AxisId>& seen, Layout& layout,
                  CheckContext& context) {
  for (const ast::Placement& place : array.placed) {
    std::vector<AxisId> axes;
    if (!check_axis(place.axis, context)) return false;
    if (!check_axes({place.axis}, array, seen, axes, context)) return false;
    const auto coordinate = plain_number(*place.coordinate, context);
    if (!coordinate) return false;
    const auto number = coordinate->constant();
    const auto whole = number ? number->to_int64() : std::nullopt;
    const auto length = context.scope.mesh().axes[axes.front()].length();
    if (whole && *whole >= 0 && (!length || *whole < *length)) {
      layout.placed.edit().push_back({axes.front(), *whole});
      continue;
    }
    report_place(place, axes.front(), whole, context);
    return false;
  }
  layout.placed.sort();
  return true;
}

}  // namespace

void report(CheckContext& context, DiagnosticKind kind, Span span, std::string message,
            std::vector<std::string> help, std::vector<Note> notes, std::vector<Edit> edits) {
  context.sink.report({.kind = kind,
                       .span = span,
                       .message = std::move(message),
                       .notes = std::move(notes),
                       .help = std::move(help),
                       .edits = std::move(edits)});
}

Span span_of_dimension(const ast::ArrayRef& array, std::size_t index) {
  const auto& written = array.dimensions;
  const bool abbreviated = std::any_of(written.begin(), written.end(), is_rest);
  return abbreviated || index >= written.size() ? array.at.span : written[index].at.span;
}

// ", such as 96 or 104" of 100 in 8 parts.
std::string nearest_multiples(const Rational& length, const Amount& ways) {
  const auto whole = length.to_int64();
  const auto parts = ways.constant() ? ways.constant()->to_int64() : std::nullopt;
  if (!whole || !parts) return "";
  const std::int64_t below = *whole / *parts * *parts;
  return below == 0 ? fmt::format(", such as {}", Amount(*parts).to_string())
                    : fmt::format(", such as {} or {}", Amount(below).to_string(),
                                  (Amount(below) + Amount(*parts)).to_string());
}

// "or pad it with zeros to 512, 0.3922 % more …", and how; of a length without a name, by how much alone.
// What is not there yet is not what would be padded.
std::string padded_help(const DimensionInfo& dimension, const std::optional<ast::Identifier>& array,
                        const Rational& length, const Rational& ways, const Scope& scope) {
  const Rational padded = ceil(length / ways) * ways;
  const double more = ((padded - length) / length * Rational(100)).to_double();
  std::string text = fmt::format("or pad it with zeros to {}, {} % more to hold and compute",
                                 Amount(padded).to_string(), format_number(more));
  if (dimension.literal) return text;
  if (scope.names.find_dimension(Amount(padded).to_string()))  // as what was padded already has
    return fmt::format("or write {} where the padded array is meant, whose dimension goes by that",
                       Amount(padded).to_string());
  return fmt::format(
      "{0}, as `pad {1} of {2} to {3}` does; it then goes by {3}", text, dimension.name,
      array && scope.names.find_array(array->text) ? array->text : "A", Amount(padded).to_string());
}

bool check_divisible(const std::vector<DimensionId>& labels, const Layout& layout,
                     const std::optional<ast::Identifier>& array,
                     const std::function<Span(std::size_t)>& place, CheckContext& context) {
  Scope& scope = context.scope;
  std::optional<std::size_t> bad;
  for (std::size_t d = 0; d < labels.size() && !bad; ++d) {
    const auto length = layout.dims[d].empty() ? std::nullopt : scope.length_of(labels[d]);
    if (length && !divides(*length, layout.dims[d], scope.mesh())) bad = d;
  }
  if (!bad) return true;
  const std::string length = scope.size_of(labels[*bad]).to_string();
  const Amount parts = size_of(layout.dims[*bad], scope.mesh());
  const std::string ways = parts.to_string();
  if (!scope.told.indivisible.insert({labels[*bad], ways}).second) return false;
  report(context, DiagnosticKind::NotDivisible, place(*bad),
         fmt::format("dimension `{}` is {} long and does not divide into {} parts",
                     scope.store.dimensions[labels[*bad]].name, length, ways),
         {fmt::format("make its length a multiple of {}{}, or split it over fewer axes", ways,
                      nearest_multiples(*scope.length_of(labels[*bad]), parts)),
          padded_help(scope.store.dimensions[labels[*bad]], array, *scope.length_of(labels[*bad]),
                      *parts.constant(), scope)});
  return false;
}

bool check_name_length(const ast::Identifier& name, CheckContext& context) {
  if (name.text.size() <= kMaxNameLength) return true;
  report(
      context, DiagnosticKind::TooLarge, name.at.span,
      fmt::format("this name has {} letters; {} are the most", name.text.size(), kMaxNameLength));
  return false;
}

bool check_element_count(const std::vector<DimensionId>& labels, Span span, CheckContext& context) {
  double elements = 1;
  for (const DimensionId label : labels) {
    if (const auto length = context.scope.length_of(label)) elements *= length->to_double();
  }
  if (elements <= static_cast<double>(kMaxLength)) return true;
  std::vector<DimensionId> key = labels;
  std::sort(key.begin(), key.end());
  if (!context.scope.told.oversized.insert(std::move(key)).second) return false;
  report(context, DiagnosticKind::TooLarge, span,
         fmt::format("an array of {} elements; 2^53 are the most", format_number(elements)));
  return false;
}

std::optional<std::string> nearest_array(const std::string& name, const CheckContext& context) {
  if (!context.sink.shows_more_errors()) return std::nullopt;
  std::vector<std::string> known;
  for (const auto& [key, array] : context.scope.names.array_names)
    known.push_back(context.scope.store.arrays[array].name);
  return nearest_name(name, known);
}

Combination combination_of(ast::Parts parts) {
  if (parts == ast::Parts::Sums) return Combination::Sum;
  return parts == ast::Parts::Maxima ? Combination::Max : Combination::Min;
}

namespace {

// What is read of the brackets of one array, dimension by dimension.
class BracketsChecker {
 public:
  BracketsChecker(const ast::ArrayRef& array, CheckContext& context)
      : array_(array), context_(context) {}

  std::optional<Brackets> check() {
    // `h[:, 0, :]` is an index of another language: its numbers are no lengths.
    const auto slice = std::find_if(array_.dimensions.begin(), array_.dimensions.end(),
                                    [](const ast::Dimension& dimension) {
                                      return std::holds_alternative<ast::Slice>(dimension.name);
                                    });
    if (slice != array_.dimensions.end()) {
      add(*slice);
      return std::nullopt;
    }
    dims_.reserve(array_.dimensions.size());
    brackets_.labels.reserve(array_.dimensions.size());
    for (const ast::Dimension& dimension : array_.dimensions) add(dimension);
    brackets_.layout.dims = std::move(dims_);
    if (!array_.unreduced.empty()) add_axes(array_.unreduced, brackets_.layout.unreduced.edit());
    fine_ = check_places(array_, axes_seen_, brackets_.layout, context_) && fine_;
    brackets_.layout.unreduced.sort();
    brackets_.layout.combination = combination_of(array_.parts);
    const auto place = [&](std::size_t i) { return span_of_dimension(array_, i); };
    if (!fine_ ||
        !check_divisible(brackets_.labels, brackets_.layout, array_.name, place, context_) ||
        !check_element_count(brackets_.labels, array_.at.span, context_)) {
      return std::nullopt;
    }
    return std::move(brackets_);
  }

 private:
  void add(const ast::Dimension& dimension) {
    if (is_rest(dimension)) {
      fine_ = expand_rest(array_, dimension, brackets_.labels, context_) && fine_;
      dims_.resize(brackets_.labels.size());
      return;
    }
    if (repeats_mistake(dimension)) return;
    auto label = check_dimension(dimension, context_);
    fine_ = label.has_value() && fine_;
    // Equal lengths are dimensions of their own, told apart by their places.
    if (label && contains(brackets_.labels, *label)) {
      if (const auto literal = context_.scope.store.dimensions[*label].literal)
        label = context_.scope.intern_length_beside(brackets_.labels, *literal);
    }
    const bool reused = label && contains(brackets_.labels, *label);
    brackets_.labels.push_back(label.value_or(DimensionId{}));
    dims_.emplace_back();
    if (!reused) return add_axes(dimension.axes, dims_.back());
    report(
        context_, DiagnosticKind::DimensionReused, dimension.at.span,
        fmt::format("dimension `{}` stands twice in `{}`",
                    context_.scope.store.dimensions[*label].name, print(array_, Spelling::Unicode)),
        {"give one of the two a name of its own: dimensions are told apart by their names"});
    fine_ = false;
  }

  // `A[0, 0, 0]`: that the first is no length says it of all.
  bool repeats_mistake(const ast::Dimension& dimension) {
    const auto* number = std::get_if<ast::Number>(&dimension.name);
    if (number == nullptr || is_length({Formula(number->value), number->unit})) return false;
    return std::exchange(has_wrong_number_, true);
  }

  void add_axes(const std::vector<ast::Identifier>& names, std::vector<AxisId>& axes) {
    fine_ = check_axes(names, array_, axes_seen_, axes, context_) && fine_;
  }

  const ast::ArrayRef& array_;
  CheckContext& context_;
  Brackets brackets_;
  std::vector<AxisId> axes_seen_;
  std::vector<std::vector<AxisId>> dims_;  // of the layout
  bool has_wrong_number_ = false;
  bool fine_ = true;
};

}  // namespace

std::optional<Brackets> check_brackets(const ast::ArrayRef& array, CheckContext& context) {
  if (array.dimensions.size() > kMaxRank) {
    report(context, DiagnosticKind::TooLarge, array.at.span,
           fmt::format("this array has {} dimensions; {} are the most", array.dimensions.size(),
                       kMaxRank));
    return std::nullopt;
  }
  if (!array.indices.empty()) {
    report(context, DiagnosticKind::BadIndex, array.at.span,
           "an index stands after an array that is read or changed, and nowhere else",
           {"`print bytes(A[I, J])`, `drop A`"});
    return std::nullopt;
  }
  std::string key = BracketsCache::key_of(array, context.scope);
  const Brackets* known = key.empty() ? nullptr : context.brackets->find(key, context.scope);
  if (known != nullptr) return *known;
  auto brackets = BracketsChecker(array, context).check();
  if (brackets && !key.empty()) context.brackets->add(std::move(key), *brackets, context.scope);
  return brackets;
}

}  // namespace shard
