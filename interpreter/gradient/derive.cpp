#include "interpreter/gradient/derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "interpreter/gradient/derivation.h"

namespace shard::gradient {

namespace {

void count_uses(const checked::Operation& operation, std::map<ArrayId, int>& uses) {
  if (const auto* use = std::get_if<checked::Use>(&operation.node)) ++uses[use->array];
  for (const checked::Operation* operand : checked::operands_of(operation))
    count_uses(*operand, uses);
}

}  // namespace

std::nullopt_t Derivation::fail(Span span, std::string message, std::string help) {
  if (!failed_) {
    sink_.report({.kind = DiagnosticKind::NoGradient,
                  .span = request_.span,
                  .message = std::move(message),
                  .notes = span.valid() ? std::vector<Note>{{span, "in this statement"}}
                                        : std::vector<Note>{},
                  .help = {std::move(help)}});
  }
  failed_ = true;
  return std::nullopt;
}

// Null where gradients end.
const checked::Flow* Derivation::flow_of(ArrayId array) {
  return request_.is_given && request_.is_given(array) ? nullptr : forward_.flow_of(array);
}

// What made the array, and what that was made of.
void Derivation::find_history() {
  std::vector<ArrayId> open = {request_.of};
  while (!open.empty()) {
    const ArrayId array = open.back();
    open.pop_back();
    if (!history_.insert(array).second) continue;
    forward_.add(array);
    const checked::Flow* flow = flow_of(array);
    if (flow == nullptr) continue;
    std::map<ArrayId, int> uses;
    count_uses(flow->value, uses);
    for (const auto& [read, count] : uses) {
      uses_[read] += count;
      open.push_back(read);
    }
  }
}

// No gradient is wanted of what no input leads to, as a table of positions, and none that nobody could read: of zeros, say, that a
// function has made for itself.
void Derivation::find_reaching() {
  std::set<ArrayId> able;
  // What was made later cannot have been used for what was made before.
  for (const ArrayId array : history_) {
    const checked::Flow* flow = flow_of(array);
    std::map<ArrayId, int> uses;
    if (flow != nullptr) count_uses(flow->value, uses);
    const auto lead = [&](const std::set<ArrayId>& there) {
      return std::any_of(uses.begin(), uses.end(),
                         [&](const auto& use) { return there.contains(use.first); });
    };
    if ((flow != nullptr && !lead(able)) || is_integer(scope_.store.arrays[array].dtype)) continue;
    able.insert(array);
    const bool is_own = flow == nullptr && !is_constant(array);
    if (is_own || forward_.is_named(array) || lead(reaching_)) reaching_.insert(array);
  }
  const bool leads_nowhere = std::all_of(reaching_.begin(), reaching_.end(),
                                         [&](ArrayId array) { return array == request_.of; });
  if (leads_nowhere) reaching_ = std::move(able);
}

bool Derivation::is_constant(ArrayId array) const {
  const auto& values = scope_.store.arrays[array].values;
  return values != nullptr && is_fill(values->kind);
}

bool Derivation::has_gradient(const checked::Operation& operation) const {
  if (is_integer(operation.dtype)) return false;
  if (const auto* use = std::get_if<checked::Use>(&operation.node))
    return reaching_.contains(use->array);
  const auto operands = checked::operands_of(operation);
  return std::any_of(operands.begin(), operands.end(),
                     [&](const auto* operand) { return has_gradient(*operand); });
}

// `dOut`, which the script has, or which is an input.
bool Derivation::find_seed() {
  const ArrayInfo& of = scope_.store.arrays[request_.of];
  const std::vector<DimensionId> labels = labels_of(request_.of);
  Made seed{.name = "d" + of.name,
            .labels = labels,
            .layout = forward_.layout_of(request_.of),
            .dtype = of.dtype};
  const auto known = scope_.names.find_array(seed.name);
  // What a function goes back from is its own, and so is the gradient of that.
  const bool of_outside = scope_.names.outside != nullptr && scope_.names.is_of_outside(seed.name);
  if (known && !of_outside && !history_.contains(*known)) {
    const ArrayInfo& given = scope_.store.arrays[*known];
    const std::vector<DimensionId> own(given.dimensions.begin(), given.dimensions.end());
    if (scope_.shape_of(own) != scope_.shape_of(labels)) {
      sink_.report(
          {.kind = DiagnosticKind::TargetMismatch,
           .span = request_.span,
           .message = fmt::format(
               "`{}` is there and has other dimensions than `{}`, whose gradient it is to be",
               given.name, of.name),
           .notes = {{given.span, "it was made here"}},
           .help = {fmt::format("give it another name, or the dimensions {}{}", seed.name,
                                forward_.brackets_of(labels, *seed.layout))}});
      return false;
    }
    seed.name = given.name;
    seed.dtype = given.dtype;
    // It is in the layout of what it is the gradient of, or is brought there.
    const LiveCopy* newest = scope_.held.newest_written(*known);
    const LiveCopies& held = scope_.held.of(*known);
    const bool is_there = std::any_of(held.begin(), held.end(), [&](const LiveCopy& copy) {
      return !copy.inferred && copy.layout == *seed.layout;
    });
    if (newest != nullptr && !is_there)
      say(fmt::format("{0}{1} = {0}{2}", seed.name, forward_.brackets(labels, *seed.layout),
                      forward_.brackets(own, newest->layout)));
  } else {
    seed.name = forward_.gradient_name(of.name, true);
    const std::string brackets = forward_.brackets(labels, *seed.layout);
    // Of a loss, dLoss/dLoss.
    say(fmt::format("{}: {}{}{}", seed.name, name_of(seed.dtype), brackets,
                    labels.empty() ? " = ones" : ""));
  }
  lasting_.push_back(seed.name);
  made_.emplace(request_.of, std::move(seed));
  finished_.insert(request_.of);
  return true;
}

// As the statement calls them that made it: a call may have given its result others, or those of the caller.
std::vector<DimensionId> Derivation::labels_of(ArrayId array) {
  const checked::Flow* flow = flow_of(array);
  const std::vector<DimensionId> own(scope_.store.arrays[array].dimensions);
  return flow != nullptr && flow->labels.size() == own.size() ? flow->labels : own;
}

Made& Derivation::gradient_of(ArrayId array) {
  const auto known = made_.find(array);
  if (known != made_.end()) return known->second;
  const ArrayInfo& info = scope_.store.arrays[array];
  const bool lasts = forward_.is_named(array);
  Made made{.name = forward_.gradient_name(info.name, lasts),
            .labels = labels_of(array),
            .layout = gathered_from(array).value_or(forward_.layout_of(array)),
            .dtype = info.dtype};
  if (lasts) {
    lasting_.push_back(made.name);
    note_over(made);
  }
  return made_.emplace(array, std::move(made)).first->second;
}

// One that has a type, and the same dimensions, takes the new value as any array does.
void Derivation::note_over(const Made& made) {
  const auto known = scope_.names.find_array(made.name);
  if (!known) return;
  const ArrayInfo& earlier = scope_.store.arrays[*known];
  const std::vector<DimensionId> dimensions = earlier.dimensions;
  const bool same = are_called_alike(dimensions, made.labels) && earlier.dtype == made.dtype;
  if (earlier.of_gradients && !(earlier.declared && same)) over_.push_back(*known);
}

// Dimensions of a block that are called as others outside of it, and have their lengths, are the same in statements.
bool Derivation::are_called_alike(const std::vector<DimensionId>& one,
                                  const std::vector<DimensionId>& other) const {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](DimensionId a, DimensionId b) { return forward_.are_alike(a, b); });
}

