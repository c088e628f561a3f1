#include "interpreter/statements/block_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/words.h"
#include "interpreter/estimate/totals.h"
#include "interpreter/evaluate/member.h"
#include "interpreter/program/equal_statements.h"
#include "interpreter/program/step_text.h"
#include "interpreter/statements/entries.h"

namespace shard {

namespace {

// Those of the report's columns, and the two that they add up to.
constexpr std::array<std::string_view, 5> kMainFigures = {"math", "hbm", "comms", "time", "bound"};

// `comms(X)` for each axis that something moves over.
void add_axes(const std::string& name, const std::string& meaning, const Figures& figures,
              FiguresEntry& entry) {
  const auto& axes = figures.totals.comms_by_axis.front();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Formula seconds = comms_over(figures.totals, {&i, 1});
    if (seconds.is_zero()) continue;
    entry.rows.push_back({name + ".comms(" + axes[i].axis + ")",
                          printed_cell(Quantity{seconds, kSeconds}),
                          meaning + " over " + axes[i].axis});
  }
}

std::string key_of(const Program& program, std::size_t step, const std::string& text) {
  return text + "|" + program.steps[step].cost->time().to_string();
}

// `KC[L, B][L = …]` for `KC[L, B][L = 3]`: which place it is, all layers differ in.
std::string at_any_place(const std::string& text) {
  constexpr std::string_view kSign = " = ";
  constexpr std::string_view kDigits = "0123456789";
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(kSign); at != std::string::npos; at = text.find(kSign, begin)) {
    const std::size_t place = at + kSign.size();
    const std::size_t end = std::min(text.find_first_not_of(kDigits, place), text.size());
    const bool is_place =
        end > place && end < text.size() && (text[end] == ']' || text[end] == ',');
    result.append(text, begin, place - begin);
    if (is_place) result += "…";
    begin = is_place ? end : place;
  }
  return result.append(text, begin);
}

// One row for all steps that are written alike, but for places, and cost the same, as those of equal layers are, and for the steps
// of equal statements that `backward` derives, whose names differ in their numbers.
class StepRows {
 public:
  explicit StepRows(const Program& program) : program_(program) {}

  void add(std::size_t step) {
    const Cost& cost = *program_.steps[step].cost;
    if (!is_shown(program_.plan.steps[step]) || bound_of(cost) == Bound::Nothing) return;
    std::string text = step_text_without_result(program_, step);
    const std::string place = place_of(step);
    const std::size_t next = rows_.size();
    const std::size_t derived = place.empty() ? next : row_in(derived_, place, next);
    const std::size_t at =
        known_.emplace(key_of(program_, step, at_any_place(text)), derived).first->second;
    if (!place.empty()) derived_.emplace(place, at);
    if (at == rows_.size()) {
      rows_.push_back({.text = std::move(text),
                       .inferred = program_.steps[step].inferred,
                       .times = 1,
                       .cost = nullptr,
                       .time = cost.time(),
                       .share = std::nullopt});
      costs_.push_back(cost);
      return;
    }
    if (rows_[at].text != text) rows_[at].text = at_any_place(rows_[at].text);
    ++rows_[at].times;
    costs_[at] += cost;
    rows_[at].time = rows_[at].time + cost.time();
  }

  std::vector<StepsEntry::Row> take() {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      rows_[i].cost = std::make_shared<const Cost>(std::move(costs_[i]));
    return std::move(rows_);
  }

 private:
  using RowByKey = std::unordered_map<std::string, std::size_t>;
  static std::size_t row_in(const RowByKey& rows, const std::string& key, std::size_t otherwise) {
    const auto found = rows.find(key);
    return found == rows.end() ? otherwise : found->second;
  }

  // What the same steps of equal statements have alike; empty for one that is of no statement.
  std::string place_of(std::size_t step) {
    const int statement = program_.plan.steps[step].statement;
    if (statement < 0) return "";
    const StatementRecord& record = program_.statements[static_cast<std::size_t>(statement)];
    if (statement != statement_) {
      form_ = form_of(program_, record);
      steps_ = 0;
    }
    statement_ = statement;
    return key_of(program_, step, fmt::format("{}|{}", steps_++, form_));
  }

