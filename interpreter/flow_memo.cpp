#include "interpreter/flow_memo.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/find.h"
#include "grammar/names.h"
#include "grammar/printer.h"
#include "interpreter/check_brackets.h"
#include "interpreter/drop.h"

namespace shard {

namespace {

constexpr std::size_t kMostRecipes = 4096;
constexpr std::size_t kMostSeen = 65'536;
constexpr int kNoArray = 0;
// A name that a warning may be about where it becomes an input.
constexpr int kNoArrayYetAWord = 1;

// What stands for a name in a recipe's text: characters that no name has around its number.
constexpr char kNameMark = '\1';
constexpr char kNameMarkEnd = '\2';

bool is_word(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool same_copy(const LiveCopy& a, const LiveCopy& b) {
  return a.copy == b.copy && a.made == b.made && a.layout == b.layout;
}

// Whether nothing but its copies differs.
bool same_array(const ArrayInfo& a, const ArrayInfo& b) {
  return a.name == b.name && a.dimensions == b.dimensions && a.dtype == b.dtype &&
         a.declared == b.declared && a.computed == b.computed && a.anonymous == b.anonymous &&
         a.values.has_value() == b.values.has_value() && a.span == b.span;
}

// The flow's array names in a copy of its statement, which may be changed.
std::vector<ast::Identifier*> names_in(ast::Statement& statement, const ArrayNumber& number_of) {
  FlowForm form;
  ast::Identifier* target = nullptr;
  if (auto* flow = std::get_if<ast::Flow>(&statement.node)) {
    add_form(flow->value, flow->target, number_of, form);
    target = &*flow->target.name;
  } else {
    ast::Binding& binding = std::get<ast::Bindings>(statement.node).items.front();
    add_form(*binding.value, {.name = binding.name}, number_of, form);
    target = &binding.name;
  }
  // Parts of what may be changed; the last one may be of a copy of the target.
  form.arrays.pop_back();
  std::vector<ast::Identifier*> names;
  for (const ast::ArrayRef* array : form.arrays)
    names.push_back(&const_cast<ast::ArrayRef*>(array)->name.value());
  names.push_back(target);
  return names;
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

void FlowMemo::forget(bool arrays_only) {
  known_.clear();
  if (arrays_only) return;
  seen_.clear();
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
  add(array.values.has_value());
  for (const LiveCopy& live : array.copies) {
    fingerprint.add(live.layout);
    add(live.made);
    add(live.copy.valid());
    if (!live.copy.valid()) continue;
    const Copy& copy = program().plan.copies[live.copy];
    const auto owner = program().owners.find(live.copy);
    const bool is_own = owner != program().owners.end() && owner->second == id;
    if (copy.name != array.name || !is_own || copy.unfinished) return -1;
    add(copy.dtype);
    fingerprint.add(copy.layout);
  }
  constexpr int kFirst = kNoArrayYetAWord + 1;
  const int next = static_cast<int>(states_.size()) + kFirst;
  return states_.try_emplace(fingerprint.bytes(), next).first->second;
}

FlowMemo::Known& FlowMemo::known(const ast::ArrayRef& array) {
  const std::string& name = array.name->text;
  const auto [entry, is_new] = known_.try_emplace(name);
  Known& known = entry->second;
  if (!is_new) return known;
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

bool FlowMemo::read(const WrittenFlow& flow) {
  form_ = {};
  names_.clear();
  name_at_.clear();
  bool usable = true;
  const auto number_of = [&](const ast::ArrayRef& array) {
    Known& name = known(array);
    usable = usable && name.usable;
    if (!name.is_array) return -1;
    const auto found = std::find(names_.begin(), names_.end(), &name);
    const auto number = static_cast<std::size_t>(found - names_.begin());
    if (found == names_.end()) names_.push_back(&name);
    name_at_.push_back(number);
    return static_cast<int>(number);
  };
  const auto* with_sign = std::get_if<ast::Flow>(&flow.statement.node);
  form_.bytes.add(with_sign == nullptr ? -1 : static_cast<std::int64_t>(with_sign->sign));
  const bool told = add_form(flow.value, flow.target, number_of, form_);
  const bool has_target = !form_.arrays.empty() && form_.arrays.back() == &flow.target;
  if (!told || !usable || !has_target) return false;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      // Two spellings of one name.
      if (names_[i]->key == names_[j]->key) return false;
    }
    form_.bytes.add(std::int64_t{names_[i]->state});
  }
  return true;
}

bool FlowMemo::repeat(const WrittenFlow& flow) {
  is_read_ = false;
  before_.reset();
  if (!may_be_repeated()) return false;
  if (Surroundings now = surroundings(); now != surroundings_) {
    surroundings_ = std::move(now);
    forget();
  }
  is_read_ = read(flow);
  if (!is_read_) return false;
  const std::string& key = form_.bytes.bytes();
  if (const auto known = recipes_.find(key); known != recipes_.end()) {
    apply(known->second, flow);
    return true;
  }
  if (seen_.size() >= kMostSeen) seen_.clear();
  if (!seen_.insert(key).second) snapshot();
  return false;
}

// ------------------------------------------------------------ writing recipes down

const std::string& FlowMemo::written_name(std::size_t name) const {
  const auto place = std::find(name_at_.begin(), name_at_.end(), name) - name_at_.begin();
  return form_.arrays[static_cast<std::size_t>(place)]->name->text;
}

const std::string& FlowMemo::name_of(std::size_t name) const {
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
      if (recipes_.size() >= kMostRecipes) recipes_.clear();
      recipes_.emplace(form_.bytes.bytes(), *std::move(written));
    }
  }
  // Flows change the arrays that they name, and no others.
  for (const ast::ArrayRef* array : form_.arrays) known_.erase(array->name->text);
}

std::optional<FlowMemo::Recipe> FlowMemo::recipe(const WrittenFlow& flow) {
  const Program& current = program();
  const bool one_statement = current.statements.size() == before_->statements + 1 &&
                             state_.entries.size() == before_->entries + 1;
  if (!one_statement || sink_.all().size() != before_->diagnostics ||
      current.requests.size() != before_->requests)
    return std::nullopt;
  Recipe recipe;
  recipe.statement = current.statements.back();
  const StatementRecord& record = recipe.statement;
  if (record.first_step != before_->steps || record.end_step != current.steps.size() ||
      record.parts != 1 || record.span != flow.statement.at.span)
    return std::nullopt;
  if (!describe_arrays(recipe) || !describe_copies(recipe) || !describe_steps(recipe) ||
      !describe_text(flow, recipe))
    return std::nullopt;
  return recipe;
}

std::optional<FlowMemo::ArrayIndex> FlowMemo::index_of(ArrayId array) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i]->array == array) return i;
  }
  const auto id = static_cast<std::size_t>(array.value);
  if (!array.valid() || id < before_->array_count) return std::nullopt;
  return names_.size() + id - before_->array_count;
}

