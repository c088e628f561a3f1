#include "runtime/network/timetable.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

// Blocks within a thirty-second of the hops before a stage go on together: more bands let some go earlier, but
// timetables of large toruses would take longer.
constexpr std::int32_t kMostBands = 32;
// Of places that are reckoned, times those that blocks come from, up to which a gather has a band for each origin: about as
// many bundles a part then has.
constexpr std::int64_t kMostPairs = 1 << 17;
// Of a part that turns: blocks that do not go on, those that go on up, those that go on down.
constexpr std::int32_t kClasses = 3;

std::int32_t class_of(bool up) { return up ? 1 : 2; }
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
  for (std::size_t p = 0; p < parts_.size(); ++p) reckon_loads(static_cast<std::int32_t>(p));
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

Timetable::Bands& Timetable::bands(std::int32_t part, std::int32_t stage, std::int32_t place) {
  const auto in_part = static_cast<std::size_t>(stage) * static_cast<std::size_t>(places_) +
                       static_cast<std::size_t>(place);
  return bands_[static_cast<std::size_t>(part)][in_part];
}

std::int32_t Timetable::band_of(std::int32_t part, std::int32_t stage, std::int64_t hops) const {
  const std::int64_t all =
      hops_before_[static_cast<std::size_t>(part)][static_cast<std::size_t>(stage)] + 1;
  return static_cast<std::int32_t>(all <= kMostBands ? hops : hops * kMostBands / all);
}

// Places that differ on no axis but those before the stage.
std::int64_t Timetable::places_before(const Part& part, std::size_t stage) const {
  std::int64_t places = 1;
  for (std::size_t s = 0; s < stage; ++s) places *= torus_.axes()[part.order[s]].length;
  return places;
}

// Where blocks of a band belong in the next stage, classes left aside, when they have come so many steps in this one, and
// so many hops in all.
std::int32_t Timetable::next_band(std::int32_t part, std::int32_t stage, std::int32_t band, bool up,
                                  std::int64_t steps, std::int64_t hops) const {
  if (!apart_) return band_of(part, stage + 1, hops);
  const Part& cut = parts_[static_cast<std::size_t>(part)];
  const auto s = static_cast<std::size_t>(stage);
  const std::int64_t length = torus_.axes()[cut.order[s]].length;
  const std::int64_t from = (up ? length - steps : steps) % length;
  return static_cast<std::int32_t>(band % bands_of_class_ + from * places_before(cut, s));
}

void Timetable::make_bands(std::int32_t part) {
  const auto& order = parts_[static_cast<std::size_t>(part)].order;
  const std::size_t stages = order.size();
  auto& before = hops_before_.emplace_back(stages, 0);
  for (std::size_t s = 1; s < stages; ++s) {
    before[s] = before[s - 1] + longest_way(parts_[static_cast<std::size_t>(part)], s - 1);
  }
  // Parts with the same order, half and turn have the same bands.
  for (std::size_t other = 0; other < static_cast<std::size_t>(part); ++other) {
    const Part& own = parts_[static_cast<std::size_t>(part)];
    if (parts_[other].half != own.half || parts_[other].order != own.order ||
        parts_[other].turn != own.turn)
      continue;
    bands_.push_back(bands_[other]);
    return;
  }
  bands_.emplace_back(stages * static_cast<std::size_t>(places_));
  for (std::int32_t stage = 0; stage < static_cast<std::int32_t>(stages); ++stage) {
    for (std::int32_t place = 0; place < places_; ++place) add_to_bands(part, stage, place);
  }
}

