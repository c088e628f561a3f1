#include <algorithm>
#include <string>

#include "grammar/print/printer.h"
#include "interpreter/program/step_text.h"
#include "interpreter/statements/flow_memo.h"

// How what a flow became is written down.
namespace shard {

namespace {

bool same_copy(const LiveCopy& a, const LiveCopy& b) {
  return a.copy == b.copy && a.made == b.made && a.inferred == b.inferred && a.layout == b.layout;
}

// Whether nothing but its copies differs.
bool same_array(const ArrayInfo& a, const ArrayInfo& b) {
  return a.name == b.name && a.dimensions == b.dimensions && a.dtype == b.dtype &&
         a.declared == b.declared && a.computed == b.computed && a.anonymous == b.anonymous &&
         (a.values == nullptr) == (b.values == nullptr) && a.span == b.span;
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
      return name_at_[place] == made.name && array_span(place) == array.span;
    };
    while (made.place < name_at_.size() && !stands_there(made.place)) ++made.place;
    const bool may_be_warned_of = !array.computed && made.name < names_.size() &&
                                  names_[made.name]->state == kNoArrayYetAWord;
    if (made.name == names_.size() || made.place == name_at_.size() || array.values ||
        array.anonymous || may_be_warned_of)
      return false;
    made.info.name.clear();
    made.info.copies.clear();
    recipe.arrays.push_back(std::move(made));
    if (!describe_held(names_.size() + recipe.arrays.size() - 1,
                       ArrayId{static_cast<std::int32_t>(id)}, recipe))
      return false;
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
    const bool holds_the_same = std::equal(before.copies.begin(), before.copies.end(),
                                           after.copies.begin(), after.copies.end(), same_copy);
    if (!holds_the_same && !describe_held(name, names_[name]->array, recipe)) return false;
  }
  return true;
}

bool FlowMemo::describe_held(ArrayIndex index, ArrayId array, Recipe& recipe) {
  HeldCopies held{.array = index, .copies = state_.scope.arrays[array].copies};
  for (LiveCopy& live : held.copies) {
    if (!live.copy.valid()) continue;
    live.copy = index_of(live.copy, recipe);
    if (!live.copy.valid()) return false;
  }
  recipe.held.push_back(std::move(held));
  return true;
}

bool FlowMemo::describe_copies(Recipe& recipe) {
  const Program& current = program();
  std::size_t owned = 0;
  for (std::size_t i = before_->copies; i < current.plan.copies.size(); ++i) {
    const CopyId id{static_cast<std::int32_t>(i)};
    NewCopy made{.copy = current.plan.copies[id]};
    const auto fits = [&](std::size_t name) {
      const std::string own(name_of(name));
      return made.copy.name == own || made.copy.name.starts_with(own + "'");
    };
    while (made.name < names_.size() && !fits(made.name)) ++made.name;
    if (made.name == names_.size()) return false;
    made.suffix = made.copy.name.substr(name_of(made.name).size());
    made.copy.name.clear();
    if (const ArrayId* owner = current.owners.find(id)) {
      made.owner = index_of(*owner);
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
  for (CopyId& copy : record.written.edit()) copy = index(copy);
  return known;
}

bool FlowMemo::describe_text(const WrittenFlow& flow, Recipe& recipe) {
  ast::Statement marked = flow.statement;
  std::size_t place = 0;
  const auto number_of = [&](const ast::ArrayRef& array) {
    return this->known(array.name->text).is_array ? 0 : -1;
  };
  for (ast::Identifier* name : names_in(marked, number_of))
    name->text = operand_mark(name_at_[place++]);
  recipe.text = print(marked, Spelling::Unicode);
  const bool is_right = place == name_at_.size() && text_of(recipe) == recipe.statement.text;
  recipe.statement.text.clear();
  return is_right;
}

}  // namespace shard