// Invalid if the copy is neither new nor one of an array of the flow.
CopyId FlowMemo::index_of(CopyId copy, const Recipe& recipe) const {
  const auto id = static_cast<std::size_t>(copy.value);
  const auto old = static_cast<CopyIndex>(recipe.old_copies.size());
  if (id >= before_->copies) return {old + static_cast<CopyIndex>(id - before_->copies)};
  for (CopyIndex i = 0; i < old; ++i) {
    const auto& [name, place] = recipe.old_copies[static_cast<std::size_t>(i)];
    if (before_->arrays[name].copies[place].copy == copy) return {i};
  }
  return {};
}

bool FlowMemo::describe_arrays(Recipe& recipe) {
  const Scope& scope = state_.scope;
  for (std::size_t name = 0; name < names_.size(); ++name) {
    const auto& copies = before_->arrays[name].copies;
    for (std::size_t place = 0; place < copies.size(); ++place) {
      if (copies[place].copy.valid()) recipe.old_copies.emplace_back(name, place);
    }
  }
  for (std::size_t id = before_->array_count; id < scope.arrays.size(); ++id) {
    const ArrayInfo& array = scope.arrays[ArrayId{static_cast<std::int32_t>(id)}];
    NewArray made{.info = array};
    while (made.name < names_.size() && name_of(made.name) != array.name) ++made.name;
    const auto stands_there = [&](std::size_t place) {
      return name_at_[place] == made.name && form_.arrays[place]->at.span == array.span;
    };
    while (made.place < name_at_.size() && !stands_there(made.place)) ++made.place;
    const bool may_be_warned_of = !array.computed && !names_.empty() && made.name < names_.size() &&
                                  names_[made.name]->state == kNoArrayYetAWord;
    if (made.name == names_.size() || made.place == name_at_.size() || array.values ||
        array.anonymous || may_be_warned_of)
      return false;
    made.info.name.clear();
    made.info.copies.clear();
    recipe.arrays.push_back(std::move(made));
    describe_held(names_.size() + recipe.arrays.size() - 1, ArrayId{static_cast<std::int32_t>(id)},
                  recipe);
  }
  for (std::size_t name = 0; name < names_.size(); ++name) {
    const auto now = scope.array_names.find(names_[name]->key);
    const auto index = now == scope.array_names.end() ? std::nullopt : index_of(now->second);
    if (!index) return false;
    const int state = state_of(now->second);
    if (state < 0) return false;
    recipe.names_after.emplace_back(*index, state);
    if (!names_[name]->array.valid()) continue;
    const ArrayInfo& before = before_->arrays[name];
    const ArrayInfo& after = scope.arrays[names_[name]->array];
    if (!same_array(before, after)) return false;
    if (!std::equal(before.copies.begin(), before.copies.end(), after.copies.begin(),
                    after.copies.end(), same_copy))
      describe_held(name, names_[name]->array, recipe);
  }
  return true;
}

