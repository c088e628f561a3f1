// Which blocks go on together, and what the links will have carried of them in the end.
#include <algorithm>

#include "runtime/network/timetable.h"

namespace shard {

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
  own.resize(static_cast<std::size_t>(cut.turn > 0 ? std::int64_t{kClasses} * bands_of_class_
                                                   : bands_of_stage));
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
void Timetable::add_loads(std::int32_t part) {
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

}  // namespace shard
