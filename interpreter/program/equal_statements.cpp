#include "interpreter/program/equal_statements.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

#include "interpreter/program/step_text.h"

namespace shard {

namespace {

bool cost_the_same(const Cost& a, const Cost& b) {
  return &a == &b ||
         (a.flops == b.flops && a.hbm_bytes == b.hbm_bytes && a.comm_bytes == b.comm_bytes);
}

bool name_the_same(const Plan& plan, std::size_t i, std::size_t k) {
  const auto same = [&](CopyId a, CopyId b) { return plan.copies[a].name == plan.copies[b].name; };
  const std::vector<CopyId> operands = operands_of(plan.steps[i]);
  const std::vector<CopyId> others = operands_of(plan.steps[k]);
  return same(result_of(plan.steps[i]), result_of(plan.steps[k])) &&
         std::equal(operands.begin(), operands.end(), others.begin(), others.end(), same);
}

std::size_t digits_end(const std::string& text, std::size_t i) {
  while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0) ++i;
  return i;
}

// Where the number of an index ends that begins there, `[L = 79]`; `i` if none does.
std::size_t index_end(const std::string& text, std::size_t i) {
  if (i < 3 || text.compare(i - 3, 3, " = ") != 0) return i;
  const std::size_t end = digits_end(text, i);
  return end < text.size() && (text[end] == ']' || text[end] == ',') ? end : i;
}

void add_form(const std::string& text, std::string& form) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t index = index_end(text, i);
    if (index > i) {
      i = index;
    } else if (const std::size_t end = digits_end(text, i + 1); text[i] == '\'' && end > i + 1) {
      i = end;
    } else {
      form += text[i++];
    }
  }
  form += '\n';
}

}  // namespace

bool steps_cost_the_same(const Program& program, const StatementRecord& a,
                         const StatementRecord& b) {
  const std::vector<std::size_t> steps = shown_steps(program, a);
  const std::vector<std::size_t> others = shown_steps(program, b);
  return std::equal(steps.begin(), steps.end(), others.begin(), others.end(),
                    [&](std::size_t i, std::size_t k) {
                      return cost_the_same(*program.steps[i].cost, *program.steps[k].cost);
                    });
}

std::string form_of(const Program& program, const StatementRecord& record) {
  std::string form;
  add_form(*record.text, form);
  add_form(record.remark, form);
  for (const std::size_t step : shown_steps(program, record))
    add_form(step_text(program, step), form);
  return form;
}

std::string with_last_indices(const std::string& first, const std::string& last) {
  std::vector<std::string> indices;
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (const std::size_t end = index_end(last, i); end > i)
      indices.push_back(last.substr(i, end - i));
  }
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < first.size();) {
    const std::size_t end = index_end(first, i);
    if (end == i) {
      text += first[i++];
      continue;
    }
    if (next == indices.size()) return first;
    const std::string index = first.substr(i, end - i);
    text += index;
    if (indices[next] != index) text += "…" + indices[next];
    ++next;
    i = end;
  }
  return text;
}

bool are_equal(const Program& program, const StatementRecord& a, const StatementRecord& b) {
  if (*a.text != *b.text || a.remark != b.remark || a.parts != b.parts) return false;
  const std::vector<std::size_t> steps = shown_steps(program, a);
  const std::vector<std::size_t> others = shown_steps(program, b);
  // Statements that share what they were lowered from differ in their arrays at most.
  const bool is_replayed = a.flow.form() != nullptr && a.flow.form() == b.flow.form();
  return std::equal(
      steps.begin(), steps.end(), others.begin(), others.end(), [&](std::size_t i, std::size_t k) {
        return cost_the_same(*program.steps[i].cost, *program.steps[k].cost) &&
               (is_replayed
                    ? name_the_same(program.plan, i, k)
                    : folded_text(step_text(program, i), step_text(program, k)).has_value());
      });
}

}  // namespace shard
