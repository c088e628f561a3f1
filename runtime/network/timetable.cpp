#include "runtime/network/timetable.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/cancellation.h"
#include "base/check.h"

namespace shard {
namespace {

// Of places that are computed, times those that blocks come from, up to which a gather has a band for each origin: about as
// many bundles a part then has.
constexpr std::int64_t kMostPairs = 1 << 17;
// How many bundles that do not fit into the rest of a slot are passed over in favour of less urgent ones. Looking
// further would take time for every slot, and let less urgent bundles overtake.
constexpr std::size_t kPassedOver = 3;
// For rounding in sums of seconds.
constexpr double kTolerance = 1 + 1e-9;
// The units of urgency per hop: within one hop, stages and chunks still differ.
constexpr std::int32_t kHop = 64;

bool is_alike(const TorusAxis& axis) { return axis.is_ring() && axis.slow.empty(); }

std::int64_t representatives(const Torus& torus) {
  std::int64_t places = 1;
  for (const TorusAxis& axis : torus.axes()) places *= is_alike(axis) ? 1 : axis.length;
  return places;
}

bool is_less_urgent(const Bundle& a, const Bundle& b) {
  return a.urgency != b.urgency ? a.urgency < b.urgency : a.number > b.number;
}

}  // namespace

Timetable::Timetable(const Schedule& schedule, Movement movement, std::int64_t block_elements,
                     std::int64_t element_bytes, const LinkRates& rates, const Options& options)
    : torus_(schedule.torus),
      exchanges_(movement == Movement::Exchange),
      apart_(tells_origins_apart(schedule.torus, movement)),
      bands_of_class_(apart_ ? static_cast<std::int32_t>(schedule.torus.places()) : kMostBands),
      rates_(rates),
      options_(options) {
  SHARD_CHECK(!torus_.is_network() && movement != Movement::Reduce);
  cut_parts(schedule, block_elements, options.chunks);
  place_axes();
  place_links();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto [first, end] = elements_of(parts_[p], block_elements);
    seconds_.push_back(static_cast<double>((end - first) * element_bytes) / rates.bandwidth);
    make_bands(static_cast<std::int32_t>(p));
  }
  queues_.resize(static_cast<std::size_t>(places_) * torus_.axes().size() * 2);
  left_.assign(queues_.size(), 0.0);
  for (std::size_t p = 0; p < parts_.size(); ++p) add_loads(static_cast<std::int32_t>(p));
}

void Timetable::cut_parts(const Schedule& schedule, std::int64_t block_elements,
                          std::int64_t chunks) {
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    for (const Part& part : schedule.parts) {
      Part cut = part;
      const Rational size = (part.end - part.begin) / Rational(chunks);
      cut.begin = part.begin + size * Rational(chunk);
      cut.end = cut.begin + size;
      const auto [first, end] = elements_of(cut, block_elements);
      if (first == end) continue;
      parts_.push_back(std::move(cut));
      const auto number = static_cast<double>(chunk);
      const double lead =
          options_.chunk_lead * number * (1 - number / (2 * static_cast<double>(chunks)));
      leads_.push_back(static_cast<std::int32_t>(lead * kHop));
    }
  }
}

void Timetable::place_axes() {
  const auto& axes = torus_.axes();
  strides_.assign(axes.size(), 0);
  alike_.assign(axes.size(), false);
  for (std::size_t a = axes.size(); a-- > 0;) {
    alike_[a] = is_alike(axes[a]);
    if (alike_[a]) continue;
    strides_[a] = places_;
    places_ *= static_cast<std::int32_t>(axes[a].length);
  }
}

std::int32_t Timetable::representative(std::int64_t place) const {
  std::int64_t result = 0;
  for (std::size_t a = 0; a < torus_.axes().size(); ++a) {
    const TorusAxis& axis = torus_.axes()[a];
    const std::int64_t begin = axis.is_ring() ? 0 : axis.line_begin();
    result += (torus_.coordinate(place, a) - begin + axis.length) % axis.length * strides_[a];
  }
  return static_cast<std::int32_t>(result);
}

