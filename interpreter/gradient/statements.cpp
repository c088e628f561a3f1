// The statements: what adds up to a gradient, and its name.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/gradient/derivation.h"
#include "interpreter/gradient/element_rules.h"

namespace shard::gradient {

std::string Derivation::name(DimensionId label) {
  forward_.note({label});
  if (scope_.store.dimensions[label].literal && !named_.contains(label)) unnamed_.insert(label);
  return forward_.name(label);
}

std::string Derivation::bracket_name(DimensionId label) {
  forward_.note({label});
  return forward_.bracket_name(label);
}

// "J", "{J,K}"
std::string Derivation::subscript(const std::vector<DimensionId>& labels) {
  std::vector<std::string> names;
  for (const DimensionId label : labels) names.push_back(name(label));
  return names.size() == 1 ? names.front() : "{" + join(names, ",") + "}";
}

Piece Derivation::read(const Made& made, const std::vector<DimensionId>& labels) {
  return {.text = made.layout ? made.name + forward_.brackets(labels, *made.layout) : made.name,
          .labels = {labels.begin(), labels.end()},
          .dtypes = {made.dtype}};
}

Piece Derivation::spread(Piece piece, const std::vector<DimensionId>& labels) {
  for (const DimensionId label : labels) {
    if (piece.labels.contains(label)) continue;
    piece.text += " + 0 ⊙ iota_" + name(label);
    piece.labels.insert(label);
  }
  return piece;
}

Piece Derivation::summed(Piece piece, const std::vector<DimensionId>& all,
                         const std::vector<DimensionId>& kept) {
  std::vector<DimensionId> summed;
  std::string factor;
  for (const DimensionId label : all) {
    if (contains(kept, label)) continue;
    if (piece.labels.contains(label))
      summed.push_back(label);
    else
      factor += " ⊙ " + length_text(label);
    piece.labels.erase(label);
  }
  if (!summed.empty()) piece.text = fmt::format("sum_{}({})", subscript(summed), piece.text);
  if (!factor.empty()) piece.text = operand_text(piece.text) + factor;
  return piece;
}

bool Derivation::has_type(const std::string& name) const {
  const auto declared = scope_.names.find_declared(name);
  const auto known = scope_.names.find_array(name);
  return declared_.contains(name_key(name)) ||
         (declared && scope_.store.arrays[*declared].declared &&
          !(known && contains(over_, *known)));
}

// The types that meet in the value decide its type, unless the statement says another one.
void Derivation::write(const Made& made, const Piece& value) {
  if (kernel_.valid()) made_inside_.insert(made.name);
  const std::string target =
      made.layout ? made.name + forward_.brackets(made.labels, *made.layout) : made.name;
  bool same = true;
  for (const DType dtype : value.dtypes) same = same && (dtype == made.dtype || is_integer(dtype));
  if ((same && !value.dtypes.empty()) || !made.layout || has_type(made.name))
    return say(fmt::format("{} = {}", target, value.text));
  say(fmt::format("{}: {}{} = {}", made.name, name_of(made.dtype), target.substr(made.name.size()),
                  value.text));
  declared_.insert(name_key(made.name));
}

void Derivation::write_zeros(const Made& made) {
  const Layout layout = made.layout.value_or(replicated(made.labels.size()));
  const std::string brackets = forward_.brackets(made.labels, layout);
  if (has_type(made.name)) return say(fmt::format("{}{} = zeros", made.name, brackets));
  say(fmt::format("{}: {}{} = zeros", made.name, name_of(made.dtype), brackets));
  declared_.insert(name_key(made.name));
}

// The dimensions of the array in the place of others that are called alike.
void Derivation::relabel(Contribution& contribution, const std::vector<DimensionId>& labels) const {
  for (DimensionId& label : contribution.labels) {
    const DimensionId old = label;
    const auto own = std::find_if(labels.begin(), labels.end(),
                                  [&](DimensionId one) { return are_called_alike({one}, {old}); });
    if (own == labels.end() || contains(labels, old)) continue;
    label = *own;
    if (contribution.piece.labels.erase(old) > 0) contribution.piece.labels.insert(label);
    if (contribution.place && contribution.place->along == old) contribution.place->along = label;
    for (Overwritten& one : contribution.zeroed) {
      if (one.place.along == old) one.place.along = label;
    }
  }
}

// What the operation calls otherwise, under the names that the array has.
Contribution Derivation::renamed(Contribution contribution, const Made& made) {
  relabel(contribution, made.labels);
  const bool same = std::is_permutation(contribution.labels.begin(), contribution.labels.end(),
                                        made.labels.begin(), made.labels.end());
  if (same) return contribution;
  Made other = made;
  other.name = forward_.free_name(made.name);
  other.labels = contribution.labels;
  emit(other, {std::move(contribution)});
  return {.piece = read(other, made.labels), .labels = made.labels};
}

Piece Derivation::emit(const Made& made, std::vector<Contribution> contributions) {
  std::vector<Piece> terms;
  for (Contribution& one : contributions) {
    Contribution own = renamed(std::move(one), made);
    if (own.place) {
      put(made, own);
      continue;
    }
    const bool is_all = contributions.size() == 1 && !put_.contains(made.name);
    if (are_few_places(own, is_all)) {
      own.piece = without_places(own);
    } else if (!own.zeroed.empty()) {
      Made part = made;
      if (!is_all) part.name = forward_.free_name(made.name);
      write_overwritten(part, own);
      if (is_all) break;
      own.piece = read(part, made.labels);
    }
    if (own.alone && (contributions.size() > 1 || put_.contains(made.name))) {
      Made part = made;
      part.name = forward_.free_name(made.name);
      own.alone = false;
      write(part, own.piece);
      own.piece = read(part, made.labels);
    }
    terms.push_back(std::move(own.piece));
  }
  if (!terms.empty()) {
    if (put_.contains(made.name)) terms.push_back(read(made, made.labels));
    write(made, spread(added(terms), made.labels));
  }
  Piece result = read(made, made.labels);
  references_.insert(result.text);
  return result;
}

bool Derivation::are_few_places(const Contribution& contribution, bool is_all) {
  constexpr std::size_t kMostChosen = 4;
  const std::vector<Overwritten>& places = contribution.zeroed;
  return !places.empty() && places.size() <= (is_all ? 1 : kMostChosen) &&
         std::all_of(places.begin(), places.end(),
                     [](const Overwritten& one) { return one.indices.empty(); });
}

// They are left out while the rest is copied.
Piece Derivation::without_places(const Contribution& contribution) {
  Piece kept = contribution.piece;
  for (const Overwritten& one : contribution.zeroed) {
    const Place& place = one.place;
    const std::string along = name(place.along);
    const auto constant = place.begin.constant();
    const bool from_end = constant && *constant < Rational(0);
    const std::string begin =
        (from_end ? length_text(place.along) + " - " : "") +
        number_text(from_end ? Formula(Rational(0) - *constant) : place.begin);
    const std::string g = kept.text;
    if (!place.part) {
      kept.text = fmt::format("where(iota_{} == {}, 0, {})", along, begin, g);
      continue;
    }
    const auto& length = scope_.store.dimensions[*place.part].literal;
    const bool is_first = place.begin.is_zero();
    const std::string end = length ? number_text(place.begin + Formula(*length))
                                   : (is_first ? "" : begin + " + ") + length_text(*place.part);
    kept.text = fmt::format("where(iota_{} < {}, 0, {})", along, end, g);
    if (!is_first)
      kept.text = fmt::format("where(iota_{} < {}, {}, {})", along, begin, g, kept.text);
  }
  return kept;
}

void Derivation::write_overwritten(const Made& made, const Contribution& contribution) {
  const Piece& g = contribution.piece;
  const std::string target = read(made, made.labels).text;
  if (g.text != target) write(made, g);
  for (const Overwritten& one : contribution.zeroed) {
    const std::string where = one.indices.empty() ? place_text(made, target, one.place)
                                                  : fmt::format("{}[{}]", target, one.indices);
    say(where + " = 0");
  }
}

bool Derivation::is_awaited(const std::string& name) const {
  const auto reads = [&](const Contribution& one) {
    return mentions(one.piece.text, {name}) ||
           std::any_of(one.zeroed.begin(), one.zeroed.end(),
                       [&](const Overwritten& place) { return mentions(place.indices, {name}); });
  };
  const auto any = [&](const std::vector<Contribution>& all) {
    return std::any_of(all.begin(), all.end(), reads);
  };
  return std::any_of(contributions_.begin(), contributions_.end(),
                     [&](const auto& one) { return any(one.second); }) ||
         std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const auto& one) { return reads(one.second); }) ||
         std::any_of(moved_.begin(), moved_.end(), [&](const auto& copies) {
           return std::any_of(copies.second.begin(), copies.second.end(),
                              [&](const auto& one) { return any(one.second); });
         });
}