  const Program& program_;
  std::vector<StepsEntry::Row> rows_;
  std::vector<Cost> costs_;
  RowByKey known_;         // by text
  RowByKey derived_;       // by place in a statement's form
  int statement_ = -1;     // that `form_` is of
  std::size_t steps_ = 0;  // of this statement, so far
  std::string form_;
};

// Dearest first; equal ones, and formulas, as they come.
void sort_by_time(StepsEntry& entry) {
  const auto all = entry.time.constant();
  if (!all) return;
  for (StepsEntry::Row& row : entry.rows) {
    const auto time = row.time.constant();
    if (time && !all->is_zero()) row.share = (*time / *all).to_double();
  }
  std::stable_sort(entry.rows.begin(), entry.rows.end(), [](const auto& one, const auto& other) {
    return one.share.value_or(0) > other.share.value_or(0);
  });
}

}  // namespace

const Supposition* block_named(const std::string& name, const Scope& scope) {
  const auto* binding = scope.find_binding(name);
  return binding == nullptr ? nullptr : std::get_if<Supposition>(&binding->value);
}

std::optional<FiguresEntry> all_figures(const std::string& name, const Supposition& block,
                                        RunContext& context) {
  const auto figures = context.suppose(block, context.check);
  if (figures == nullptr) return std::nullopt;
  FiguresEntry entry{.block = name, .rows = {}};
  for (const BlockFigure& figure : block_figures()) {
    const auto value = value_of_figure(figure, *figures, context.scope);
    if (!value) continue;
    const bool has_axes = figure.name == "comms";
    // What stands behind a semicolon is about the figures of the axes, which have rows of their own.
    const std::string meaning(has_axes ? figure.meaning.substr(0, figure.meaning.find(';'))
                                       : figure.meaning);
    entry.rows.push_back({name + "." + std::string(figure.name), printed_cell(*value), meaning});
    if (has_axes) add_axes(name, meaning, *figures, entry);
  }
  return entry;
}

std::optional<StepsEntry> dearest_steps(const std::string& name, const Supposition& block,
                                        RunContext& context) {
  const auto figures = context.suppose(block, context.check);
  if (figures == nullptr) return std::nullopt;
  if (figures->planned == nullptr) return StepsEntry{.block = name, .time = {}, .rows = {}};
  return dearest_steps(name, *figures->planned, 0, figures->planned->steps.size());
}

StepsEntry dearest_steps(const std::string& name, const Program& program, std::size_t first,
                         std::size_t end) {
  StepRows rows(program);
  for (std::size_t i = first; i < end; ++i) rows.add(i);
  StepsEntry entry{.block = name, .time = {}, .rows = rows.take()};
  for (const StepsEntry::Row& row : entry.rows) entry.time = entry.time + row.time;
  sort_by_time(entry);
  return entry;
}

std::optional<Supposition> block_of_steps(const ast::Expr& expr, RunContext& context) {
  const auto* member = std::get_if<ast::Member>(&expr.node);
  if (member == nullptr || member->field.text != "steps" || !member->arguments.empty())
    return std::nullopt;
  const auto* base = std::get_if<ast::ArrayRef>(&member->object->node);
  if (base == nullptr || !base->name || base->bracketed) return std::nullopt;
  const Supposition* block = block_named(base->name->text, context.scope);
  return block == nullptr ? std::nullopt : std::optional(*block);
}

std::optional<std::vector<FigureColumn>> main_figures(const std::string& name,
                                                      const Supposition& block,
                                                      RunContext& context) {
  const auto figures = context.suppose(block, context.check);
  if (figures == nullptr) return std::nullopt;
  std::vector<FigureColumn> columns;
  for (const BlockFigure& figure : block_figures()) {
    if (std::find(kMainFigures.begin(), kMainFigures.end(), figure.name) == kMainFigures.end())
      continue;
    if (auto value = value_of_figure(figure, *figures, context.scope))
      columns.push_back({name + "." + std::string(figure.name), *std::move(value)});
  }
  return columns;
}

}  // namespace shard
