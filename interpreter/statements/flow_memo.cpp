#include "interpreter/statements/flow_memo.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "grammar/tree/names.h"
#include "interpreter/check/brackets.h"
#include "interpreter/program/ended_copies.h"
#include "interpreter/program/step_text.h"

namespace shard {

namespace {

constexpr std::size_t kMostRecipes = 4096;
constexpr std::size_t kMostSeen = 65'536;

bool is_word(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

// ------------------------------------------------------------ keys

FlowMemo::Surroundings FlowMemo::surroundings() const {
  const Scope& scope = state_.scope;
  return {state_.programs.size(),
          state_.current,
          state_.calls.size(),
          state_.open_sizes.size(),
          scope.dimensions.size(),
          scope.dimension_names.size(),
          scope.bindings.size(),
          scope.chips.size(),
          scope.functions.size(),
          scope.modules.size(),
          scope.mesh().axes.size(),
          scope.indivisible.size(),
          scope.oversized.size(),
          scope.unknown_axes.size(),
          scope.own_dimensions.size(),
          scope.kept_lengths.size(),
          scope.identified,
          scope.first_own_array,
          static_cast<std::size_t>(scope.depth),
          static_cast<std::size_t>(scope.loops),
          static_cast<std::size_t>(scope.strict)};
}

bool FlowMemo::may_be_repeated() const {
  const Scope& scope = state_.scope;
  const bool plain = !state_.programs.empty() && !state_.program_ended && state_.calls.empty() &&
                     !scope.supposition && scope.unknown.empty() && scope.misread_inputs.empty() &&
                     scope.shared_copies.empty() && !scope.module_failed;
  return plain && state_.programs[state_.current].unreachable.empty();
}

bool FlowMemo::is_as_before() {
  if (!may_be_repeated()) return false;
  if (const Surroundings now = surroundings(); now != surroundings_) {
    surroundings_ = now;
    forget();
  }
  return true;
}

void FlowMemo::forget(bool arrays_only) {
  tried_ = nullptr;
  known_.clear();
  if (arrays_only) return;
  seen_.clear();
  lines_.clear();
  recipes_.clear();
}

// What planning sees of an array: its copies, and how it came to be.
int FlowMemo::state_of(ArrayId id) {
  const ArrayInfo& array = state_.scope.arrays[id];
  Fingerprint fingerprint;
  const auto add = [&](auto value) { fingerprint.add(static_cast<std::int64_t>(value)); };
  add(array.dimensions.size());
  for (const DimensionId dimension : array.dimensions) add(dimension.value);
  add(array.dtype);
  add(array.declared);
  add(array.computed);
  add(array.form != nullptr);
  if (array.form != nullptr) {
    add(array.read);
    for (const DimensionId dimension : array.form->dimensions) add(dimension.value);
    fingerprint.add(array.form->layout);
  }
  add(array.values != nullptr);
  for (const LiveCopy& live : array.copies) {
    fingerprint.add(live.layout);
    add(live.made);
    add(live.inferred);
    add(live.copy.valid());
    if (!live.copy.valid()) continue;
    const Copy& copy = program().plan.copies[live.copy];
    const ArrayId* owner = program().owners.find(live.copy);
    const bool is_own = owner != nullptr && *owner == id;
    if (copy.name != array.name || !is_own || copy.unfinished) return -1;
    // Copies have the shapes that were known when they were made.
    fingerprint.add(copy.shape, copy.dtype);
    fingerprint.add(copy.layout);
  }
  constexpr int kFirst = kNoArrayYetAWord + 1;
  const int next = static_cast<int>(states_.size()) + kFirst;
  return states_.try_emplace(fingerprint.bytes(), next).first->second;
}

FlowMemo::Known& FlowMemo::known(std::string_view written) {
  if (const auto found = known_.find(written); found != known_.end()) return found->second;
  const std::string name(written);
  Known& known = known_[name];
  const Scope& scope = state_.scope;
  known.key = name_key(name);
  if (const auto id = scope.find_array(name)) {
    known.array = *id;
    known.state = state_of(*id);
    known.usable = known.state >= 0 && !scope.arrays[*id].anonymous &&
                   scope.arrays[*id].name.find('\'') == name.npos;
    return known;
  }
  known.is_array = scope.find_binding(name) == nullptr && !scope.find_dimension(name);
  // What a prime ends could be an unnamed result of another array.
  known.usable = name.size() <= kMaxNameLength && name.find('\'') == name.npos &&
                 scope.dropped.count(known.key) == 0 && scope.ended.count(known.key) == 0;
  known.state = is_word(known.key) ? kNoArrayYetAWord : kNoArray;
  return known;
}

std::size_t FlowMemo::number_of(Known& name) {
  const auto found = std::find(names_.begin(), names_.end(), &name);
  const auto number = static_cast<std::size_t>(found - names_.begin());
  if (found == names_.end()) names_.push_back(&name);
  return number;
}

bool FlowMemo::has_two_spellings() const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (names_[i]->key == names_[j]->key) return true;
    }
  }
  return false;
}

