// The rules of the language (docs/language.md, "What is checked") once more, small and on names: what a random program
// has to come to. Shares nothing with the checker, planning or the runtime's layouts.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "tests/interpreter/properties/random_program/placement.h"
#include "tests/interpreter/properties/random_program/text.h"
#include "tests/interpreter/properties/random_program/values.h"

namespace shard::random_program {

struct ModelArray {
  std::string name;
  Names dims;
  DType dtype = DType::Bf16;
  bool declared = false;
  bool computed = false;
  bool was_read = false;
  std::vector<Placement> copies;  // without axes of length 1
  bool copies_known = true;       // false once inference may have made more
  bool placement_known = true;    // false if inference chose it
  Values values;
};

struct Verdict {
  std::set<DiagnosticKind>
      errors;         // none: legal. Else at least one of them is reported, and nothing else
  bool known = true;  // false where the language leaves it to planning
  std::set<std::string> facts;  // "case 2", "two axes on one dimension", "batch dimension", …
  Names contracted;             // by the last product
};

class Model {
 public:
  // The machine, sizes and declarations of a script; its statements are judged one after the other.
  explicit Model(const Script& header);

  void declare(const Declaration& declaration);

  // Arrays grow if it is legal; the model is of no further use if it is not.
  Verdict judge(const Statement& statement);

  const std::vector<ModelArray>& arrays() const { return arrays_; }
  const std::map<std::string, std::size_t>& names() const { return names_; }
  // The value of each statement judged, and the array it is a copy of; unnamed ones are arrays as well.
  const std::vector<std::size_t>& results() const { return results_; }
  std::int64_t length_of_axes(const Names& axes) const;
  std::int64_t length_of_dimension(const std::string& name) const;
  bool divides(const std::string& dimension, const Names& axes) const;
  Placement trimmed(Placement placement) const;

 private:
  friend class Judge;

  std::map<std::string, std::int64_t> axes_;
  std::map<std::string, std::int64_t> lengths_;
  std::vector<ModelArray> arrays_;
  std::map<std::string, std::size_t> names_;
  std::vector<std::size_t> results_;
};

}  // namespace shard::random_program
