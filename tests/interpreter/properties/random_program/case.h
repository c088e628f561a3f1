// Running a random program, and judging what comes out.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/session/session.h"
#include "runtime/array/device_array.h"
#include "tests/interpreter/properties/random_program/model.h"
#include "tests/interpreter/properties/random_program/text.h"

namespace shard::random_program {

// The program that is being run, for a crash that leaves no time for more.
std::string& current_program();

// How many programs had what, by its name.
using Hits = std::map<std::string, int>;

// What the model says of a whole script; only its last statement may be wrong.
struct Judgement {
  Model model;
  std::vector<Verdict> verdicts;
  bool usable = true;  // every verdict is known
  bool legal() const { return verdicts.empty() || verdicts.back().errors.empty(); }
};

Judgement judge(const Script& script);
// Kinds of the errors among diagnostics.
std::set<DiagnosticKind> errors_of(const Outcome& outcome);

// One script through a session, and everything that can be said against what came out.
class Case {
 public:
  Case(const Script& script, const Style& style);

  bool usable() const { return judgement_.usable; }

  // Runs it. What is wrong: the verdict, a value, a cost; empty if nothing is.
  std::string complaint();
  // REQUIRES: it was run. The report is the same for every number of threads.
  std::string complaint_about_threads() const;
  // The same bits with every device's own blocks, hop by hop or not.
  std::string complaint_about_bits() const;

  // Formatting changes nothing: canonical text gives the same report, and formats to itself.
  std::string complaint_about_format() const;
  void count(Hits& hits) const;
  bool legal() const { return judgement_.legal(); }
  const std::string& text() const { return text_; }

 private:
  std::string diagnostics() const;

  // ------------------------------------------------------------ costs

  // A statement's steps cost what its way was weighed at, and no way that was weighed is cheaper.
  std::string complaint_about_costs() const;
  static std::string complaint_about_steps(const Program& program);
  static std::string complaint_about_timeline(const Program& program);
  static std::string complaint_about_sum(const Program& program, const StatementRecord& record);

  // ------------------------------------------------------------ values

  // Every array that a statement made, in every layout, against the naive computation.
  std::string compare_values();
  std::optional<std::size_t> input_called(const std::string& name) const;
  std::string compare(const Copy& copy, const ModelArray& expected, const GlobalArray& computed,
                      const Mesh& mesh);

  // ------------------------------------------------------------ what was hit

  static void add_plan_facts(const Program& program, const StatementRecord& record,
                             const std::set<std::string>& facts, std::set<std::string>& all);

  std::string text_;
  Judgement judgement_;
  Session session_;
  Outcome outcome_;
  int compared_ = 0;
  int left_out_ = 0;
};

}  // namespace shard::random_program
