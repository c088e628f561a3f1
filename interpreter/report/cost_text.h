// Costs as the report writes them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "interpreter/estimate/totals.h"
#include "interpreter/report/table.h"
#include "runtime/cost/cost.h"

namespace shard {

// Whether all figures are numbers.
bool is_numeric(const Cost& cost);
bool is_numeric(const Totals& totals);
// FLOPs, bytes moved, T_math, T_hbm, T_comms and the bound; null if they are formulas.
Table::Cells cells_of(const Totals& totals);
// Formulas are too long for columns: each figure gets a line of its own, below the line of the label.
std::string formula_lines(const Cost& cost, const std::string& indent);
std::string formula_lines(const Totals& totals, const std::string& indent);

// The report's texts for costs, each made once even if many steps share the cost.
class CostTexts {
 public:
  Table::Cells cells_of(const std::shared_ptr<const Cost>& cost);
  const std::string& formulas_of(const std::shared_ptr<const Cost>& cost,
                                 const std::string& indent);

 private:
  std::unordered_map<std::shared_ptr<const Cost>, Table::Cells> cells_;
  std::map<std::pair<std::shared_ptr<const Cost>, std::string>, std::string> formulas_;
};

}  // namespace shard