void Timetable::place_links() {
  const std::size_t axes = torus_.axes().size();
  neighbours_.resize(static_cast<std::size_t>(places_) * axes * 2);
  slowness_.assign(neighbours_.size(), 1.0);
  for (std::size_t a = 0; a < axes; ++a) {
    const auto length = static_cast<std::int32_t>(torus_.axes()[a].length);
    auto& positions = positions_.emplace_back();
    for (std::int32_t place = 0; place < places_; ++place) {
      // Along the axis, counted from the start of a line.
      const std::int32_t at = alike_[a] ? 0 : place / strides_[a] % length;
      positions.push_back(at);
      for (const bool up : {true, false}) {
        const std::size_t link = torus_.link(place, a, up);
        neighbours_[link] = place + ((at + (up ? 1 : length - 1)) % length - at) * strides_[a];
        if (!torus_.axes()[a].slow.empty()) slowness_[link] = slowness(place, a, up);
      }
    }
  }
}

// How far something from a place goes in a direction.
std::int64_t Timetable::steps_from(std::int64_t position, const Part& part, std::size_t axis,
                                   bool up) const {
  const TorusAxis& along = torus_.axes()[axis];
  if (!along.is_ring()) return up ? along.length - 1 - position : position;
  const bool takes_middle = along.length % 2 == 0 && up == (part.half == Half::First);
  return (along.length - 1) / 2 + (takes_middle ? 1 : 0);
}

// From how far away something reaches a place in a direction.
std::int64_t Timetable::steps_to(std::int64_t position, const Part& part, std::size_t axis,
                                 bool up) const {
  return steps_from(position, part, axis, torus_.axes()[axis].is_ring() ? up : !up);
}

// The most steps that a stage takes.
std::int64_t Timetable::longest_way(const Part& part, std::size_t stage) const {
  const std::int64_t all = torus_.axes()[part.order[stage]].longest_way();
  if (part.turns_at(stage)) return part.turn;
  return part.returns_at(stage) ? all - part.turn : all;
}

double Timetable::slowness(std::int32_t place, std::size_t axis, bool up) const {
  const TorusAxis& along = torus_.axes()[axis];
  const std::int64_t begin = along.is_ring() ? 0 : along.line_begin();
  const std::int64_t link = position(place, axis) + begin + (up ? 0 : -1);
  return along.slowness((link + along.length) % along.length).to_double();
}

// For how many seconds the busiest link is still needed.
double Timetable::most_left() const { return *std::max_element(left_.begin(), left_.end()); }

// Hops to the farthest place that waits for the bundle, by its part's way.
std::int32_t Timetable::hops_ahead(const Bundle& bundle) const {
  const Part& part = parts_[static_cast<std::size_t>(bundle.part)];
  std::int64_t hops = bundle.goal - bundle.steps;
  for (auto s = static_cast<std::size_t>(bundle.stage) + 1; s < part.order.size(); ++s) {
    const std::size_t axis = part.order[s];
    const TorusAxis& along = torus_.axes()[axis];
    const std::int64_t at = position(bundle.place, axis);
    if (part.returns_at(s)) {
      hops += hops_behind_turn(bundle, part, axis);
    } else {
      hops += along.is_ring() ? along.longest_way() : std::max(at, along.length - 1 - at);
    }
  }
  return static_cast<std::int32_t>(hops);
}

// How far it continues along the first axis after going along the others.
std::int64_t Timetable::hops_behind_turn(const Bundle& bundle, const Part& part,
                                         std::size_t axis) const {
  const bool turns = part.turns_at(static_cast<std::size_t>(bundle.stage));
  const std::int32_t its_class = turns ? class_of(bundle.up) : bundle.band / bands_of_class_;
  if (its_class == 0 || (turns && bundle.goal < part.turn)) return 0;
  const std::int64_t ahead =
      steps_from(position(bundle.place, axis), part, axis, its_class == class_of(true));
  if (torus_.axes()[axis].is_ring()) return std::max<std::int64_t>(ahead - part.turn, 0);
  return turns ? ahead - (bundle.goal - bundle.steps) : ahead;
}