void FlowMemo::describe_held(ArrayIndex index, ArrayId array, Recipe& recipe) {
  HeldCopies held{.array = index, .copies = state_.scope.arrays[array].copies};
  for (LiveCopy& live : held.copies) {
    if (live.copy.valid()) live.copy = index_of(live.copy, recipe);
  }
  recipe.held.push_back(std::move(held));
}

bool FlowMemo::describe_copies(Recipe& recipe) {
  const Program& current = program();
  std::size_t owned = 0;
  for (std::size_t i = before_->copies; i < current.plan.copies.size(); ++i) {
    const CopyId id{static_cast<std::int32_t>(i)};
    NewCopy made{.copy = current.plan.copies[id]};
    const auto fits = [&](std::size_t name) {
      const std::string own = name_of(name);
      return made.copy.name == own || made.copy.name.starts_with(own + "'");
    };
    while (made.name < names_.size() && !fits(made.name)) ++made.name;
    if (made.name == names_.size()) return false;
    made.suffix = made.copy.name.substr(name_of(made.name).size());
    made.copy.name.clear();
    if (const auto owner = current.owners.find(id); owner != current.owners.end()) {
      made.owner = index_of(owner->second);
      if (!made.owner) return false;
      ++owned;
    }
    recipe.copies.push_back(std::move(made));
  }
  return current.owners.size() == before_->owners + owned;
}

bool FlowMemo::describe_steps(Recipe& recipe) {
  const Program& current = program();
  bool known = true;
  const auto index = [&](CopyId copy) {
    const CopyId of_recipe = copy.valid() ? index_of(copy, recipe) : copy;
    known = known && of_recipe.valid() == copy.valid();
    return of_recipe;
  };
  for (std::size_t i = before_->steps; i < current.steps.size(); ++i) {
    Step step = current.plan.steps[i];
    rename_copies(step, index);
    if (auto* input = std::get_if<InputStep>(&step.action)) {
      const Copy& copy = current.plan.copies[result_of(current.plan.steps[i])];
      if (input->seed != copy.name || input->kind != InputKind::Hashed || input->given)
        return false;
      input->seed.clear();
    }
    if (std::holds_alternative<FreeStep>(step.action)) return false;
    recipe.steps.emplace_back(std::move(step), current.steps[i]);
  }
  StatementRecord& record = recipe.statement;
  const checked::Flow& form = *record.flow.form();
  const auto target = index_of(record.target);
  if (!target || form.target != record.target) return false;
  recipe.target = *target;
  recipe.replaces = form.replaces.valid();
  if (recipe.replaces && index_of(form.replaces) != name_at_.back()) return false;
  for (const Known* name : names_) recipe.form_arrays.push_back(name->array);
  for (std::size_t i = 0; i < recipe.arrays.size(); ++i)
    recipe.form_arrays.push_back(ArrayId{static_cast<std::int32_t>(before_->array_count + i)});
  record.result = index(record.result);
  for (CopyId& copy : record.written) copy = index(copy);
  record.first_step = 0;
  record.end_step = recipe.steps.size();
  return known;
}

