// What a program was an example of.
#include "tests/interpreter/properties/random_program/case.h"

namespace shard::random_program {

void Case::count(Hits& hits) const {
  if (!judgement_.legal()) {
    for (const DiagnosticKind kind : errors_of(outcome_))
      ++hits["rejected: " + std::string(info(kind).name)];
    return;
  }
  std::set<std::string> facts;
  for (std::size_t i = 0; i < judgement_.verdicts.size(); ++i) {
    const auto& of_statement = judgement_.verdicts[i].facts;
    facts.insert(of_statement.begin(), of_statement.end());
    for (const Program& program : session_.state().programs)
      add_plan_facts(program, program.statements[i], of_statement, facts);
  }
  for (const std::string& fact : facts) ++hits[fact];
  hits["arrays compared with the naive values"] += compared_;
  hits["arrays left out, rounding open"] += left_out_;
}

void Case::add_plan_facts(const Program& program, const StatementRecord& record,
                          const std::set<std::string>& facts, std::set<std::string>& all) {
  bool multiplied = false;
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    const auto& action = program.plan.steps[i].action;
    const auto* collective = std::get_if<CollectiveStep>(&action);
    multiplied = multiplied || std::holds_alternative<ContractStep>(action);
    const bool slices = std::holds_alternative<SliceStep>(action);
    if (slices) all.insert("slice executed");
    if (collective != nullptr)
      all.insert(std::string(shard::name_of(collective->kind)) + " executed");
    const bool gathers = collective != nullptr && collective->kind == CollectiveKind::AllGather;
    if (facts.count("case 2") != 0 && !multiplied && gathers) all.insert("case 2 by AllGather");
    if (facts.count("case 2") != 0 && !multiplied && slices) all.insert("case 2 by slice");
    if (facts.count("case 3") == 0 || !multiplied || collective == nullptr) continue;
    if (collective->kind == CollectiveKind::AllReduce) all.insert("case 3 by AllReduce");
    if (collective->kind == CollectiveKind::ReduceScatter) all.insert("case 3 by ReduceScatter");
  }
}

}  // namespace shard::random_program
