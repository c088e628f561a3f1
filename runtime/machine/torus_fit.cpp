#include "runtime/machine/torus_fit.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace shard {
namespace {

// Axes of equal length and wraparound are interchangeable, so the search only decides how many of each kind to take. It
// is exhaustive, as a slice has few axes and every fit that differs in cost has to be found.
class Search {
 public:
  Search(const std::vector<TorusAxis>& torus, const std::vector<TorusDemand>& demands)
      : torus_(torus), demands_(demands) {
    const std::set<TorusAxis> kinds(torus.begin(), torus.end());
    kinds_.assign(kinds.begin(), kinds.end());
    for (const TorusAxis& kind : kinds_)
      left_.push_back(std::count(torus.begin(), torus.end(), kind));
  }

  std::vector<TorusFit> run() {
    fill_demand(0);
    return std::move(found_);
  }

 private:
  using Counts = std::vector<std::ptrdiff_t>;

  void fill_demand(std::size_t demand) {
    if (demand < demands_.size()) {
      taken_.emplace_back(kinds_.size(), 0);
      take_kind(demand, 0, demands_[demand].size);
      taken_.pop_back();
      return;
    }
    const bool all_used =
        std::all_of(left_.begin(), left_.end(), [](auto count) { return count == 0; });
    if (all_used) found_.push_back(realised());
  }

  // Takes axes of the kinds from `kind` on until `rest`, the size still to be covered, is 1.
  void take_kind(std::size_t demand, std::size_t kind, std::int64_t rest) {
    if (kind == kinds_.size()) {
      if (rest == 1 && as_written(demand)) fill_demand(demand + 1);
      return;
    }
    const std::int64_t length = kinds_[kind].length;
    take_kind(demand, kind + 1, rest);
    std::ptrdiff_t taken = 0;
    while (left_[kind] > 0 && rest > 0 && rest % length == 0) {
      rest /= length;
      --left_[kind];
      ++taken;
      taken_[demand][kind] = taken;
      take_kind(demand, kind + 1, rest);
    }
    left_[kind] += taken;
    taken_[demand][kind] = 0;
  }

  bool as_written(std::size_t demand) const {
    std::vector<std::int64_t> written = demands_[demand].lengths;
    if (written.empty()) return true;
    std::vector<std::int64_t> lengths;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      lengths.insert(lengths.end(), static_cast<std::size_t>(taken_[demand][k]), kinds_[k].length);
    }
    std::sort(written.begin(), written.end());
    std::sort(lengths.begin(), lengths.end());
    return written == lengths;
  }

  // Turns the counts into axes, each demand's in the order of the torus, or as written.
  TorusFit realised() const {
    TorusFit fit;
    std::vector<bool> used(torus_.size(), false);
    for (std::size_t d = 0; d < demands_.size(); ++d) {
      Counts wanted = taken_[d];
      std::vector<TorusAxis> axes;
      for (std::size_t i = 0; i < torus_.size(); ++i) {
        std::ptrdiff_t& count = wanted[kind_of(torus_[i])];
        if (used[i] || count == 0) continue;
        --count;
        used[i] = true;
        axes.push_back(torus_[i]);
      }
      fit.push_back(in_written_order(std::move(axes), demands_[d].lengths));
    }
    return fit;
  }

  static std::vector<TorusAxis> in_written_order(std::vector<TorusAxis> axes,
                                                 const std::vector<std::int64_t>& lengths) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const auto from = axes.begin() + static_cast<std::ptrdiff_t>(i);
      const auto at = std::find_if(
          from, axes.end(), [&](const TorusAxis& axis) { return axis.length == lengths[i]; });
      std::rotate(from, at, at + 1);
    }
    return axes;
  }

  std::size_t kind_of(const TorusAxis& axis) const {
    return static_cast<std::size_t>(std::lower_bound(kinds_.begin(), kinds_.end(), axis) -
                                    kinds_.begin());
  }

  const std::vector<TorusAxis>& torus_;
  const std::vector<TorusDemand>& demands_;
  std::vector<TorusAxis> kinds_;
  Counts left_;                // of each kind, not taken yet
  std::vector<Counts> taken_;  // of each kind, by demand so far
  std::vector<TorusFit> found_;
};

}  // namespace

std::vector<TorusFit> torus_fits(const std::vector<TorusAxis>& torus,
                                 const std::vector<TorusDemand>& demands) {
  return Search(torus, demands).run();
}

}  // namespace shard
