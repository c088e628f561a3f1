#include "interpreter/session/settle_requests.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <utility>

#include "base/format.h"
#include "base/words.h"
#include "interpreter/host/npy.h"

namespace shard {

namespace {

struct Difference {
  std::size_t element = 0;
  double excess = 0;  // above what is allowed
};

// By how much an element breaks the relation; nullopt if it holds. What is not a number equals its like, and is neither more nor
// less than anything.
std::optional<double> excess_of(const ArrayRequest& request, double a, double b) {
  using Op = ast::BinaryOp;
  const double gap = std::isnan(a) || std::isnan(b) ? HUGE_VAL : std::abs(a - b);
  const bool same = a == b || (std::isnan(a) && std::isnan(b));
  const auto unless = [&](bool holds) { return holds ? std::nullopt : std::optional(gap); };
  switch (request.relation) {
    case Op::Less:
      return unless(a < b);
    case Op::LessEqual:
      return unless(a <= b);
    case Op::Greater:
      return unless(a > b);
    case Op::GreaterEqual:
      return unless(a >= b);
    case Op::NotEqual:
      return unless(!same);
    default: {
      const double excess = gap - request.allowed - request.allowed_part * std::abs(b);
      return same || excess <= 0 ? std::nullopt : std::optional(excess);
    }
  }
}

// The element that breaks the relation most; nullopt if none does.
std::optional<Difference> largest_difference(const ArrayRequest& request, std::span<const double> a,
                                             const std::function<double(std::size_t)>& b) {
  std::optional<Difference> largest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto excess = excess_of(request, a[i], b(i));
    if (excess && (!largest || *excess > largest->excess)) largest = Difference{i, *excess};
  }
  return largest;
}

std::string index_text(std::size_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::string> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    const auto length = static_cast<std::size_t>(shape[d]);
    index[d] = std::to_string(element % length);
    element /= length;
  }
  return "[" + join(index, ", ") + "]";
}

void settle_comparison(const ArrayRequest& request, const Execution& execution,
                       ExpectedEntry& entry, DiagnosticSink& sink) {
  const GlobalArray& left = execution.kept.at(request.copy);
  const GlobalArray* right = request.other ? &execution.kept.at(*request.other) : nullptr;
  const auto other = [&](std::size_t i) {
    return right == nullptr ? *request.number : right->values[i];
  };
  const auto worst = largest_difference(request, left.values, other);
  entry.pending = false;
  entry.holds = !worst.has_value();
  if (!worst) return;
  entry.left = format_significant(left.values[worst->element]);
  entry.right = format_significant(other(worst->element));
  if (request.is_number_first) std::swap(entry.left, entry.right);
  const bool are_equal = right != nullptr && request.relation == ast::BinaryOp::Equal;
  const std::string place =
      left.shape.empty() ? std::string(are_equal ? "they are" : "it is")
                         : fmt::format("{} most at {}:", are_equal ? "they differ" : "it fails",
                                       index_text(worst->element, left.shape));
  sink.report({.kind = DiagnosticKind::ExpectFailed,
               .span = request.span,
               .message = are_equal ? "the two arrays are not equal" : "this does not hold",
               .help = {fmt::format("{} {} on the left, {} on the right", place, entry.left,
                                    entry.right)}});
}

void settle_save(const ArrayRequest& request, const Program& program, const Execution& execution,
                 const std::function<bool()>& cancelled, RunFiles& files, SavedEntry& entry,
                 DiagnosticSink& sink) {
  const FileClaim claim{FileUse::Save, entry.path, request.span};
  const GlobalArray& array = execution.kept.at(request.copy);
  const auto other = files.in_the_way(claim);
  const auto written =
      other
          ? failure(fmt::format("{} is {}, and is not written over", entry.path, described(*other)))
          : write_npy(entry.path, array.shape, program.plan.copies[request.copy].dtype,
                      array.values, cancelled);
  entry.written = written.has_value();
  if (entry.written) return files.written(claim);
  if (cancelled && cancelled()) return;
  sink.report({.kind = DiagnosticKind::ExecutionFailed,
               .span = request.span,
               .message = written.error().message});
}

// The first and the last of a dimension of which not all are shown.
constexpr std::int64_t kEdge = 3;

std::vector<std::int64_t> shown_of(std::int64_t length, std::int64_t most) {
  std::vector<std::int64_t> shown;
  for (std::int64_t i = 0; i < length; ++i) {
    if (length > most && i == kEdge) i = length - kEdge;
    shown.push_back(i);
  }
  return shown;
}

// A screen has room for some ten rows; a row wraps, and may be longer than its share of a line.
void settle_print(const ArrayRequest& request, const Execution& execution, ArrayEntry& entry) {
  constexpr std::int64_t kColumnsShown = 12;
  constexpr std::int64_t kVectorShown = 64;  // some lines
  constexpr std::int64_t kRowsShown = 10;
  constexpr std::int64_t kBlocksShown = 2 * kEdge;  // of each dimension before the last two
  const GlobalArray& array = execution.kept.at(request.copy);
  entry.shape = array.shape;
  entry.is_there = true;
  std::size_t count = 1;
  for (std::size_t d = 0; d < array.shape.size(); ++d) {
    const std::size_t behind = array.shape.size() - 1 - d;
    entry.shown.push_back(shown_of(array.shape[d], array.shape.size() == 1 ? kVectorShown
                                                   : behind == 0           ? kColumnsShown
                                                   : behind == 1           ? kRowsShown
                                                                           : kBlocksShown));
    count *= entry.shown.back().size();
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    std::size_t place = 0;
    std::size_t stride = 1;
    for (std::size_t d = array.shape.size(); d-- > 0;) {
      const auto& shown = entry.shown[d];
      place += static_cast<std::size_t>(shown[rest % shown.size()]) * stride;
      rest /= shown.size();
      stride *= static_cast<std::size_t>(array.shape[d]);
    }
    entry.values.push_back(array.values[place]);
  }
}

// One element is a number like any other; of several the report makes columns.
void settle_cell(const GlobalArray& array, PrintedCell& cell) {
  cell.unit = kPlain;
  cell.text.clear();
  if (array.values.size() == 1) {
    cell.number = array.values.front();
    cell.text = format_number(*cell.number);
  } else if (array.values.empty()) {
    cell.text = "empty";
  } else {
    cell.elements.assign(array.values.begin(), array.values.end());
    for (const double value : cell.elements)
      cell.text += (cell.text.empty() ? "" : "  ") + format_number(value);
  }
}

}  // namespace

void settle_requests(const Program& program, Execution& execution, std::size_t first_entry,
                     const std::function<bool()>& cancelled, RunFiles& files,
                     std::vector<Entry>& entries, DiagnosticSink& sink) {
  if (!execution.executed) return;
  for (const ArrayRequest& request : program.requests) {
    if (execution.cancelled) return;
    if (request.entry < first_entry || request.entry >= entries.size()) continue;
    Entry& entry = entries[request.entry];
    if (auto* printed = std::get_if<Box<ArrayEntry>>(&entry))
      settle_print(request, execution, **printed);
    else if (auto* table = std::get_if<Box<PrintedTable>>(&entry))
      settle_cell(execution.kept.at(request.copy), (*table)->rows[request.row][request.column]);
    else if (request.other || request.number)
      settle_comparison(request, execution, *std::get<Box<ExpectedEntry>>(entry), sink);
    else
      settle_save(request, program, execution, cancelled, files, *std::get<Box<SavedEntry>>(entry),
                  sink);
    execution.cancelled = execution.cancelled || (cancelled && cancelled());
  }
}

}  // namespace shard
