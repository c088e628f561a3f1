#include <algorithm>
#include <utility>

#include "runtime/cost.h"

namespace shard {
namespace {

struct Alive {
  CopyId copy;
  Amount bytes;
};

Amount total(const std::vector<Alive>& alive) {
  Amount bytes;
  for (const Alive& entry : alive) bytes = bytes + entry.bytes;
  return bytes;
}

// What is alive while each step runs, and how much that is.
struct Moment {
  int step;
  std::vector<Alive> alive;
};

std::vector<Moment> moments_of(const Plan& plan, const Mesh& mesh) {
  std::vector<Moment> moments;
  std::vector<Alive> alive;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (const auto* free = std::get_if<FreeStep>(&plan.steps[i].action)) {
      const auto is_it = [&](const Alive& entry) { return entry.copy == free->copy; };
      alive.erase(std::remove_if(alive.begin(), alive.end(), is_it), alive.end());
      continue;
    }
    const CopyId made = result_of(plan.steps[i]);
    const Copy& copy = plan.copies[made];
    alive.push_back({made, local_bytes(copy.shape, copy.dtype, copy.layout, mesh)});
    moments.push_back({static_cast<int>(i), alive});
  }
  return moments;
}

// The copies of a moment in numbers, the largest first and the earlier first among equals.
std::vector<CopyId> largest_first(std::vector<Alive> alive) {
  std::stable_sort(alive.begin(), alive.end(), [](const Alive& a, const Alive& b) {
    return *a.bytes.constant() > *b.bytes.constant();
  });
  std::vector<CopyId> copies;
  for (const Alive& entry : alive) copies.push_back(entry.copy);
  return copies;
}

}  // namespace

PeakMemory peak_memory(const Plan& plan, const Mesh& mesh) {
  PeakMemory peak;
  const Moment* highest = nullptr;
  bool known = true;
  const std::vector<Moment> moments = moments_of(plan, mesh);
  for (const Moment& moment : moments) {
    const Amount bytes = total(moment.alive);
    known = known && bytes.constant().has_value();
    const Formula higher = max(peak.bytes, Formula(bytes));
    if (known && (highest == nullptr || !(higher == peak.bytes))) highest = &moment;
    peak.bytes = higher;
  }
  if (!known || highest == nullptr) return peak;
  peak.step = highest->step;
  peak.copies = largest_first(highest->alive);
  return peak;
}

}  // namespace shard