ArrayId Derivation::source_of(ArrayId array) {
  const checked::Flow* flow = forward_.is_named(array) ? nullptr : flow_of(array);
  const auto* use = flow == nullptr ? nullptr : std::get_if<checked::Use>(&flow->value.node);
  if (use == nullptr || array == request_.of) return array;
  const bool same = flow->value.labels == labels_of(array) &&
                    are_called_alike(labels_of(use->array), labels_of(array)) &&
                    scope_.store.arrays[use->array].dtype == scope_.store.arrays[array].dtype;
  return same ? use->array : array;
}

// One of the statements that read the array is gone back through.
void Derivation::used(ArrayId array) {
  --own_uses_[array];
  if (--uses_[array] == 0) finish(array);
}

std::vector<Contribution>& Derivation::contributions_to(const checked::Use& use) {
  const Layout layout = without_trivial_axes(use.layout, scope_.mesh());
  return forward_.is_moved(use.array, layout) ? moved_[use.array][layout]
                                              : contributions_[use.array];
}

void Derivation::finish_moved(ArrayId array) {
  const auto found = moved_.find(array);
  if (found == moved_.end()) return;
  for (auto& [layout, contributions] : found->second) {
    Made made = gradient_of(array);
    made.name = forward_.free_name(made.name);
    made.layout = layout;
    Piece piece = emit(made, std::move(contributions));
    contributions_[array].push_back({.piece = std::move(piece), .labels = made.labels});
  }
  moved_.erase(found);
}

