#include "interpreter/lower/alternatives.h"

#include <fmt/format.h>

#include "base/contains.h"
#include "interpreter/lower/written.h"

namespace shard {

namespace {

using planning::Made;
using planning::Move;

// Tells one way of a statement.
class Description {
 public:
  Description(const StatementRecord& record, const Program& program, const Scope& scope)
      : record_(record),
        flow_(record.flow.get()),
        program_(program),
        scope_(scope),
        mesh_(program.machine.mesh),
        shown_({.target = flow_.is_unnamed ? "Out" : scope.arrays[flow_.target].name,
                .dtype = {},
                .copies_of = {},
                .intermediates = record.intermediates}) {}

  std::vector<std::string> lines_of(const Made& made) {
    describe(made, flow_.value);
    return std::move(lines_);
  }

 private:
  // Adds the lines of a way; returns what the operation is called in them. Unnamed results are numbered as in the steps
  // of the way that is taken.
  std::string describe(const Made& made, const checked::Operation& operation) {
    std::string name = shown_.target;
    std::vector<std::string> names = scope_.names_of(operation.labels);
    if (std::holds_alternative<std::size_t>(made.origin)) {
      const auto* use = std::get_if<checked::Use>(&operation.node);
      name = use != nullptr ? scope_.arrays[use->array].name
                            : program_.plan.copies[record_.written[next_written_++]].name;
    } else {
      const auto& made_from = std::get<planning::MadeFrom>(made.origin).operands;
      const auto parts = operands_of(operation);
      std::vector<std::string> operands;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string operand = describe(*made_from[i], *parts[i]);
        operands.push_back(
            operand + to_string(made_from[i]->layout, scope_.names_of(parts[i]->labels), mesh_));
      }
      const bool outermost = &operation == &flow_.value;
      // A softmax has three unnamed results of its own.
      if (std::holds_alternative<checked::Softmax>(operation.node)) shown_.intermediates += 3;
      if (!outermost) name = shown_.next_intermediate();
      lines_.push_back(text_of(operation, operands) + " → " + name +
                       to_string(made.start, names, mesh_));
    }
    for (const Move& move : made.moves) {
      std::string line;
      if (move.transpose) {
        line = name + to_string(move.from, names, mesh_);
        name = shown_.target;
        names = scope_.names_of(flow_.labels);
        line += " → " + name + to_string(move.to, names, mesh_);
      } else {
        line = shard::text_of(move, name, name, names, mesh_);
      }
      // An operand that stands twice is moved once.
      if (!contains(lines_, line)) lines_.push_back(std::move(line));
    }
    return name;
  }

  // An operation with its operands as given.
  std::string text_of(const checked::Operation& operation,
                      const std::vector<std::string>& operands) const {
    const auto parts = operands_of(operation);
    return match(
        operation.node, [](const checked::Use&) { return std::string(); },
        [&](const checked::Product&) {
          return operands[0] + " " +
                 product_sign(parts[0]->labels, parts[1]->labels, operation.labels, scope_) + " " +
                 operands[1];
        },
        [&](const checked::Elementwise& elements) { return to_string(elements.program, operands); },
        [&](const checked::Reduction& reduction) {
          return fmt::format("{}_{}({})", name_of(reduction.kind),
                             reduced_names(parts[0]->labels, operation.labels, scope_),
                             operands[0]);
        },
        [&](const checked::Softmax& softmax) {
          return fmt::format("softmax_{}({})", subscript_of(softmax.along, scope_), operands[0]);
        },
        [&](const checked::Selection& selection) {
          return selection_text(selection, operands, operation.labels, scope_);
        },
        [](const checked::Collective&) { return std::string(); });
  }

  const StatementRecord& record_;
  const checked::Flow flow_;
  const Program& program_;
  const Scope& scope_;
  const Mesh& mesh_;
  ResultNames shown_;
  std::size_t next_written_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<WeighedWay> weighed_ways(const StatementRecord& record, const Program& program,
                                     const Scope& scope) {
  std::vector<WeighedWay> ways;
  if (record.ways == nullptr) return ways;
  for (const planning::MadePtr& made : record.ways->made) {
    ways.push_back({.steps = Description(record, program, scope).lines_of(*made),
                    .cost = {made, &made->cost},
                    .time = made->time});
  }
  return ways;
}

}  // namespace shard