// Adds what reaches a place in the previous stage, and what it had.
void Timetable::add_to_bands(std::int32_t part, std::int32_t stage, std::int32_t place) {
  Bands& own = bands(part, stage, place);
  if (stage == 0) {
    own.assign(1, {1, 0, 1});
    return;
  }
  const Part& cut = parts_[static_cast<std::size_t>(part)];
  const std::size_t axis = cut.order[static_cast<std::size_t>(stage) - 1];
  const std::int64_t most =
      hops_before_[static_cast<std::size_t>(part)][static_cast<std::size_t>(stage)];
  const std::int64_t bands_of_stage =
      apart_ ? places_before(cut, static_cast<std::size_t>(stage)) : band_of(part, stage, most) + 1;
  own.resize(static_cast<std::size_t>(cut.turn > 0 ? kClasses * bands_of_class_ : bands_of_stage));
  const auto add = [&](std::size_t b, const Band& from, bool up, std::int64_t steps,
                       std::int32_t its_class) {
    const std::int64_t hops = from.hops + steps;
    const std::int32_t own_band =
        its_class * bands_of_class_ +
        next_band(part, stage - 1, static_cast<std::int32_t>(b), up, steps, hops);
    Band& band = own[static_cast<std::size_t>(own_band)];
    band.blocks += from.blocks;
    band.hops = std::max(band.hops, hops);
    ++band.missing;
  };
  const bool turns = cut.turns_at(static_cast<std::size_t>(stage) - 1);
  // Places along an axis have the same bands in that axis's stage, which depend only on the axes before.
  const Bands& from = bands(part, stage - 1, place);
  for (std::size_t b = 0; b < from.size(); ++b) {
    if (from[b].blocks == 0) continue;
    const auto its_class = static_cast<std::int32_t>(b) / bands_of_class_;
    add(b, from[b], true, 0, its_class);
    for (const bool up : {true, false}) {
      std::int64_t steps = steps_to(position(place, axis), cut, axis, up);
      if (turns) steps = std::min(steps, cut.turn);
      for (std::int64_t step = 1; step <= steps; ++step)
        add(b, from[b], up, step, turns && step == cut.turn ? class_of(up) : its_class);
    }
  }
}

// What the part will have carried over each link in the end.
void Timetable::reckon_loads(std::int32_t part) {
  const Part& cut = parts_[static_cast<std::size_t>(part)];
  std::int64_t behind = torus_.places();  // places that differ on the axes of later stages
  for (std::int32_t stage = 0; stage < static_cast<std::int32_t>(cut.order.size()); ++stage) {
    const std::size_t axis = cut.order[static_cast<std::size_t>(stage)];
    behind /= torus_.axes()[axis].length;
    for (std::int32_t place = 0; place < places_; ++place) {
      const Bands& all = bands(part, stage, place);
      const bool turns = cut.turns_at(static_cast<std::size_t>(stage));
      const bool returns = cut.returns_at(static_cast<std::size_t>(stage));
      for (const bool up : {true, false}) {
        const std::int64_t ahead = steps_from(position(place, axis), cut, axis, up);
        if (ahead == 0) continue;
        std::int64_t held = 0;
        for (std::size_t b = 0; b < all.size(); ++b) {
          if (!returns || static_cast<std::int32_t>(b) / bands_of_class_ == class_of(up))
            held += all[b].blocks;
        }
        // The number of places that send over this link, each of them to all that are ahead of it, or to those half way
        // around.
        std::int64_t senders = steps_to(position(neighbour(place, axis, up), axis), cut, axis, up);
        if (turns) senders = std::min(senders, cut.turn);
        if (returns) senders = std::max<std::int64_t>(senders - cut.turn, 0);
        const std::int64_t exchanged =
            torus_.axes()[axis].is_ring() ? ahead * (ahead + 1) / 2 : senders * ahead;
        const std::int64_t blocks = held * (exchanges_ ? exchanged * behind : senders);
        const std::size_t link = torus_.link(place, axis, up);
        left_[link] += static_cast<double>(blocks) * seconds_[static_cast<std::size_t>(part)] *
                       slowness_[link];
      }
    }
  }
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

// Takes what a link carries in the slot out of its queue, beside that by which it is busy already. Returns how long all of it
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
    for (std::int32_t place = 0; place < places_; ++place)
      arrive(static_cast<std::int32_t>(part), 0, place, 0);
  }
  double now = 0;
  slots_left_ = std::max<std::int64_t>(options_.slots, 1);
  std::vector<Bundle> slot;
  while (!waiting_.empty()) {
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
