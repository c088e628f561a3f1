// At which sizes a statement would be done in another way.
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/words.h"
#include "interpreter/lower/lower.h"
#include "interpreter/solve/open_size.h"
#include "interpreter/statements/block_entries.h"

namespace shard {

namespace {

constexpr int kDoublings = 12;  // a factor of 4096

// Whether all of it is planned: what is written out with its collectives is not.
bool is_open(const checked::Operation& operation) {
  const auto* product = std::get_if<checked::Product>(&operation.node);
  if (std::holds_alternative<checked::Collective>(operation.node) || (product && product->local))
    return false;
  const auto parts = operands_of(operation);
  return std::all_of(parts.begin(), parts.end(), [](const auto* part) { return is_open(*part); });
}

void add_labels(const checked::Operation& operation, std::set<DimensionId>& labels) {
  labels.insert(operation.labels.begin(), operation.labels.end());
  for (const auto* part : operands_of(operation)) add_labels(*part, labels);
}

class FlipFinder {
 public:
  FlipFinder(const StatementRecord& record, const Program& program, const Scope& scope)
      : record_(record), program_(program), scope_(scope), flow_(record.flow.get()) {}

  std::vector<WayFlip> find() {
    std::vector<WayFlip> flips;
    if (!is_open(flow_.value)) return flips;
    std::set<DimensionId> labels;
    add_labels(flow_.value, labels);
    for (const DimensionId label : labels) {
      const DimensionInfo& info = scope_.store.dimensions[label];
      const auto length = scope_.length_of(label);
      const auto number = length ? length->to_int64() : std::nullopt;
      if (info.literal || info.coordinate || !number || !scope_.names.find_dimension(info.name))
        continue;
      size_ = info.name;
      step_ = std::gcd(*number, program_.machine.mesh.device_count().value_or(1));
      chosen_ = chosen_at(*number);
      if (chosen_.empty()) continue;
      if (auto smaller = flip_from(*number, false)) flips.push_back(*std::move(smaller));
      if (auto larger = flip_from(*number, true)) flips.push_back(*std::move(larger));
    }
    return flips;
  }

 private:
  // The steps of what would be chosen, on one line; empty where it cannot be planned.
  std::string chosen_at(std::int64_t number) {
    Scope trial = scope_;
    trial.strict = false;
    AskedTables tables(trial);
    tables.give(size_, Rational(number));
    const auto ways = ways_anew(flow_, record_.ways, trial, program_);
    if (ways == nullptr || ways->made.empty()) return "";
    steps_ = steps_of_way(*ways->made.front(), flow_, trial, program_);
    return steps_.empty() ? "nothing" : join(steps_, "; ");
  }

  // Sizes are doubled or halved until another way is chosen, and then what lies between is searched among multiples of what
  // the size and the number of devices have in common: the mesh cuts these wherever it cuts the size.
  std::optional<WayFlip> flip_from(std::int64_t number, bool larger) {
    std::int64_t same = number;
    for (int i = 0; i < kDoublings; ++i) {
      if (larger ? same > kMaxLength / 2 : same % 2 != 0) return std::nullopt;
      const std::int64_t next = larger ? same * 2 : same / 2;
      // What the mesh cuts as it is has to be cut there, too.
      if (next % step_ != 0) return std::nullopt;
      const std::string chosen = chosen_at(next);
      if (chosen.empty()) return std::nullopt;
      if (chosen != chosen_) return between(same, next, larger);
      same = next;
    }
    return std::nullopt;
  }

  std::optional<WayFlip> between(std::int64_t same, std::int64_t other, bool larger) {
    while (std::abs(same - other) > step_) {
      const std::int64_t middle = (same / step_ + other / step_) / 2 * step_;
      const std::string chosen = chosen_at(middle);
      if (chosen.empty()) break;
      (chosen == chosen_ ? same : other) = middle;
    }
    if (chosen_at(other).empty()) return std::nullopt;
    return WayFlip{size_, larger ? other : same, larger, steps_};
  }

  const StatementRecord& record_;
  const Program& program_;
  const Scope& scope_;
  const checked::Flow flow_;
  std::int64_t step_ = 1;  // candidates are multiples of it
  std::string size_;
  std::string chosen_;              // at the size as it is
  std::vector<std::string> steps_;  // of what was looked at last
};

}  // namespace

std::vector<WayFlip> flips_of(const StatementRecord& record, const Program& program,
                              const Scope& scope) {
  if (record.ways == nullptr || record.ways->made.empty() || record.ways->reference_sizes)
    return {};
  return FlipFinder(record, program, scope).find();
}

}  // namespace shard