// A condition alone may have read it.
void Derivation::pass_over(ArrayId array) {
  std::vector<ArrayId> open = {array};
  while (!open.empty()) {
    const ArrayId over = open.back();
    open.pop_back();
    const checked::Flow* flow = flow_of(over);
    if (flow == nullptr || !finished_.insert(over).second) continue;
    std::map<ArrayId, int> uses;
    count_uses(flow->value, uses);
    for (const auto& [read, count] : uses) {
      uses_[read] -= count;
      if (uses_[read] != 0) continue;
      if (contributions_.contains(read) || moved_.contains(read))
        finish(read);
      else
        open.push_back(read);
    }
  }
}

// All that the array was used for has said what it adds to its gradient.
void Derivation::finish(ArrayId array) {
  finish_moved(array);
  const auto found = contributions_.find(array);
  if (found == contributions_.end()) return pass_over(array);
  if (!finished_.insert(array).second) return;
  if (const ArrayId source = source_of(array); source != array) {
    std::vector<Contribution> passed = std::move(found->second);
    contributions_.erase(found);
    std::vector<Contribution>& all =
        contributions_to(std::get<checked::Use>(flow_of(array)->value.node));
    all.insert(all.end(), passed.begin(), passed.end());
    if (--uses_[source] == 0) finish(source);
    return;
  }
  if (waits(array, found->second)) {
    waiting_.emplace(array, std::move(found->second.front()));
    contributions_.erase(found);
    ready_.insert(array);
    return;
  }
  std::vector<Contribution> all = std::move(found->second);
  contributions_.erase(found);
  const bool in_place = takes_over(array, all);
  Made& made = gradient_of(array);
  if (in_place) made.name = made_.at(all.front().after).name;
  emit(made, std::move(all));
  const bool is_input = flow_of(array) == nullptr;
  if (!is_input) ready_.insert(array);
  if (is_input || forward_.is_named(array)) reaches_input_ = true;
}

// What statements of a kernel made for others of them ends with it: what it adds to gradients of outside is made before.
void Derivation::enter(ArrayId kernel) {
  if (kernel == kernel_) return;
  const auto bring_out = [&](ArrayId array, const Layout* layout, std::vector<Contribution>& all) {
    const auto outside = std::stable_partition(
        all.begin(), all.end(),
        [&](const Contribution& one) { return mentions(one.piece.text, made_inside_); });
    if (outside == all.begin()) return;
    std::vector<Contribution> inside(std::make_move_iterator(all.begin()),
                                     std::make_move_iterator(outside));
    all.erase(all.begin(), outside);
    Made made = gradient_of(array);
    made.name = forward_.free_name(made.name);
    if (layout != nullptr) made.layout = *layout;
    Piece piece = emit(made, std::move(inside));
    all.push_back({.piece = std::move(piece), .labels = made.labels});
  };
  if (kernel_.valid()) {
    for (auto& [array, all] : contributions_) bring_out(array, nullptr, all);
    for (auto& [array, copies] : moved_) {
      for (auto& [layout, all] : copies) bring_out(array, &layout, all);
    }
  }
  made_inside_.clear();
  kernel_ = kernel;
}