// Hops ahead of the bundle, on this axis and later ones. On a tie, the one that more axes wait for; the cap keeps that
// below a hop.
std::int32_t Timetable::urgency(const Bundle& bundle) const {
  const auto part = static_cast<std::size_t>(bundle.part);
  const auto axes = static_cast<std::int32_t>(parts_[part].order.size()) - 1 - bundle.stage;
  return bundle.hops * kHop + std::min(axes, kHop / 4) - leads_[part];
}

void Timetable::enqueue(Bundle bundle) {
  if (bundle.hops == 0) bundle.hops = hops_ahead(bundle);
  bundle.urgency = urgency(bundle);
  bundle.number = number_++;
  const std::size_t axis =
      parts_[static_cast<std::size_t>(bundle.part)].order[static_cast<std::size_t>(bundle.stage)];
  const std::size_t link = torus_.link(bundle.place, axis, bundle.up);
  auto& queue = queues_[link];
  if (queue.empty()) waiting_.push_back(link);
  queue.push_back(bundle);
  std::push_heap(queue.begin(), queue.end(), is_less_urgent);
}

// One of the things that a band waits for has arrived.
void Timetable::arrive(std::int32_t part, std::int32_t stage, std::int32_t place,
                       std::int32_t band) {
  if (--bands(part, stage, place)[static_cast<std::size_t>(band)].missing == 0)
    begin(part, stage, place, band);
}

void Timetable::begin(std::int32_t part, std::int32_t stage, std::int32_t place,
                      std::int32_t band) {
  const Part& cut = parts_[static_cast<std::size_t>(part)];
  const Band& ready = bands(part, stage, place)[static_cast<std::size_t>(band)];
  const std::size_t axis = cut.order[static_cast<std::size_t>(stage)];
  const std::int32_t its_class = band / bands_of_class_;
  const bool returns = cut.returns_at(static_cast<std::size_t>(stage));
  if (static_cast<std::size_t>(stage) + 1 < cut.order.size())
    arrive(part, stage + 1, place,
           its_class * bands_of_class_ + next_band(part, stage, band, true, 0, ready.hops));
  // A block of an exchange goes with those for all places that differ on the axes behind.
  std::int64_t blocks = ready.blocks;
  for (std::size_t s = static_cast<std::size_t>(stage) + 1; exchanges_ && s < cut.order.size(); ++s)
    blocks *= torus_.axes()[cut.order[s]].length;
  for (const bool up : {true, false}) {
    auto most = static_cast<std::int32_t>(steps_from(position(place, axis), cut, axis, up));
    const auto turn = static_cast<std::int32_t>(cut.turn);
    if (returns) {
      if (its_class != class_of(up)) continue;
      if (!torus_.axes()[axis].is_ring()) most += turn;
      if (most > turn) enqueue({place, part, stage, turn, most, band, 0, 0, up, 0, blocks});
      continue;
    }
    if (cut.turns_at(static_cast<std::size_t>(stage))) most = std::min(most, turn);
    for (std::int32_t goal = exchanges_ ? 1 : std::max(most, 1); goal <= most; ++goal)
      enqueue({place, part, stage, 0, goal, band, 0, 0, up, 0, blocks});
  }
}

void Timetable::pass_on(const Bundle& bundle) {
  const Part& part = parts_[static_cast<std::size_t>(bundle.part)];
  const std::size_t axis = part.order[static_cast<std::size_t>(bundle.stage)];
  Bundle next = bundle;
  next.place = neighbour(bundle.place, axis, bundle.up);
  ++next.steps;
  --next.hops;
  const bool stays = !exchanges_ || next.steps == next.goal;
  if (stays && static_cast<std::size_t>(bundle.stage) + 1 < part.order.size()) {
    const std::int64_t hops =
        bands(bundle.part, bundle.stage, next.place)[static_cast<std::size_t>(bundle.band)].hops;
    const bool goes_on =
        part.turns_at(static_cast<std::size_t>(bundle.stage)) && next.steps == part.turn;
    const std::int32_t its_class = goes_on ? class_of(bundle.up) : bundle.band / bands_of_class_;
    arrive(bundle.part, bundle.stage + 1, next.place,
           its_class * bands_of_class_ + next_band(bundle.part, bundle.stage, bundle.band,
                                                   bundle.up, next.steps, hops + next.steps));
  }
  if (next.steps < next.goal) enqueue(next);
}

