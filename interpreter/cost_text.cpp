#include "interpreter/cost_text.h"

#include <string_view>
#include <vector>

#include "base/format.h"
#include "interpreter/value.h"

namespace shard {

namespace {

std::string bound_text(const Cost& cost) { return std::string(name_of(bound_of(cost))); }

std::string or_blank(const Formula& formula, const Unit& unit) {
  return formula.is_zero() ? "" : to_text(Quantity{formula, unit});
}

// The column's heading says what is counted.
std::string flops_cell(const Amount& flops) {
  std::string text = or_blank(Formula(flops), kFlops);
  const std::string unit = "FLOPs";
  if (text.size() > unit.size()) text.resize(text.size() - unit.size());
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// Behind the label.
std::vector<std::string> cells(const Cost& cost) {
  return {flops_cell(cost.flops),         or_blank(Formula(cost.comm_bytes), kBytes),
          or_blank(cost.math, kSeconds),  or_blank(cost.hbm, kSeconds),
          or_blank(cost.comms, kSeconds), bound_text(cost)};
}

// A sum that does not fit goes on below its first term.
void add_wrapped(std::string& text, std::string line, std::string_view sum) {
  constexpr std::string_view kPlus = " + ";
  const std::string margin(display_width(line), ' ');
  while (true) {
    const auto plus = sum.find(kPlus);
    const std::string_view term = sum.substr(0, plus);
    if (display_width(line) + display_width(term) > kLineWidth && line.size() > margin.size()) {
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

bool is_numeric(const Cost& cost) {
  return cost.flops.constant() && cost.comm_bytes.constant() && cost.math.constant() &&
         cost.comms.constant() && cost.hbm.constant();
}

std::string formula_lines(const Cost& cost, const std::string& indent) {
  std::string text;
  const auto add = [&](const char* name, const Formula& formula, const Unit& unit) {
    if (!formula.is_zero())
      add_wrapped(text, indent + pad_right(name, 13), to_text(Quantity{formula, unit}));
  };
  add("FLOPs", Formula(cost.flops), kFlops);
  add("bytes moved", Formula(cost.comm_bytes), kBytes);
  add("T_math", cost.math, kSeconds);
  add("T_hbm", cost.hbm, kSeconds);
  add("T_comms", cost.comms, kSeconds);
  return text;
}

Table::Cells CostTexts::cells_of(const std::shared_ptr<const Cost>& cost) {
  const auto [known, is_new] = cells_.try_emplace(cost);
  if (is_new && is_numeric(*cost))
    known->second = std::make_shared<const std::vector<std::string>>(cells(*cost));
  return known->second;
}

const std::string& CostTexts::formulas_of(const std::shared_ptr<const Cost>& cost,
                                          const std::string& indent) {
  const auto [known, is_new] = formulas_.try_emplace({cost, indent});
  if (is_new) known->second = formula_lines(*cost, indent);
  return known->second;
}

}  // namespace shard
