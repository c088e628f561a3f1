#include "interpreter/ir/frames.h"

#include <algorithm>
#include <vector>

namespace shard {

namespace {

OuterNames names_of(const Scope& scope) {
  const Environment& names = scope.names;
  return {names.dimension_names, names.array_names, names.bindings, scope.told.unknown,
          names.dropped};
}

void put_names(Scope& scope, OuterNames names) {
  scope.names.dimension_names = std::move(names.dimension_names);
  scope.names.array_names = std::move(names.array_names);
  scope.names.bindings = std::move(names.bindings);
  scope.told.unknown = std::move(names.unknown);
  scope.names.dropped = std::move(names.dropped);
}

// Not one that was computed, and not one that was declared: the script may do either with it later.
bool is_new_input(const ArrayInfo& array, ArrayId id, std::size_t first) {
  return static_cast<std::size_t>(id.value) >= first && !array.computed && !array.declared;
}

// The scope as it was before, with the names that were seen in brackets since, and with the arrays and dimensions that were made:
// plans refer to them.
void go_back_to(Scope before, Scope& scope) {
  // What the block made keeps its number, by which plans and shared lengths know it: names that are learned come behind it.
  before.held.append_from(scope.held, before.store.arrays.size());
  before.store.append_from(scope.store);
  learn_names(scope, before);
  scope.names.note_ended(before.names.bindings);
  scope.names.note_ended(before.names.array_names, scope.store);
  before.names.ended = std::move(scope.names.ended);
  // Blocks that follow share them, as those before did.
  before.names.own_dimensions = std::move(scope.names.own_dimensions);
  before.names.stand_ins = std::move(scope.names.stand_ins);
  scope = std::move(before);
}

// Once for all passes of a loop: there may be many next to many arrays.
void end_copies(Scope& scope) {
  for (const ArrayId named : scope.names.named_arrays()) scope.held.end_plan(named);
}

}  // namespace

// ------------------------------------------------------------ groups and loops

BlockNames::BlockNames(const Scope& scope)
    : dimension_names_(scope.names.dimension_names),
      bindings_(scope.names.bindings),
      modules_(scope.names.modules),
      kept_lengths_(scope.names.kept_lengths.size()) {}

void BlockNames::put_back(Scope& scope) const {
  Environment& names = scope.names;
  names.note_ended(bindings_);
  names.bindings = bindings_;
  names.modules = modules_;
  for (; names.kept_lengths.size() > kept_lengths_; names.kept_lengths.pop_back())
    scope.store.dimensions[names.kept_lengths.back()].own_length.reset();
  const auto inside = std::exchange(names.dimension_names, dimension_names_);
  const auto& all = std::as_const(scope.store.dimensions);
  // What the block saw in brackets.
  inside.visit_changed(dimension_names_, [&](const auto& entry) {
    if (!all[entry.second].own_length) names.dimension_names.try_emplace(entry.first, entry.second);
  });
}

GroupFrame::GroupFrame(Scope& scope)
    : scope_(scope),
      array_names_(scope.names.array_names),
      names_(scope),
      outside_(scope.names.outside),
      first_own_array_(scope.names.first_own_array) {
  scope.names.first_own_array = scope.store.arrays.size();
  ++scope.names.depth;
}

std::vector<ArrayId> GroupFrame::pop() {
  Environment& names = scope_.names;
  names.outside = std::move(outside_);
  --names.depth;
  const std::size_t first = std::exchange(names.first_own_array, first_own_array_);
  names_.put_back(scope_);
  const auto before = array_names_;
  std::vector<ArrayId> ended;
  names.array_names.visit_changed(before, [&](const auto& entry) {
    const ArrayInfo& array = std::as_const(scope_.store.arrays)[entry.second];
    if (is_new_input(array, entry.second, first)) {
      array_names_.try_emplace(entry.first, entry.second);
    } else if (static_cast<std::size_t>(entry.second.value) >= first) {
      ended.push_back(entry.second);
    }
  });
  names.note_ended(array_names_, scope_.store);
  names.array_names = std::move(array_names_);
  return ended;
}

LoopFrame::LoopFrame(Scope& scope, std::string variable)
    : names_(scope.names), variable_(std::move(variable)), hidden_(names_.find_array(variable_)) {
  ++names_.loops;
  if (hidden_) names_.array_names.erase(variable_);
}

LoopFrame::~LoopFrame() {
  --names_.loops;
  if (hidden_ && !names_.find_array(variable_)) names_.array_names[variable_] = *hidden_;
}

void RangePasses::pop() {
  --scope_.names.depth;
  names_.put_back(scope_);
}

ListFrame::ListFrame(Scope& scope) : scope_(scope), before_(scope) { end_copies(scope); }

void ListFrame::pop() { go_back_to(std::move(before_), scope_); }

ListPass::ListPass(Scope& scope) : scope_(scope), before_(scope) { ++scope.names.depth; }

void ListPass::pop() { go_back_to(std::move(before_), scope_); }

void learn_names(const Scope& inner, Scope& outer) {
  std::vector<std::string> names;  // by key, so that they become known in one order
  const auto known = outer.names.dimension_names;
  inner.names.dimension_names.visit_changed(known, [&](const auto& entry) {
    const DimensionInfo& info = inner.store.dimensions[entry.second];
    if (!info.literal && !info.own_length && outer.find_binding(entry.first) == nullptr)
      names.push_back(info.name);
  });
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) outer.intern_dimension(name);
  if (outer.machine.mesh_known()) return;
  for (const MeshAxis& axis : inner.mesh().axes) {
    if (!axis.length() && !outer.mesh().find(axis.name)) outer.machine.machine.mesh.axes.add(axis);
  }
}