bool FlowMemo::describe_text(const WrittenFlow& flow, Recipe& recipe) {
  ast::Statement marked = flow.statement;
  std::size_t place = 0;
  const auto number_of = [&](const ast::ArrayRef& array) {
    return this->known(array).is_array ? 0 : -1;
  };
  for (ast::Identifier* name : names_in(marked, number_of))
    name->text = kNameMark + std::to_string(name_at_[place++]) + kNameMarkEnd;
  recipe.text = print(marked, Spelling::Unicode);
  const bool is_right = place == name_at_.size() && text_of(recipe) == recipe.statement.text;
  recipe.statement.text.clear();
  return is_right;
}

// ------------------------------------------------------------ following them

std::string FlowMemo::text_of(const Recipe& recipe) const {
  std::string text;
  std::string_view rest = recipe.text;
  for (std::size_t mark = rest.find(kNameMark); mark != rest.npos; mark = rest.find(kNameMark)) {
    text += rest.substr(0, mark);
    const std::size_t end = rest.find(kNameMarkEnd, mark);
    std::size_t name = 0;
    std::from_chars(rest.data() + mark + 1, rest.data() + end, name);
    text += written_name(name);
    rest.remove_prefix(end + 1);
  }
  text += rest;
  return text;
}

void FlowMemo::apply(const Recipe& recipe, const WrittenFlow& flow) {
  Scope& scope = state_.scope;
  Program& current = program();
  std::vector<std::string> names;
  std::vector<ArrayId> arrays;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    names.push_back(name_of(i));
    arrays.push_back(names_[i]->array);
  }
  std::vector<CopyId> copies;
  for (const auto& [name, place] : recipe.old_copies)
    copies.push_back(scope.arrays[arrays[name]].copies[place].copy);
  for (const NewArray& made : recipe.arrays) {
    ArrayInfo array = made.info;
    array.name = names[made.name];
    array.span = form_.arrays[made.place]->at.span;
    arrays.push_back(scope.arrays.add(std::move(array)));
  }
  for (const NewCopy& made : recipe.copies) {
    Copy copy = made.copy;
    copy.name = names[made.name] + made.suffix;
    copies.push_back(current.plan.copies.add(std::move(copy)));
    if (made.owner)
      current.owners.emplace_hint(current.owners.end(), copies.back(), arrays[*made.owner]);
  }
  const auto now = [&](CopyId of_recipe) {
    return of_recipe.valid() ? copies[static_cast<std::size_t>(of_recipe.value)] : of_recipe;
  };
  StatementRecord record = recipe.statement;
  record.text = text_of(recipe);
  record.span = flow.statement.at.span;
  record.first_step += current.steps.size();
  record.end_step += current.steps.size();
  record.target = arrays[recipe.target];
  record.result = now(record.result);
  for (CopyId& copy : record.written) copy = now(copy);
  std::vector<std::pair<ArrayId, ArrayId>> renamed;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (recipe.form_arrays[i].valid()) renamed.emplace_back(recipe.form_arrays[i], arrays[i]);
  }
  record.flow = {record.flow.form(), std::move(renamed)};
  for (const auto& [form, shown] : recipe.steps) {
    Step step = form;
    rename_copies(step, now);
    step.statement = static_cast<int>(current.statements.size());
    if (auto* input = std::get_if<InputStep>(&step.action))
      input->seed = current.plan.copies[input->result].name;
    current.plan.steps.push_back(std::move(step));
    current.steps.push_back(shown);
  }
  current.statements.push_back(std::move(record));
  for (const HeldCopies& held : recipe.held) {
    auto& live = scope.arrays[arrays[held.array]].copies;
    live = held.copies;
    for (LiveCopy& copy : live) copy.copy = now(copy.copy);
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto& [index, state] = recipe.names_after[i];
    if (names_[i]->array != arrays[index]) scope.array_names[names_[i]->key] = arrays[index];
    names_[i]->array = arrays[index];
    names_[i]->state = state;
  }
  if (recipe.replaces) end_array(arrays[name_at_.back()], scope, current);
  state_.entries.push_back(PlannedEntry{state_.current, current.statements.size() - 1});
}

}  // namespace shard