// Takes what a link carries in the slot out of its queue, next to that by which it is busy already. Returns how long all of it
// takes.
double Timetable::fill(std::size_t link, double busy, std::vector<Bundle>& slot) {
  auto& queue = queues_[link];
  std::vector<Bundle> left;
  while (!queue.empty() && left.size() <= kPassedOver) {
    std::pop_heap(queue.begin(), queue.end(), is_less_urgent);
    const Bundle next = queue.back();
    queue.pop_back();
    const double seconds = static_cast<double>(next.blocks) *
                           seconds_[static_cast<std::size_t>(next.part)] * slowness_[link];
    if (busy > 0 && busy + seconds > room_ * kTolerance && next.hops < slots_left_) {
      left.push_back(next);
      continue;
    }
    busy += seconds;
    slot.push_back(next);
  }
  for (const Bundle& bundle : left) {
    queue.push_back(bundle);
    std::push_heap(queue.begin(), queue.end(), is_less_urgent);
  }
  return busy;
}

double Timetable::run(double limit, const Watch& watch) {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    for (std::int32_t place = 0; place < places_; ++place) {
      if (place % 1024 == 0) throw_if_cancelled();
      arrive(static_cast<std::int32_t>(part), 0, place, 0);
    }
  }
  double now = 0;
  slots_left_ = std::max<std::int64_t>(options_.slots, 1);
  std::vector<Bundle> slot;
  while (!waiting_.empty()) {
    throw_if_cancelled();
    const double left = most_left();
    if (left > (limit - now) * kTolerance) return std::numeric_limits<double>::infinity();
    room_ = std::max(rates_.hop, left / static_cast<double>(slots_left_));
    slot.clear();
    double longest = rates_.hop;
    std::int32_t hops_left = 0;
    std::vector<std::size_t> links;
    std::swap(links, waiting_);
    std::vector<double> busy;
    for (const std::size_t link : links) {
      busy.push_back(fill(link, 0, slot));
      longest = std::max(longest, busy.back());
    }
    // Where one link needs longer than was planned the others have room for more.
    const bool is_longer = longest > room_ * kTolerance;
    if (is_longer) room_ = longest;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const std::size_t link = links[i];
      if (is_longer) busy[i] = fill(link, busy[i], slot);
      longest = std::max(longest, busy[i]);
      left_[link] -= busy[i];
      if (queues_[link].empty()) continue;
      waiting_.push_back(link);
      hops_left = std::max(hops_left, queues_[link].front().hops);
    }
    now += longest;
    slots_left_ = std::max<std::int64_t>(slots_left_ - 1, 1);
    // Each hop still ahead of what waits takes a slot.
    if (now + hops_left * rates_.hop > limit * kTolerance)
      return std::numeric_limits<double>::infinity();
    carried_ += static_cast<std::int64_t>(slot.size());
    if (watch) watch(slot, longest);
    for (const Bundle& bundle : slot) pass_on(bundle);
  }
  return now;
}

bool Timetable::tells_origins_apart(const Torus& torus, Movement movement) {
  return movement != Movement::Exchange && representatives(torus) * torus.places() <= kMostPairs;
}

double Timetable::bundles(const Schedule& schedule, Movement movement) {
  const bool apart = tells_origins_apart(schedule.torus, movement);
  const auto places = static_cast<double>(representatives(schedule.torus));
  double all = 0;
  for (const Part& part : schedule.parts) {
    std::int64_t bands = 1;
    for (std::size_t s = 0; s < part.order.size(); ++s) {
      const TorusAxis& axis = schedule.torus.axes()[part.order[s]];
      const auto length = static_cast<double>(axis.length);
      // What returns comes from one place of the first axis, or from two.
      if (apart && part.returns_at(s)) bands /= axis.length;
      const double hops =
          movement == Movement::Exchange ? length * length / (axis.is_ring() ? 4 : 3) : length - 1;
      all += places * hops *
             static_cast<double>(apart ? bands : std::min<std::int64_t>(bands, kMostBands));
      bands = apart ? bands * axis.length : bands + axis.longest_way();
    }
  }
  return all;
}

}  // namespace shard