// ------------------------------------------------------------ calls

FunctionFrame::FunctionFrame(Scope& scope)
    : scope_(scope),
      names_(names_of(scope)),
      axis_names_(scope.names.axis_names),
      outside_(scope.names.outside),
      depth_(scope.names.depth),
      first_own_array_(scope.names.first_own_array) {
  put_names(scope, outside_ ? *outside_ : names_);
  if (!outside_) scope.names.outside = std::make_shared<const OuterNames>(names_);
  scope.names.axis_names.clear();
  scope.names.first_own_array = scope.store.arrays.size();
  ++scope.names.depth;
}

std::vector<ArrayId> FunctionFrame::pop() {
  keep_changes();
  keep_inputs(names_);
  const auto is_kept = [](const OuterNames& names, const auto& entry) {
    const auto kept = names.array_names.find(entry.first);
    return kept != names.array_names.end() && kept->second == entry.second;
  };
  std::vector<ArrayId> ended;
  scope_.names.array_names.visit_changed(names_.array_names, [&](const auto& entry) {
    const bool kept = is_kept(names_, entry) || (outside_ && is_kept(*outside_, entry));
    if (scope_.names.is_own(entry.second) && !kept) ended.push_back(entry.second);
  });
  Environment& names = scope_.names;
  names.note_ended(names_.bindings);
  names.note_ended(names_.array_names, scope_.store);
  put_names(scope_, std::move(names_));
  names.axis_names = std::move(axis_names_);
  names.outside = std::move(outside_);
  names.depth = depth_;
  names.first_own_array = first_own_array_;
  return ended;
}

void FunctionFrame::keep_inputs(OuterNames& outer) const {
  const auto known = outer.array_names;
  scope_.names.array_names.visit_changed(known, [&](const auto& entry) {
    if (is_new_input(std::as_const(scope_.store.arrays)[entry.second], entry.second,
                     scope_.names.first_own_array))
      outer.array_names.try_emplace(entry.first, entry.second);
  });
}

// The caller may be a function, too: it means the script's array by a name unless it has one of its own under it, and the script
// gets the change in either case.
void FunctionFrame::keep_changes() {
  const auto before = outside_ ? outside_->array_names : names_.array_names;
  OuterNames now = *scope_.names.outside;
  now.array_names.visit_changed(before, [&](const auto& entry) {
    const auto script = before.find(entry.first);
    const auto own = names_.array_names.find(entry.first);
    const bool is_script = script == before.end()
                               ? own == names_.array_names.end()
                               : own != names_.array_names.end() && own->second == script->second;
    if (is_script) names_.array_names[entry.first] = entry.second;
  });
  if (!outside_) return;
  keep_inputs(now);
  outside_ = std::make_shared<const OuterNames>(std::move(now));
}

// ------------------------------------------------------------ suppositions

Scope written_scope(const Scope& scope) {
  scope.held.supposed(scope.mesh());  // of which those of the next block are made
  Scope written = scope;
  written.told.unknown.clear();
  written.names.bindings.clear();
  written.names.functions.clear();
  written.names.modules.clear();
  written.names.chips.clear();
  written.reads = nullptr;
  return written;
}

Scope supposition_scope(const Scope& written, const Scope& read) {
  Scope scope = written;
  scope.supposition = true;
  Environment& names = scope.names;
  names.depth = read.names.depth + 1;
  const auto& outside = read.names.outside;
  names.bindings = outside ? outside->bindings : read.names.bindings;
  if (outside) {
    read.names.bindings.visit_changed(outside->bindings, [&](const auto& entry) {
      names.bindings.insert_or_assign(entry.first, entry.second);
    });
  }
  names.functions = read.names.functions;
  names.modules = read.names.modules;
  names.chips = read.names.chips;
  scope.told.unknown = read.told.unknown;
  scope.told.module_failed = read.told.module_failed;
  scope.machine = read.machine;
  if (written.mesh() == read.mesh()) {
    scope.held = written.held.supposed(written.mesh());
  } else {
    scope.adopt_mesh(written.mesh());
  }
  scope.asked = read.asked;
  scope.open_asked_lengths();
  return scope;
}

Scope trial_scope(const Scope& scope) {
  Scope trial = scope;
  trial.held = scope.held.supposed(scope.mesh());
  trial.reads = nullptr;
  return trial;
}

// ------------------------------------------------------------ limits

ExpectedStop::ExpectedStop(Budget* budget)
    : budget_(budget),
      exhausted_(budget != nullptr && budget->exhausted),
      unwinding_(budget != nullptr && budget->unwinding) {}

ExpectedStop::~ExpectedStop() {
  if (budget_ == nullptr) return;
  budget_->exhausted = exhausted_;
  budget_->unwinding = unwinding_;
}

}  // namespace shard