// Not the gradient of an array with a name, which the script may read.
bool Derivation::takes_over(ArrayId array, const std::vector<Contribution>& contributions) {
  if (contributions.size() != 1 || made_.contains(array) || forward_.is_named(array)) return false;
  const Contribution& only = contributions.front();
  const auto after = made_.find(only.after);
  if (only.zeroed.empty() || are_few_places(only, true)) return false;
  if (after == made_.end() || contains(lasting_, after->second.name)) return false;
  const ArrayInfo& info = scope_.store.arrays[array];
  return are_called_alike(labels_of(array), after->second.labels) &&
         info.dtype == after->second.dtype && forward_.layout_of(array) == after->second.layout &&
         !kernel_.valid() && !is_awaited(after->second.name);
}

bool Derivation::waits(ArrayId array, const std::vector<Contribution>& contributions) {
  const checked::Flow* flow = flow_of(array);
  if (flow == nullptr || contributions.size() != 1 || made_.contains(array) ||
      forward_.is_named(array) || forward_.kernel_of(array) != nullptr || kernel_.valid())
    return false;
  const auto* update = std::get_if<checked::Selection>(&flow->value.node);
  const Contribution& only = contributions.front();
  if (update == nullptr || update->kind != SelectionKind::Update || update->operands.size() != 2 ||
      only.labels != flow->value.labels || only.zeroed.empty())
    return false;
  const bool is_part = !contains_all(update->operands[0].labels, update->operands[1].labels);
  // Numbers below 0 count from the end, and are others than they look.
  const auto is_place = [](const Formula& number) {
    const auto constant = number.constant();
    return constant && !(*constant < Rational(0));
  };
  return !is_part && is_place(update->position) &&
         std::all_of(only.zeroed.begin(), only.zeroed.end(), [&](const Overwritten& one) {
           return one.indices.empty() && !one.place.part && is_place(one.place.begin) &&
                  one.place.along == update->along.front();
         });
}