bool FlowMemo::read(const WrittenFlow& flow) {
  form_ = {};
  line_ = nullptr;
  names_.clear();
  name_at_.clear();
  bool usable = true;
  const auto number_of_array = [&](const ast::ArrayRef& array) {
    Known& name = known(array.name->text);
    usable = usable && name.usable;
    if (!name.is_array) return -1;
    name_at_.push_back(number_of(name));
    return static_cast<int>(name_at_.back());
  };
  const auto* with_sign = std::get_if<ast::Flow>(&flow.statement.node);
  form_.bytes.add(with_sign == nullptr ? -1 : static_cast<std::int64_t>(with_sign->sign));
  const bool told = add_form(flow.value, flow.target, number_of_array, form_);
  const bool has_target = !form_.arrays.empty() && form_.arrays.back() == &flow.target;
  if (!told || !usable || !has_target || has_two_spellings()) return false;
  for (const Known* name : names_) form_.bytes.add(std::int64_t{name->state});
  return true;
}

bool FlowMemo::read(const FormedLine& line) {
  const std::size_t form = line.form->number;
  if (form >= orders_.size() || orders_[form].empty()) return false;
  line_ = &line;
  names_.clear();
  name_at_.clear();
  for (const std::size_t place : orders_[form]) {
    Known& name = known(line.names[place].text);
    if (!name.usable || !name.is_array) return false;
    name_at_.push_back(number_of(name));
  }
  return !has_two_spellings();
}

std::string FlowMemo::line_key(const FormedLine& line) const {
  Fingerprint key;
  key.add(static_cast<std::int64_t>(line.form->number));
  for (const std::size_t name : name_at_) key.add(static_cast<std::int64_t>(name));
  for (const Known* name : names_) key.add(std::int64_t{name->state});
  return key.bytes();
}

void FlowMemo::remember_line(const FormedLine& line, const Recipe& recipe) {
  const std::size_t form = line.form->number;
  std::vector<std::size_t> order;
  for (const ast::ArrayRef* array : form_.arrays) {
    const auto name = std::find_if(
        line.names.begin(), line.names.end(),
        [&](const FormedLine::Name& each) { return each.span == array->name->at.span; });
    if (name == line.names.end()) return;
    order.push_back(static_cast<std::size_t>(name - line.names.begin()));
  }
  if (form >= orders_.size()) orders_.resize(form + 1);
  orders_[form] = std::move(order);
  if (lines_.size() >= kMostSeen) lines_.clear();
  lines_.emplace(line_key(line), &recipe);
}

bool FlowMemo::repeat(const WrittenFlow& flow) {
  const FormedLine* line = std::exchange(tried_, nullptr);
  is_read_ = false;
  before_.reset();
  if (!is_as_before()) return false;
  is_read_ = read(flow);
  if (!is_read_) return false;
  const std::string& key = form_.bytes.bytes();
  if (const auto known = recipes_.find(key); known != recipes_.end()) {
    if (line != nullptr && line->span == flow.statement.at.span)
      remember_line(*line, known->second);
    apply(known->second, flow.statement.at.span);
    return true;
  }
  if (seen_.size() >= kMostSeen) seen_.clear();
  if (!seen_.insert(key).second) snapshot();
  return false;
}

bool FlowMemo::repeat(const FormedLine& line) {
  const bool may_be = is_as_before();
  tried_ = &line;
  if (!may_be || !read(line)) return false;
  const auto known = lines_.find(line_key(line));
  if (known == lines_.end()) return false;
  tried_ = nullptr;
  apply(*known->second, line.span);
  return true;
}

// ------------------------------------------------------------ recipes

Span FlowMemo::array_span(std::size_t place) const {
  if (line_ != nullptr) return line_->array_span(orders_[line_->form->number][place]);
  return form_.arrays[place]->at.span;
}

std::string_view FlowMemo::name_at(std::size_t place) const {
  if (line_ != nullptr) return line_->names[orders_[line_->form->number][place]].text;
  return form_.arrays[place]->name->text;
}

std::string_view FlowMemo::written_name(std::size_t name) const {
  const auto place = std::find(name_at_.begin(), name_at_.end(), name) - name_at_.begin();
  return name_at(static_cast<std::size_t>(place));
}

std::string_view FlowMemo::name_of(std::size_t name) const {
  const Known& known = *names_[name];
  return known.array.valid() ? state_.scope.arrays[known.array].name : written_name(name);
}

