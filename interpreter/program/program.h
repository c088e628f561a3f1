// What one machine runs: a plan, and where its steps come from.
//
// In this folder:
//   program.h       a plan, and where its steps come from
//   part_to_run.h   the part of it that an input of a session has to run
//   cut_sizes.h     the same program on smaller arrays
//   program_lengths.h, length_relations.h  its lengths, and how they depend on each other
//   element_values.h  values for symbols that elements are computed with
//   step_text.h     steps as text
//   equal_statements.h  statements of which a report shows one
//   ended_copies.h  copies that end without a `drop`
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cow_value.h"
#include "base/cow_vector.h"
#include "grammar/tree/expression.h"
#include "interpreter/ir/checked.h"
#include "interpreter/ir/symbols.h"
#include "interpreter/planning/cache.h"
#include "runtime/cost/cost.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

namespace shard {

// An array as a statement writes it.
struct WrittenArray {
  SharedList<std::string> dimensions;  // their names
  Layout layout;
};

// What a report shows of a step besides what the plan says. Its text is made of both (interpreter/program/step_text.h).
struct StepRecord {
  bool inferred = false;  // not written in the script
  // The operands in order and then the result, if the statement writes one of them in another way than its copy is
  // kept: with other names of dimensions, or as the whole of which a part is computed.
  SharedList<WrittenArray> written;
  // Never null; shared by steps of equal cost.
  std::shared_ptr<const Cost> cost = std::make_shared<const Cost>();
};

// A statement that was planned. Its steps are [first_step, end_step) of the plan.
struct StatementRecord {
  SharedValue<std::string> text;  // canonical
  Span span;
  std::size_t first_step = 0;
  std::size_t end_step = 0;
  ArrayId target;
  CopyId result;             // invalid if there was nothing to do
  planning::Ways ways;       // the first is the one taken; null if none were weighed
  bool is_argument = false;  // gives an array its name inside a function
  std::string remark = {};   // a note that the report has below it
  // With `overlap`: the number of parts in which products overlap with their collectives, and the time of the steps
  // without overlap.
  std::int64_t parts = 1;
  SharedValue<Formula> time_apart;
  checked::FlowOfStatement flow;
  bool names_part = false;  // gives a name to what an earlier statement has made on its way
  SharedList<checked::OnTheWay> on_the_way;
};

// A copy whose contents are needed after the run: to be printed, saved, or compared with another one or a number.
struct ArrayRequest {
  CopyId copy;
  std::optional<CopyId> other;
  std::optional<double> number;
  bool is_number_first = false;  // in the script; the relation is that of the array to the number
  ast::BinaryOp relation = ast::BinaryOp::Equal;  // of each element to the other one
  // How far apart two that count as equal may be: |a − b| ≤ allowed + allowed_part·|b|.
  double allowed = 0;
  double allowed_part = 0;
  std::size_t entry = 0;   // index in RunnerState::entries
  std::size_t row = 0;     // of a table that is printed
  std::size_t column = 0;  // likewise
  Span span;
};

// A copy that is a view when it is made, see `is_view`.
struct MadeView {
  std::size_t step = 0;  // that makes it
  bool is_read = false;
};

class LoweringCache;

// What one machine runs: a plan, and where its steps come from. `steps` is parallel to `plan.steps`.
struct Program {
  Machine machine;
  Plan plan;
  std::vector<StepRecord> steps;
  std::vector<StatementRecord> statements;
  std::vector<ArrayRequest> requests;
  bool is_sweep = false;  // a pass of a loop over sizes or machines, which only estimates
  IdMap<CopyId, ArrayId>
      owners;  // the array that a copy belongs to; unnamed intermediate results have none
  // Copies that a statement replaced, singly or with their whole array, by that statement.
  IdMap<CopyId, int> ended;
  // Views, those of each copy, and the copies that a step changed in place (interpreter/lower/kept_views.h).
  IdMap<CopyId, MadeView> views;
  IdMap<CopyId, std::vector<CopyId>> views_of;
  IdMap<CopyId, bool> changed_copies;
  std::set<CopyId> unreachable;  // depend on a collective that failed links make impossible
  // What was planned on `machine`. Copies of a program share it.
  std::shared_ptr<planning::Memo> memo = std::make_shared<planning::Memo>();
  // What was lowered on `machine` (interpreter/lower/lowering_cache.h); null before the first flow. Shared likewise.
  std::shared_ptr<LoweringCache> lowered = nullptr;
};

// What follows is planned on this machine: another one, or the same with more axes.
void set_machine(Program& program, const Machine& machine);

// Whether all lengths of a copy are numbers.
bool has_size(const Copy& copy);
// Whether those of all copies are.
bool has_all_sizes(const Program& program);
// The plan as it is run and as memory is counted: inputs first, every copy freed after its last use or where a new
// array ended it, unless it is in `keep`.
Plan finished_plan(const Program& program, const std::vector<CopyId>& keep);

}  // namespace shard