// Zeros but where something was picked from. What was picked twice is added up.
void Derivation::put(const Made& made, const Contribution& contribution) {
  const Place& place = *contribution.place;
  const std::string target =
      made.name + (made.layout ? forward_.brackets(made.labels, *made.layout) : "");
  std::vector<Place>& there = put_[made.name];
  if (there.empty()) write_zeros(made);
  // Other numbers along the same dimension are other places; of parts and formulas nobody knows.
  const bool is_apart = std::all_of(there.begin(), there.end(), [&](const Place& other) {
    return !place.part && !other.part && place.along == other.along && place.begin.constant() &&
           other.begin.constant() && !(place.begin == other.begin);
  });
  there.push_back(place);
  const std::string where = place_text(made, target, place);
  say(fmt::format("{} = {}{}", where, is_apart ? "" : where + " + ", contribution.piece.text));
}

std::string Derivation::place_text(const Made& made, const std::string& target,
                                   const Place& place) {
  if (!place.part)
    return fmt::format("{}[{} = {}]", target, name(place.along), number_text(place.begin));
  std::vector<std::string> dimensions;
  for (std::size_t d = 0; d < made.labels.size(); ++d) {
    const Layout one{.dims = {made.layout ? made.layout->dims[d] : std::vector<AxisId>()}};
    std::string text = forward_.brackets({made.labels[d]}, one);
    text = text.substr(1, text.size() - 2);
    if (made.labels[d] == place.along) text = range_text(place.begin, *place.part);
    dimensions.push_back(std::move(text));
  }
  return fmt::format("{}[{}]", made.name, join(dimensions, ", "));
}

// What was computed for a gradient that turned out to need nothing of it.
void Derivation::leave_out_unread() {
  std::set<std::string> read(lasting_.begin(), lasting_.end());
  std::vector<DerivedStatement> kept;
  for (auto statement = statements_.rbegin(); statement != statements_.rend(); ++statement) {
    const std::set<std::string> names = names_in(statement->text);
    const std::string target = statement->text.substr(0, statement->text.find_first_of(" :["));
    if (!read.contains(target)) continue;
    read.insert(names.begin(), names.end());
    kept.push_back(std::move(*statement));
  }
  statements_.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

std::string text_of(const Derived& derived) {
  std::string text;
  ArrayId kernel;
  for (const DerivedStatement& statement : derived.statements) {
    if (statement.of_kernel != kernel) {
      if (kernel.valid()) text += "}\n";
      if (statement.of_kernel.valid()) text += "fused {\n";
      kernel = statement.of_kernel;
    }
    text += statement.text + "\n";
  }
  return text + (kernel.valid() ? "}\n" : "");
}

// The adjoint of an AllGather is a ReduceScatter: a gradient that is summed up where the array was whole would be cut again.
std::optional<Layout> Derivation::gathered_from(ArrayId array) {
  const checked::Flow* flow = array == request_.of ? nullptr : flow_of(array);
  if (flow == nullptr) return std::nullopt;
  const checked::Operation* value = &flow->value;
  if (const auto* collective = std::get_if<checked::Collective>(&value->node)) {
    if (collective->kind != CollectiveKind::AllGather) return std::nullopt;
    value = &*collective->operand;
  }
  const auto* use = std::get_if<checked::Use>(&value->node);
  if (use == nullptr || value->labels != flow->labels) return std::nullopt;
  const Layout layout = forward_.layout_of(array);
  const Layout from = gathered_from(use->array).value_or(forward_.layout_of(use->array));
  if (layout == from || layout.placed != from.placed || layout.dims.size() != from.dims.size())
    return std::nullopt;
  for (std::size_t i = 0; i < layout.dims.size(); ++i) {
    const auto& whole = layout.dims[i];
    const auto& part = from.dims[i];
    if (whole.size() > part.size() || !std::equal(whole.begin(), whole.end(), part.begin()))
      return std::nullopt;
  }
  return from;
}

}  // namespace shard::gradient