void FlowMemo::snapshot() {
  const Program& current = program();
  before_ = Before{.array_count = state_.scope.arrays.size(),
                   .copies = current.plan.copies.size(),
                   .steps = current.steps.size(),
                   .statements = current.statements.size(),
                   .owners = current.owners.size(),
                   .entries = state_.entries.size(),
                   .requests = current.requests.size(),
                   .diagnostics = sink_.all().size()};
  for (const Known* name : names_)
    before_->arrays.push_back(name->array.valid() ? state_.scope.arrays[name->array] : ArrayInfo{});
}

void FlowMemo::planned(const WrittenFlow& flow) {
  if (!is_read_) return forget(true);
  if (before_ && surroundings() == surroundings_ && may_be_repeated()) {
    if (auto written = recipe(flow)) {
      if (recipes_.size() >= kMostRecipes) {
        lines_.clear();
        recipes_.clear();
      }
      recipes_.emplace(form_.bytes.bytes(), *std::move(written));
    }
  }
  // Flows change the arrays that they name, and no others.
  for (const ast::ArrayRef* array : form_.arrays) known_.erase(array->name->text);
}

// ------------------------------------------------------------ following them

std::string FlowMemo::text_of(const Recipe& recipe) const {
  return filled(recipe.text, [&](std::optional<std::size_t> name) { return written_name(*name); });
}

void FlowMemo::apply(const Recipe& recipe, const Span& span) {
  Scope& scope = state_.scope;
  Program& current = program();
  Instance instance;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    instance.names.emplace_back(name_of(i));
    instance.arrays.push_back(names_[i]->array);
  }
  add_arrays(recipe, instance);
  add_steps(recipe, instance);
  StatementRecord record = statement(recipe, instance);
  record.span = span;
  current.statements.push_back(std::move(record));
  for (const Known* name : names_) {
    if (name->array.valid()) scope.arrays[name->array].read = true;
  }
  for (const HeldCopies& held : recipe.held) {
    auto& live = scope.arrays[instance.arrays[held.array]].copies;
    std::vector<LiveCopy> now = held.copies;
    for (LiveCopy& copy : now) {
      copy.copy = instance.now(copy.copy);
      if (copy.copy.valid())
        end_replaced(instance.arrays[held.array], copy.copy, current.statements.size() - 1, scope,
                     current);
    }
    live = std::move(now);
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto& [index, state] = recipe.names_after[i];
    const ArrayId array = instance.arrays[index];
    if (names_[i]->array != array) scope.array_names[names_[i]->key] = array;
    names_[i]->array = array;
    names_[i]->state = state;
  }
  if (recipe.replaces) end_array(instance.arrays[name_at_.back()], scope, current);
  state_.entries.push_back(PlannedEntry{state_.current, current.statements.size() - 1});
}

void FlowMemo::add_arrays(const Recipe& recipe, Instance& instance) {
  Scope& scope = state_.scope;
  Program& current = program();
  for (const auto& [name, place] : recipe.old_copies)
    instance.copies.push_back(scope.arrays[instance.arrays[name]].copies[place].copy);
  for (const NewArray& made : recipe.arrays) {
    ArrayInfo array = made.info;
    array.name = instance.names[made.name];
    array.span = array_span(made.place);
    instance.arrays.push_back(scope.arrays.add(std::move(array)));
  }
  for (const NewCopy& made : recipe.copies) {
    Copy copy = made.copy;
    copy.name = instance.names[made.name] + made.suffix;
    const CopyId id = current.plan.copies.add(std::move(copy));
    instance.copies.push_back(id);
    if (made.owner) current.owners.set(id, instance.arrays[*made.owner]);
  }
}

void FlowMemo::add_steps(const Recipe& recipe, const Instance& instance) {
  Program& current = program();
  const auto now = [&](CopyId copy) { return instance.now(copy); };
  for (const auto& [form, shown] : recipe.steps) {
    Step step = form;
    rename_copies(step, now);
    step.statement = static_cast<int>(current.statements.size());
    if (auto* input = std::get_if<InputStep>(&step.action))
      input->seed = current.plan.copies[input->result].name;
    current.plan.steps.push_back(std::move(step));
    current.steps.push_back(shown);
  }
}

// Of the steps that were added last.
StatementRecord FlowMemo::statement(const Recipe& recipe, const Instance& instance) {
  StatementRecord record = recipe.statement;
  record.text = text_of(recipe);
  record.end_step = program().steps.size();
  record.first_step = record.end_step - recipe.steps.size();
  record.target = instance.arrays[recipe.target];
  record.result = instance.now(record.result);
  if (!record.written.empty()) {
    for (CopyId& copy : record.written.edit()) copy = instance.now(copy);
  }
  std::vector<std::pair<ArrayId, ArrayId>> renamed;
  renamed.reserve(instance.arrays.size());
  for (std::size_t i = 0; i < instance.arrays.size(); ++i) {
    if (recipe.form_arrays[i].valid())
      renamed.emplace_back(recipe.form_arrays[i], instance.arrays[i]);
  }
  record.flow = {record.flow.form(), std::move(renamed)};
  return record;
}

}  // namespace shard
