#include "interpreter/session/settle_requests.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "base/format.h"
#include "base/words.h"
#include "interpreter/host/npy.h"

namespace shard {

namespace {

struct Difference {
  std::size_t element = 0;
  double excess = 0;  // above what is allowed
};

// The element that differs most beyond the tolerance; nullopt if none does. |a − b| ≤ tolerance·(1 + |b|).
std::optional<Difference> largest_difference(std::span<const double> a, std::span<const double> b,
                                             double tolerance) {
  std::optional<Difference> largest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double gap = std::abs(a[i] - b[i]);
    const double excess = std::isnan(gap) ? HUGE_VAL : gap - tolerance * (1 + std::abs(b[i]));
    if (excess > 0 && (!largest || excess > largest->excess)) largest = Difference{i, excess};
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

void settle_equal(const ArrayRequest& request, const Execution& execution, ExpectedEntry& entry,
                  DiagnosticSink& sink) {
  const GlobalArray& left = execution.kept.at(request.copy);
  const GlobalArray& right = execution.kept.at(*request.other);
  const auto worst = largest_difference(left.values, right.values, request.tolerance);
  entry.pending = false;
  entry.holds = !worst.has_value();
  if (!worst) return;
  entry.left = format_significant(left.values[worst->element]);
  entry.right = format_significant(right.values[worst->element]);
  sink.report(
      {.kind = DiagnosticKind::ExpectFailed,
       .span = request.span,
       .message = "the two arrays are not equal",
       .help = {fmt::format("they differ most at {}: {} on the left, {} on the right",
                            index_text(worst->element, left.shape), entry.left, entry.right)}});
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
  constexpr std::int64_t kRowsShown = 10;
  constexpr std::int64_t kBlocksShown = 2 * kEdge;  // of each dimension before the last two
  const GlobalArray& array = execution.kept.at(request.copy);
  entry.shape = array.shape;
  entry.is_there = true;
  std::size_t count = 1;
  for (std::size_t d = 0; d < array.shape.size(); ++d) {
    const std::size_t behind = array.shape.size() - 1 - d;
    entry.shown.push_back(shown_of(array.shape[d], behind == 0   ? kColumnsShown
                                                   : behind == 1 ? kRowsShown
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
    else if (request.other)
      settle_equal(request, execution, *std::get<Box<ExpectedEntry>>(entry), sink);
    else
      settle_save(request, program, execution, cancelled, files, *std::get<Box<SavedEntry>>(entry),
                  sink);
    execution.cancelled = execution.cancelled || (cancelled && cancelled());
  }
}

}  // namespace shard
