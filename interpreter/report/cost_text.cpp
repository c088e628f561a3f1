#include "interpreter/report/cost_text.h"

#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/line_width.h"
#include "interpreter/ir/value.h"

namespace shard {

namespace {

std::string or_blank(const Formula& formula, const Unit& unit) {
  return formula.is_zero() ? "" : to_text(Quantity{formula, unit});
}

// Without the unit, which the column's heading states.
std::string flops_cell(const Formula& flops) {
  std::string text = or_blank(flops, kFlops);
  const std::string unit = "FLOPs";
  if (text.size() > unit.size()) text.resize(text.size() - unit.size());
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// A narrow window has no room for the longest word.
std::string bound_cell(Bound bound) {
  const bool is_long = bound == Bound::Communication && line_width() < kLineWidth;
  return is_long ? "comms" : std::string(name_of(bound));
}

// A sum that does not fit is continued below its first term.
void add_wrapped(std::string& text, std::string line, std::string_view sum) {
  constexpr std::string_view kPlus = " + ";
  const std::string margin(display_width(line), ' ');
  while (true) {
    const auto plus = sum.find(kPlus);
    const std::string_view term = sum.substr(0, plus);
    if (display_width(line) + display_width(term) > line_width() && line.size() > margin.size()) {
      line.erase(line.find_last_not_of(' ') + 1);
      text += "\n" + line;
      line = margin;
    }
    line += term;
    if (plus == std::string_view::npos) break;
    line += kPlus;
    sum.remove_prefix(plus + kPlus.size());
  }
  text += "\n" + line;
}

}  // namespace

bool is_numeric(const Cost& cost) { return is_numeric(totals_of(cost)); }

bool is_numeric(const Totals& totals) {
  return totals.flops.constant() && totals.comm_bytes.constant() && totals.math.constant() &&
         totals.comms.constant() && totals.hbm.constant();
}

Table::Cells cells_of(const Totals& totals) {
  if (!is_numeric(totals)) return nullptr;
  return std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{flops_cell(totals.flops), or_blank(totals.comm_bytes, kBytes),
                               or_blank(totals.math, kSeconds), or_blank(totals.hbm, kSeconds),
                               or_blank(totals.comms, kSeconds), bound_cell(bound_of(totals))});
}

std::string formula_lines(const Cost& cost, const std::string& indent) {
  return formula_lines(totals_of(cost), indent);
}

std::string formula_lines(const Totals& totals, const std::string& indent) {
  std::string text;
  const auto add = [&](const char* name, const Formula& formula, const Unit& unit) {
    if (!formula.is_zero())
      add_wrapped(text, indent + pad_right(name, 13), to_text(Quantity{formula, unit}));
  };
  add("FLOPs", totals.flops, kFlops);
  add("bytes moved", totals.comm_bytes, kBytes);
  add("T_math", totals.math, kSeconds);
  add("T_hbm", totals.hbm, kSeconds);
  add("T_comms", totals.comms, kSeconds);
  return text;
}

Table::Cells CostTexts::cells_of(const std::shared_ptr<const Cost>& cost) {
  const auto [known, is_new] = cells_.try_emplace(cost);
  if (is_new) known->second = shard::cells_of(totals_of(*cost));
  return known->second;
}

const std::string& CostTexts::formulas_of(const std::shared_ptr<const Cost>& cost,
                                          const std::string& indent) {
  const auto [known, is_new] = formulas_.try_emplace({cost, indent});
  if (is_new) known->second = formula_lines(*cost, indent);
  return known->second;
}

}  // namespace shard
