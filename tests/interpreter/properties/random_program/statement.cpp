#include "tests/interpreter/properties/random_program/statement.h"

#include <algorithm>
#include <array>

namespace shard::random_program {

namespace {

constexpr std::int64_t kMostElements = 6000;
constexpr std::int64_t kMostTerms = 60000;
constexpr std::size_t kMostRank = 4;

}  // namespace

std::optional<Statement> Proposer::propose() {
  switch (random_.below(10)) {
    case 0:
    case 1:
    case 2:
      return product();
    case 3:
      return chain();
    case 4:
      return local_product();
    case 5:
    case 6:
    case 7:
      return collective();
    default:
      return relayout();
  }
}

std::optional<Statement> Proposer::product() {
  Brackets left = operand(dims_of_new(1));
  auto right = partner(left, left.dims, Names());
  if (!right) return std::nullopt;
  Statement statement{.value = {.kind = Expr::Kind::Product}};
  statement.value.operands = {use(left), use(*right)};
  statement.value.indices = {written_index(left.dims, right->dims)};
  if (random_.chance(8)) wrap(statement.value.operands.front());
  add_product_target(statement);
  return statement;
}

std::optional<Statement> Proposer::chain() {
  const Brackets first = operand(dims_of_new(1));
  const auto second = partner(first, first.dims, Names());
  if (!second) return std::nullopt;
  Names left = kept_;
  const auto third = partner(*second, left, first.dims);
  if (!third) return std::nullopt;
  Statement statement{.value = {.kind = Expr::Kind::Product}};
  statement.value.operands = {use(first), use(*second), use(*third)};
  statement.value.indices = {{}, {}};
  add_product_target(statement);
  return statement;
}

std::optional<Statement> Proposer::local_product() {
  const Brackets left = operand(dims_of_new(1));
  if (left.bare) return std::nullopt;
  alike_ = true;
  auto right = partner(left, left.dims, Names());
  alike_ = false;
  if (!right || right->bare) return std::nullopt;
  Statement statement{.value = {.kind = Expr::Kind::Product}};
  statement.value.operands = {use(left), use(*right)};
  statement.value.indices = {{}};
  statement.value.local = true;
  statement.target = Brackets{.name = "?", .dims = kept_};
  statement.target->axes.resize(kept_.size());
  statement.target = natural_target(statement);
  return statement;
}

std::optional<Statement> Proposer::collective() {
  Brackets array = operand(dims_of_new(1), 25);
  if (array.bare) return std::nullopt;
  Statement statement{.value = use(array)};
  const int depth = random_.chance(20) ? 2 : 1;
  Placement placement{.dims = array.axes,
                      .unreduced = {array.unreduced.begin(), array.unreduced.end()}};
  for (int i = 0; i < depth; ++i) {
    auto wrapped = collective_of(statement.value, array.dims, placement);
    if (!wrapped) return std::nullopt;
    statement.value = std::move(*wrapped);
  }
  const std::size_t form = random_.below(10);
  if (form == 0 && statement.value.collective != CollectiveKind::CollectivePermute)
    return statement;
  statement.target = Brackets{.name = form < 7 ? array.name : new_name(), .dims = array.dims};
  show(placement, *statement.target);
  if (form == 9) rename(*statement.target);
  declare_target(statement);
  if (random_.chance(15)) {
    statement.value.axes.clear();
    statement.value.homes.clear();
  }
  if (random_.chance(15)) statement.value.homes.clear();
  statement.assignment = random_.chance(50);
  return statement;
}

std::optional<Statement> Proposer::relayout() {
  const Brackets array = operand(dims_of_new(1), 15);
  Statement statement{.value = use(array)};
  Names dims = array.dims;
  const bool copy = random_.chance(50);
  if (!copy && random_.chance(40)) random_.shuffle(dims);
  Brackets target = placed(copy ? array.name : new_name(), dims, 0);
  if (!copy && random_.chance(15)) rename(target);
  if (!array.unreduced.empty() && random_.chance(30)) keep_pending(array, target);
  statement.target = std::move(target);
  declare_target(statement);
  statement.assignment = random_.chance(40);
  return statement;
}

Names Proposer::dims_of_new(std::size_t least) {
  Names pool = pool_names();
  random_.shuffle(pool);
  pool.resize(std::min(pool.size(), least + random_.below(kMostRank)));
  while (pool.size() > kMostRank || (pool.size() > least && elements(pool) > kMostElements))
    pool.pop_back();
  return pool;
}

Brackets Proposer::operand(const Names& dims, int pending) {
  if (!draft_.model.names().empty() && random_.chance(55)) return known_use();
  return new_input(dims, pending);
}

Brackets Proposer::new_input(const Names& dims, int pending) {
  Brackets input = placed(new_name(), dims, pending);
  declare(input, dtype_);
  return input;
}

void Proposer::declare(const Brackets& input, DType dtype) {
  if (dtype == DType::Bf16 && random_.chance(50)) return;
  const Declaration declaration{.array = input, .dtype = dtype};
  draft_.script.declarations.push_back(declaration);
  draft_.model.declare(declaration);
}

Brackets Proposer::known_use() {
  std::vector<std::string> names;
  for (const auto& [name, id] : draft_.model.names()) names.push_back(name);
  const std::string name = random_.pick(names);
  const ModelArray& array = draft_.model.arrays()[draft_.model.names().at(name)];
  Brackets brackets{.name = name, .dims = array.dims};
  brackets.axes.resize(array.dims.size());
  if (!array.placement_known || (array.copies_known && random_.chance(8))) {
    brackets.bare = true;
    return brackets;
  }
  if (!array.computed && random_.chance(12)) return placed(name, array.dims, 0);
  show(random_.pick(array.copies), brackets);
  if (random_.chance(6)) rename(brackets);
  return brackets;
}

std::optional<Brackets> Proposer::partner(const Brackets& beside, const Names& left,
                                          const Names& before) {
  if (left.empty()) return std::nullopt;
  Names others = left;
  random_.shuffle(others);
  Names summed(others.begin(), others.begin() + 1);
  if (others.size() > 1 && random_.chance(25)) summed.push_back(others[1]);
  Names batch;
  for (std::size_t i = summed.size(); i < others.size(); ++i) {
    if (random_.chance(25)) batch.push_back(others[i]);
  }
  Names fresh = pool_names();
  std::erase_if(fresh,
                [&](const auto& name) { return contains(left, name) || contains(before, name); });
  random_.shuffle(fresh);
  fresh.resize(std::min(fresh.size(), random_.below(3)));
  kept_.clear();
  for (const std::string& name : left) {
    if (!contains(summed, name)) kept_.push_back(name);
  }
  kept_.insert(kept_.end(), fresh.begin(), fresh.end());
  Names dims = summed;
  dims.insert(dims.end(), batch.begin(), batch.end());
  dims.insert(dims.end(), fresh.begin(), fresh.end());
  random_.shuffle(dims);
  Names all = left;
  all.insert(all.end(), fresh.begin(), fresh.end());
  if (dims.size() > kMostRank || kept_.size() > kMostRank || elements(dims) > kMostElements ||
      elements(kept_) > kMostElements || elements(all) > kMostTerms)
    return std::nullopt;
  Brackets right = placed(new_name(), dims, 4);
  if (!beside.bare) correlate(beside, right);
  declare(right, dtype_);
  return right;
}

void Proposer::correlate(const Brackets& left, Brackets& right) {
  // Case 4 needs most help.
  const std::size_t draw = random_.below(10);
  const std::size_t form = alike_ || draw < 3 ? 0 : 1;
  if (draw > 6 && !alike_) return;
  for (std::size_t i = 0; i < right.dims.size(); ++i) {
    const auto shared = std::find(left.dims.begin(), left.dims.end(), right.dims[i]);
    const auto place = static_cast<std::size_t>(shared - left.dims.begin());
    if (form == 0 && shared != left.dims.end()) {
      remove_axes(right, left.axes[place]);
      right.axes[i] = left.axes[place];
    }
    if (form == 1 && shared == left.dims.end()) take_free_axis(left, right, i);
  }
  if (!alike_) return;
  // Nothing may split kept dimensions of both.
  for (std::size_t i = 0; i < right.dims.size(); ++i) {
    if (contains(left.dims, right.dims[i])) continue;
    for (const Names& split : left.axes)
      std::erase_if(right.axes[i], [&](const auto& axis) { return contains(split, axis); });
  }
  right.unreduced.clear();
}

void Proposer::take_free_axis(const Brackets& left, Brackets& right, std::size_t dimension) {
  for (std::size_t i = 0; i < left.dims.size(); ++i) {
    if (contains(right.dims, left.dims[i]) || left.axes[i].empty()) continue;
    const Names axes = {left.axes[i].front()};
    if (!draft_.model.divides(right.dims[dimension], axes)) continue;
    remove_axes(right, axes);
    right.axes[dimension] = axes;
    return;
  }
}

void Proposer::remove_axes(Brackets& brackets, const Names& axes) {
  const auto named = [&](const std::string& axis) { return contains(axes, axis); };
  for (Names& split : brackets.axes) std::erase_if(split, named);
  std::erase_if(brackets.unreduced, named);
}

Names Proposer::written_index(const Names& left, const Names& right) {
  if (random_.chance(55)) return {};
  Names index;
  for (const std::string& name : left) {
    if (contains(right, name) && !contains(kept_, name)) index.push_back(name);
  }
  return index;
}

void Proposer::add_product_target(Statement& statement) {
  const std::size_t form = random_.below(10);
  if (form == 0) return;
  Names dims = kept_;
  if (random_.chance(30)) random_.shuffle(dims);
  const std::string name = random_.chance(6) ? old_name() : new_name();
  statement.target = placed(name, dims, 0);
  statement.target->bare = form == 1;
  statement.assignment = form == 1 || random_.chance(40);
  if (!statement.target->bare && random_.chance(12)) leave_pending(statement);
  declare_target(statement);
}

void Proposer::declare_target(const Statement& statement) {
  if (!statement.target || statement.target->bare || contains_name(statement.target->name) ||
      !random_.chance(6))
    return;
  const Declaration declaration{.array = *statement.target,
                                .dtype = dtype_ == DType::Fp32 ? DType::Bf16 : DType::Fp32};
  draft_.script.declarations.push_back(declaration);
  draft_.model.declare(declaration);
}

void Proposer::leave_pending(Statement& statement) {
  for (const Expr& operand : statement.value.operands) {
    for (std::size_t i = 0; i < operand.use.dims.size(); ++i) {
      if (contains(kept_, operand.use.dims[i]) || operand.use.axes[i].empty()) continue;
      remove_axes(*statement.target, operand.use.axes[i]);
      statement.target->unreduced = operand.use.axes[i];
      return;
    }
  }
}

void Proposer::keep_pending(const Brackets& array, Brackets& target) {
  remove_axes(target, array.unreduced);
  target.unreduced = array.unreduced;
}

std::optional<Brackets> Proposer::natural_target(Statement statement) {
  statement.target.reset();
  Names shared;
  const auto& operands = statement.value.operands;
  for (const std::string& name : operands[0].use.dims) {
    if (contains(operands[1].use.dims, name) && !contains(kept_, name)) shared.push_back(name);
  }
  statement.value.indices = {shared};
  Model scratch = draft_.model;
  const Verdict verdict = scratch.judge(statement);
  Brackets target = placed(new_name(), kept_, 0);
  if (!verdict.errors.empty() || !verdict.known) return target;
  const ModelArray& result = scratch.arrays()[scratch.results().back()];
  if (result.copies.empty()) return target;
  target.dims = result.dims;
  show(result.copies.front(), target);
  return target;
}

}  // namespace shard::random_program
