#include "tests/interpreter/random_program.h"

#include <algorithm>
#include <array>

namespace shard::random_program {

namespace {

using Kind = DiagnosticKind;

constexpr std::int64_t kMostDevices = 32;
constexpr std::int64_t kMostElements = 6000;
constexpr std::int64_t kMostTerms = 60000;
constexpr std::size_t kMostRank = 4;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What a statement is proposed in. Discarded with the proposal if it comes to nothing.
struct Draft {
  Script script;
  Model model;
};

class Proposer {
 public:
  Proposer(Random& random, Draft& draft, DType dtype)
      : random_(random), draft_(draft), dtype_(dtype) {}

  // ------------------------------------------------------------ statements

  std::optional<Statement> propose() {
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

  std::optional<Statement> product() {
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

  std::optional<Statement> chain() {
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

  // ·LOCAL with the target that it needs.
  std::optional<Statement> local_product() {
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

  std::optional<Statement> collective() {
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
      statement.value.dimension.reset();
    }
    if (random_.chance(15)) statement.value.dimension.reset();
    statement.assignment = random_.chance(50);
    return statement;
  }

  std::optional<Statement> relayout() {
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

  // ------------------------------------------------------------ pieces

  // The dimensions of a new array; `least` at least.
  Names dims_of_new(std::size_t least) {
    Names pool = pool_names();
    random_.shuffle(pool);
    pool.resize(std::min(pool.size(), least + random_.below(kMostRank)));
    while (pool.size() > kMostRank || (pool.size() > least && elements(pool) > kMostElements))
      pool.pop_back();
    return pool;
  }

  // A new input, or a use of an array that is there.
  Brackets operand(const Names& dims, int pending = 6) {
    if (!draft_.model.names().empty() && random_.chance(55)) return known_use();
    return new_input(dims, pending);
  }

  Brackets new_input(const Names& dims, int pending) {
    Brackets input = placed(new_name(), dims, pending);
    declare(input, dtype_);
    return input;
  }

  void declare(const Brackets& input, DType dtype) {
    if (dtype == DType::Bf16 && random_.chance(50)) return;
    const Declaration declaration{.array = input, .dtype = dtype};
    draft_.script.declarations.push_back(declaration);
    draft_.model.declare(declaration);
  }

  Brackets known_use() {
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

  // The other side of a product: shares dimensions with `left`. Leaves in `kept_` what the product has.
  std::optional<Brackets> partner(const Brackets& beside, const Names& left, const Names& before) {
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
    std::erase_if(fresh, [&](const auto& name) { return contains(left, name) || contains(before, name); });
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

  // Makes meeting layouts likely: shared dimensions split alike (cases 1 and 3), or free ones over one axis (case 4).
  void correlate(const Brackets& left, Brackets& right) {
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

  void take_free_axis(const Brackets& left, Brackets& right, std::size_t dimension) {
    for (std::size_t i = 0; i < left.dims.size(); ++i) {
      if (contains(right.dims, left.dims[i]) || left.axes[i].empty()) continue;
      const Names axes = {left.axes[i].front()};
      if (!draft_.model.divides(right.dims[dimension], axes)) continue;
      remove_axes(right, axes);
      right.axes[dimension] = axes;
      return;
    }
  }

  static void remove_axes(Brackets& brackets, const Names& axes) {
    const auto named = [&](const std::string& axis) { return contains(axes, axis); };
    for (Names& split : brackets.axes) std::erase_if(split, named);
    std::erase_if(brackets.unreduced, named);
  }

  Names written_index(const Names& left, const Names& right) {
    if (random_.chance(55)) return {};
    Names index;
    for (const std::string& name : left) {
      if (contains(right, name) && !contains(kept_, name)) index.push_back(name);
    }
    return index;
  }

  void add_product_target(Statement& statement) {
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

  // Now and then a new array is declared, with an element type of its own.
  void declare_target(const Statement& statement) {
    if (!statement.target || statement.target->bare || contains_name(statement.target->name) ||
        !random_.chance(6))
      return;
    const Declaration declaration{.array = *statement.target,
                                  .dtype = dtype_ == DType::Fp32 ? DType::Bf16 : DType::Fp32};
    draft_.script.declarations.push_back(declaration);
    draft_.model.declare(declaration);
  }

  // The target unreduced over an axis that splits a summed dimension.
  void leave_pending(Statement& statement) {
    for (const Expr& operand : statement.value.operands) {
      for (std::size_t i = 0; i < operand.use.dims.size(); ++i) {
        if (contains(kept_, operand.use.dims[i]) || operand.use.axes[i].empty()) continue;
        remove_axes(*statement.target, operand.use.axes[i]);
        statement.target->unreduced = operand.use.axes[i];
        return;
      }
    }
  }

  void keep_pending(const Brackets& array, Brackets& target) {
    remove_axes(target, array.unreduced);
    target.unreduced = array.unreduced;
  }

  // The target that a statement without communication has.
  std::optional<Brackets> natural_target(Statement statement) {
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

  // ------------------------------------------------------------ collectives

  void wrap(Expr& operand) {
    if (operand.use.bare) return;
    Placement placement{.dims = operand.use.axes,
                        .unreduced = {operand.use.unreduced.begin(), operand.use.unreduced.end()}};
    if (auto wrapped = collective_of(operand, operand.use.dims, placement))
      operand = std::move(*wrapped);
  }

  // A collective that fits; `placement` becomes what it leaves.
  std::optional<Expr> collective_of(const Expr& value, const Names& dims, Placement& placement) {
    Expr result{.kind = Expr::Kind::Collective, .use = {}, .operands = {value}};
    constexpr std::array kKinds = {CollectiveKind::AllGather,     CollectiveKind::ReduceScatter,
                                   CollectiveKind::AllReduce,     CollectiveKind::AllToAll,
                                   CollectiveKind::CollectivePermute, CollectiveKind::Shift};
    for (int attempt = 0; attempt < 8; ++attempt) {
      result.collective = kKinds[random_.below(kKinds.size())];
      result.dimension.reset();
      const Placement before = placement;
      if (fill(result, dims, placement)) return result;
      placement = before;
    }
    return std::nullopt;
  }

  bool fill(Expr& collective, const Names& dims, Placement& placement) {
    switch (collective.collective) {
      case CollectiveKind::AllGather:
        return fill_gather(collective, placement);
      case CollectiveKind::AllReduce:
      case CollectiveKind::ReduceScatter:
        return fill_reduction(collective, dims, placement);
      case CollectiveKind::AllToAll:
        return fill_exchange(collective, dims, placement);
      case CollectiveKind::CollectivePermute:
        return fill_permute(collective, placement);
      case CollectiveKind::Shift:
        return fill_shift(collective, placement);
    }
    return false;
  }

  // Some of the last axes of a dimension, now and then any of them.
  Names some_axes(Names& split, bool whole) {
    if (split.empty()) return {};
    const std::size_t count = whole ? split.size() : 1 + random_.below(split.size());
    if (random_.chance(40)) random_.shuffle(split);
    Names taken(split.end() - static_cast<std::ptrdiff_t>(count), split.end());
    return taken;
  }

  bool fill_gather(Expr& collective, Placement& placement) {
    Names taken;
    for (Names& split : placement.dims) {
      if (split.empty() || random_.chance(40)) continue;
      Names order = split;
      const Names some = some_axes(order, random_.chance(50));
      std::erase_if(split, [&](const auto& axis) { return contains(some, axis); });
      taken.insert(taken.end(), some.begin(), some.end());
    }
    collective.axes = taken;
    return !taken.empty();
  }

  bool fill_reduction(Expr& collective, const Names& dims, Placement& placement) {
    Names pending(placement.unreduced.begin(), placement.unreduced.end());
    if (pending.empty() || dims.empty()) return false;
    random_.shuffle(pending);
    pending.resize(1 + random_.below(pending.size()));
    for (const std::string& axis : pending) placement.unreduced.erase(axis);
    collective.axes = pending;
    if (collective.collective == CollectiveKind::AllReduce) return true;
    return append(collective, dims, placement, random_.below(dims.size()));
  }

  bool fill_exchange(Expr& collective, const Names& dims, Placement& placement) {
    if (dims.size() < 2) return false;
    const std::size_t from = random_.below(dims.size());
    const std::size_t to = random_.below(dims.size());
    if (from == to || placement.dims[from].empty()) return false;
    Names order = placement.dims[from];
    collective.axes = some_axes(order, random_.chance(50));
    std::erase_if(placement.dims[from],
                  [&](const auto& axis) { return contains(collective.axes, axis); });
    return append(collective, dims, placement, to);
  }

  bool append(Expr& collective, const Names& dims, Placement& placement, std::size_t to) {
    Names& split = placement.dims[to];
    split.insert(split.end(), collective.axes.begin(), collective.axes.end());
    collective.dimension = dims[to];
    return draft_.model.divides(dims[to], split);
  }

  bool fill_permute(Expr& collective, Placement& placement) {
    for (Names& split : placement.dims) {
      if (split.size() < 2) continue;
      collective.axes = split;
      random_.shuffle(split);
      return collective.axes != split && collective.operands.front().kind == Expr::Kind::Use;
    }
    return false;
  }

  bool fill_shift(Expr& collective, Placement& placement) {
    Names axes;
    for (const Names& split : placement.dims) axes.insert(axes.end(), split.begin(), split.end());
    if (axes.empty()) return false;
    collective.axes = {random_.pick(axes)};
    collective.shift = random_.pick(std::vector<int>{1, 1, -1, 2, 3});
    return true;
  }

  // ------------------------------------------------------------ brackets

  // A random layout that divides.
  Brackets placed(std::string name, const Names& dims, int pending) {
    Brackets brackets{.name = std::move(name), .dims = dims};
    brackets.axes.resize(dims.size());
    Names axes = axis_names();
    random_.shuffle(axes);
    const std::size_t stack = random_.chance(25) && !dims.empty() ? random_.below(dims.size()) : 99;
    for (const std::string& axis : axes) {
      if (random_.chance(pending)) {
        brackets.unreduced.push_back(axis);
        continue;
      }
      if (dims.empty() || random_.chance(30)) continue;
      const std::size_t place = stack < dims.size() ? stack : random_.below(dims.size());
      Names more = brackets.axes[place];
      more.push_back(axis);
      if (draft_.model.divides(dims[place], more)) brackets.axes[place] = more;
    }
    return brackets;
  }

  // The brackets show a placement; axes of length 1 may stand anywhere.
  void show(const Placement& placement, Brackets& brackets) {
    brackets.axes = placement.dims;
    brackets.unreduced.assign(placement.unreduced.begin(), placement.unreduced.end());
    random_.shuffle(brackets.unreduced);
    for (const std::string& axis : axis_names()) {
      if (draft_.model.length_of_axes({axis}) != 1 || !random_.chance(20) || brackets.dims.empty())
        continue;
      bool used = contains(brackets.unreduced, axis);
      for (const Names& split : brackets.axes) used = used || contains(split, axis);
      if (used) continue;
      Names& split = brackets.axes[random_.below(brackets.dims.size())];
      split.insert(split.begin() + static_cast<std::ptrdiff_t>(random_.below(split.size() + 1)), axis);
    }
  }

  // Another name of equal length for one dimension.
  void rename(Brackets& brackets) {
    for (std::string& dimension : brackets.dims) {
      for (const std::string& other : pool_names()) {
        if (contains(brackets.dims, other) || length(other) != length(dimension)) continue;
        dimension = other;
        return;
      }
    }
  }

  static Expr use(Brackets brackets) { return {.kind = Expr::Kind::Use, .use = std::move(brackets)}; }

  std::string new_name() {
    static const Names kNames = {"A",   "B",   "E",    "G",  "H",  "A'", "In", "Out", "Win", "Wout",
                                 "Tmp", "W_q", "A_1",  "R",  "S",  "T",  "V",  "B'",  "Q1",  "Q2",
                                 "h",   "x_1", "dL/dE", "y", "Acc", "K_1", "Z0", "Y0"};
    for (const std::string& name : kNames) {
      if (!contains_name(name) && !contains(used_, name)) {
        used_.push_back(name);
        return name;
      }
    }
    return "Spare" + std::to_string(used_.size());
  }

  std::string old_name() {
    for (const auto& [name, id] : draft_.model.names()) {
      if (random_.chance(50)) return name;
    }
    return new_name();
  }

  bool contains_name(const std::string& name) const { return draft_.model.names().count(name) != 0; }

  Names pool_names() const {
    Names names;
    for (const Dimension& dimension : draft_.script.dimensions) names.push_back(dimension.name);
    return names;
  }
  Names axis_names() const {
    Names names;
    for (const Axis& axis : draft_.script.axes) names.push_back(axis.name);
    return names;
  }
  std::int64_t length(const std::string& dimension) const {
    return draft_.model.length_of_dimension(dimension);
  }
  std::int64_t elements(const Names& dims) const {
    std::int64_t count = 1;
    for (const std::string& dimension : dims) count *= length(dimension);
    return count;
  }

 private:
  Random& random_;
  Draft& draft_;
  DType dtype_;
  Names kept_;   // dimensions of the product that is being proposed
  Names used_;   // names that it has taken
  bool alike_ = false;
};

// Makes one kind of mistake in a statement that is legal as it stands.
class Spoiler {
 public:
  Spoiler(Random& random, Draft& draft, Statement& statement)
      : random_(random), draft_(draft), statement_(statement) {
    collect(statement.value);
    if (statement.target && !statement.target->bare) all_.push_back(&*statement.target);
  }

  void spoil(Kind kind) {
    switch (kind) {
      case Kind::AxisReused:
        return reuse_axis();
      case Kind::UnknownAxis:
        return add_axis("T");
      case Kind::NotDivisible:
        return add_axis(random_.pick(axis_names()));
      case Kind::NoSuchCopy:
      case Kind::WrongCollective:
        return change_layout(kind == Kind::NoSuchCopy ? use() : target());
      case Kind::RankMismatch:
        return drop_dimension(use());
      case Kind::TransposedUse:
        return swap_dimensions(random_.chance(70) ? use() : target());
      case Kind::SizeMismatch:
        return change_dimension(random_.chance(70) ? use() : target());
      case Kind::DimensionReused:
        return repeat_dimension();
      case Kind::DroppedDimension:
        return drop_dimension(target());
      case Kind::TargetMismatch:
        return add_dimension();
      case Kind::LocalNeedsCommunication:
        statement_.value.local = true;
        statement_.value.indices.assign(statement_.value.indices.size(), {});
        return;
      case Kind::LocalNeedsUnreduced:
        if (Brackets* brackets = target()) brackets->unreduced.clear();
        return;
      case Kind::ResultUnreduced:
      case Kind::UnreducedOperand:
        return add_unreduced(kind == Kind::ResultUnreduced ? target() : use());
      case Kind::AmbiguousContraction:
        statement_.target.reset();
        for (Names& index : statement_.value.indices) index.clear();
        return;
      case Kind::BadContraction:
      case Kind::UnknownDimension:
        return change_index();
      case Kind::NoSharedDimension:
        statement_.target.reset();
        return change_dimension(use());
      case Kind::NotSharded:
      case Kind::NotUnreduced:
        if (statement_.value.kind == Expr::Kind::Collective)
          statement_.value.axes = {random_.pick(axis_names())};
        return;
      case Kind::AmbiguousCollective:
        statement_.target.reset();
        statement_.value.dimension.reset();
        if (random_.chance(50)) statement_.value.axes.clear();
        return;
      case Kind::UnknownName:
        if (Brackets* brackets = use()) *brackets = {.name = "Nowhere", .bare = true};
        return;
      default:
        return;
    }
  }

 private:
  void collect(Expr& value) {
    if (value.kind == Expr::Kind::Use && !value.use.bare) {
      uses_.push_back(&value.use);
      all_.push_back(&value.use);
    }
    for (Expr& operand : value.operands) collect(operand);
  }

  Brackets* use() { return uses_.empty() ? nullptr : random_.pick(uses_); }
  Brackets* target() {
    return statement_.target && !statement_.target->bare ? &*statement_.target : nullptr;
  }
  Brackets* any() { return all_.empty() ? nullptr : random_.pick(all_); }

  Names axis_names() const {
    Names names;
    for (const Axis& axis : draft_.script.axes) names.push_back(axis.name);
    return names;
  }
  const std::string& some_dimension() {
    return draft_.script.dimensions[random_.below(draft_.script.dimensions.size())].name;
  }

  void reuse_axis() {
    Brackets* brackets = any();
    if (brackets == nullptr || brackets->dims.empty()) return;
    const std::string axis = random_.pick(axis_names());
    brackets->axes[random_.below(brackets->dims.size())].push_back(axis);
    if (random_.chance(30)) {
      brackets->unreduced.push_back(axis);
    } else {
      brackets->axes[random_.below(brackets->dims.size())].push_back(axis);
    }
  }

  void add_axis(const std::string& axis) {
    Brackets* brackets = any();
    if (brackets == nullptr || brackets->dims.empty()) return;
    if (random_.chance(20) && statement_.value.kind == Expr::Kind::Collective)
      statement_.value.axes.push_back(axis);
    else
      brackets->axes[random_.below(brackets->dims.size())].push_back(axis);
  }

  void change_layout(Brackets* brackets) {
    if (brackets == nullptr || brackets->dims.empty()) return;
    Names& split = brackets->axes[random_.below(brackets->dims.size())];
    if (split.empty() || random_.chance(30))
      split.push_back(random_.pick(axis_names()));
    else
      split.pop_back();
  }

  void drop_dimension(Brackets* brackets) {
    if (brackets == nullptr || brackets->dims.empty()) return;
    brackets->dims.pop_back();
    brackets->axes.pop_back();
  }

  void swap_dimensions(Brackets* brackets) {
    if (brackets == nullptr || brackets->dims.size() < 2) return;
    std::swap(brackets->dims[0], brackets->dims[1]);
    std::swap(brackets->axes[0], brackets->axes[1]);
  }

  void change_dimension(Brackets* brackets) {
    if (brackets == nullptr || brackets->dims.empty()) return;
    brackets->dims[random_.below(brackets->dims.size())] = some_dimension();
  }

  void repeat_dimension() {
    Brackets* brackets = any();
    if (brackets == nullptr || brackets->dims.size() < 2) return;
    brackets->dims[0] = brackets->dims[1];
  }

  void add_dimension() {
    Brackets* brackets = target();
    if (brackets == nullptr) return;
    brackets->dims.push_back(some_dimension());
    brackets->axes.emplace_back();
  }

  void add_unreduced(Brackets* brackets) {
    if (brackets == nullptr) return;
    const std::string axis = random_.pick(axis_names());
    bool used = contains(brackets->unreduced, axis);
    for (const Names& split : brackets->axes) used = used || contains(split, axis);
    if (!used) brackets->unreduced.push_back(axis);
  }

  void change_index() {
    if (statement_.value.kind == Expr::Kind::Collective && statement_.value.dimension)
      statement_.value.dimension = some_dimension();
    for (Names& index : statement_.value.indices) index = {some_dimension()};
  }

  Random& random_;
  Draft& draft_;
  Statement& statement_;
  std::vector<Brackets*> uses_;
  std::vector<Brackets*> all_;
};

constexpr std::array kMistakes = {
    Kind::AxisReused,         Kind::UnknownAxis,         Kind::NotDivisible,
    Kind::NoSuchCopy,         Kind::RankMismatch,        Kind::TransposedUse,
    Kind::SizeMismatch,       Kind::DimensionReused,     Kind::DroppedDimension,
    Kind::TargetMismatch,     Kind::LocalNeedsUnreduced, Kind::LocalNeedsCommunication,
    Kind::ResultUnreduced,    Kind::UnreducedOperand,    Kind::AmbiguousContraction,
    Kind::BadContraction,     Kind::UnknownDimension,    Kind::NoSharedDimension,
    Kind::NotSharded,         Kind::NotUnreduced,        Kind::WrongCollective,
    Kind::AmbiguousCollective, Kind::UnknownName,        Kind::DtypeMismatch};

std::optional<Statement> propose_for(Kind kind, Proposer& proposer, Random& random) {
  switch (kind) {
    case Kind::NotSharded:
    case Kind::NotUnreduced:
    case Kind::WrongCollective:
    case Kind::AmbiguousCollective:
      return proposer.collective();
    case Kind::LocalNeedsUnreduced:
      return proposer.local_product();
    case Kind::AmbiguousContraction:
    case Kind::BadContraction:
    case Kind::NoSharedDimension:
    case Kind::DroppedDimension:
    case Kind::LocalNeedsCommunication:
    case Kind::UnreducedOperand:
    case Kind::DtypeMismatch:
      return proposer.product();
    case Kind::UnknownDimension:
      return random.chance(50) ? proposer.product() : proposer.collective();
    default:
      return proposer.propose();
  }
}

class Generator {
 public:
  explicit Generator(Random& random)
      : random_(random), draft_{random_header(random, random.chance(35)), Model(Script{})} {
    draft_.model = Model(draft_.script);
    dtype_ = random_.pick(std::vector<DType>{DType::Bf16, DType::Bf16, DType::Fp32, DType::Fp32,
                                             DType::Int8});
  }

  RandomProgram generate() {
    const std::size_t count = 1 + random_.below(4);
    const bool spoiled = random_.chance(27);
    for (std::size_t i = 0; i < count; ++i) add_legal();
    if (spoiled) add_mistake();
    return {draft_.script,
            {.ascii = random_.chance(30), .commas = random_.chance(25), .unbraced = random_.chance(25)}};
  }

 private:
  void add_legal() {
    for (int attempt = 0; attempt < 30; ++attempt) {
      Draft trial = draft_;
      Proposer proposer(random_, trial, dtype_);
      const auto statement = proposer.propose();
      if (!statement) continue;
      const Verdict verdict = trial.model.judge(*statement);
      if (!verdict.known || !verdict.errors.empty()) continue;
      trial.script.statements.push_back(*statement);
      draft_ = std::move(trial);
      return;
    }
  }

  void add_mistake() {
    for (int choice = 0; choice < 6; ++choice) {
      const Kind kind = kMistakes[random_.below(kMistakes.size())];
      for (int attempt = 0; attempt < 25; ++attempt) {
        if (try_mistake(kind)) return;
      }
    }
  }

  bool try_mistake(Kind kind) {
    Draft trial = draft_;
    const DType other = dtype_ == DType::Int8 ? DType::Bf16 : DType::Int8;
    const bool mixes = kind == Kind::DtypeMismatch && !trial.model.names().empty();
    Proposer proposer(random_, trial, mixes ? other : dtype_);
    auto statement = propose_for(kind, proposer, random_);
    if (!statement) return false;
    Spoiler(random_, trial, *statement).spoil(kind);
    Model judge = trial.model;
    const Verdict verdict = judge.judge(*statement);
    if (!verdict.known || verdict.errors.count(kind) == 0) return false;
    trial.script.statements.push_back(*statement);
    draft_ = std::move(trial);
    return true;
  }

  Random& random_;
  Draft draft_;
  DType dtype_ = DType::Bf16;
};

}  // namespace

Script random_header(Random& random, bool hardware) {
  static const std::vector<std::int64_t> kLengths = {2, 2, 2, 2, 4, 4, 4, 3, 3, 1};
  static const std::vector<std::int64_t> kDimensions = {4, 8, 8, 12, 12, 16, 24, 6, 3, 5};
  Script script{.axes = {}, .hardware = hardware};
  static const Names kLetters = {"X", "Y", "Z", "W"};
  static const Names kWords = {"data", "model", "seq", "pipe"};
  const Names& names = hardware || random.chance(75) ? kLetters : kWords;
  const std::size_t count = hardware ? 3 : 1 + random.below(4);
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t length = random.pick(kLengths);
    // A slice does not name an axis of length 1.
    if (hardware && (length == 1 || devices * length > kMostDevices)) length = 2;
    if (devices * length > kMostDevices) length = 1;
    devices *= length;
    script.axes.push_back({names[i], length});
  }
  for (const char* name : {"I", "J", "K", "L", "M", "N", "D"})
    script.dimensions.push_back({name, random.pick(kDimensions)});
  // Twins, for brackets that rename.
  script.dimensions[4].length = script.dimensions[0].length;
  script.dimensions[5].length = script.dimensions[1].length;
  return script;
}

RandomProgram random_program(Random& random) { return Generator(random).generate(); }

std::optional<Statement> random_product(Random& random, Script& script) {
  Draft draft{script, Model(script)};
  Proposer proposer(random, draft, DType::Bf16);
  auto statement = proposer.product();
  if (!statement || !statement->target || statement->target->bare) return std::nullopt;
  Model judge = draft.model;
  const Verdict verdict = judge.judge(*statement);
  if (!verdict.known || !verdict.errors.empty()) return std::nullopt;
  script = std::move(draft.script);
  return statement;
}

}  // namespace shard::random_program