void Derivation::go_back(ArrayId array) {
  const checked::Flow& flow = *flow_of(array);
  const checked::Kernel* kernel = forward_.kernel_of(array);
  enter(kernel == nullptr ? ArrayId{} : kernel->first);
  own_uses_.clear();
  count_uses(flow.value, own_uses_);
  Piece g;
  if (auto waiting = waiting_.extract(array)) {
    g = std::move(waiting.mapped().piece);
    zeroed_ = std::move(waiting.mapped().zeroed);
  } else {
    const Made& made = made_.at(array);
    const std::vector<DimensionId>& value = flow.value.labels;
    const bool is_same =
        std::is_permutation(made.labels.begin(), made.labels.end(), value.begin(), value.end());
    g = read(made, is_same ? made.labels : value);
  }
  references_.insert(g.text);
  apply({flow.value, array, 0}, g);
  // Those of which nothing has a gradient.
  std::vector<ArrayId> left;
  for (const auto& [read, count] : own_uses_)
    left.insert(left.end(), static_cast<std::size_t>(std::max(count, 0)), read);
  for (const ArrayId read : left) used(read);
}

std::optional<Derived> Derivation::run() {
  const ArrayInfo& of = scope_.store.arrays[request_.of];
  if (is_integer(of.dtype))
    return fail(
        of.span,
        fmt::format("`{}` is {}, and integers have no gradient", of.name, name_of(of.dtype)),
        "start from an array with fractions, such as the scores that a choice is made by");
  find_history();
  find_reaching();
  for (const auto& [array, layout] : request_.kept) {
    if (history_.contains(array)) {
      forward_.keep(array, layout);
    } else {
      const std::string& name = scope_.store.arrays[array].name;
      return fail(
          {},
          fmt::format("`{}` was not made of `{}`, so nothing is to be kept of it", of.name, name),
          "leave it out behind `keep`");
    }
  }
  if (flow_of(request_.of) == nullptr) {
    if (scope_.told.lacks_anything()) return std::nullopt;
    return fail(
        of.span,
        fmt::format("no statement made `{}`, so there is nothing to go back through", of.name),
        "name the array that the statements before it have made");
  }
  if (!find_seed()) return std::nullopt;
  ready_.insert(request_.of);
  // What was made later cannot have been used for what was made before.
  while (!ready_.empty() && !failed_) {
    const ArrayId array = *ready_.rbegin();
    ready_.erase(array);
    go_back(array);
  }
  if (failed_) return std::nullopt;
  leave_out_unread();
  if (!reaches_input_)
    return fail(of.span,
                fmt::format("no way leads from `{}` back to an array with fractions", of.name),
                "indices and integers have no gradient");
  std::vector<ArrayId> reached;
  for (const auto& [array, gradient] : made_) reached.push_back(array);
  return Derived{.statements = std::move(statements_),
                 .forward = std::move(forward_),
                 .over = std::move(over_),
                 .lasting = std::move(lasting_),
                 .reached = std::move(reached)};
}

std::optional<Derived> derive(const Request& request, const Scope& scope, DiagnosticSink& sink) {
  // Lengths get names once statements turn out to want them.
  std::set<DimensionId> named;
  while (true) {
    Derivation derivation(request, scope, sink, named);
    auto derived = derivation.run();
    if (!derived || (derivation.unnamed().empty() && derived->forward.twins().empty()))
      return derived;
    named.insert(derivation.unnamed().begin(), derivation.unnamed().end());
    named.insert(derived->forward.twins().begin(), derived->forward.twins().end());
  }
}

}  // namespace shard::gradient
