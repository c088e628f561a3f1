// What a session has, as text: all of it, one name of it, what a line would give.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/session/session.h"

namespace shard {

// `:ls`: the machine, options if there are any, sizes, values, functions, and the arrays with what each copy takes on a device.
std::string listing_of(const RunnerState& state, const std::string& options);

// `A?`: what the name means in the session; nullopt if nothing.
std::optional<std::string> description_of(std::string_view name, const Session& session);

// Those of the session and of the library, by name.
std::map<std::string, Chip> known_chips(const Scope& scope);
// What a chip has, each figure with its value and its meaning; nullopt if there is none of that name.
std::optional<std::string> description_of_chip(std::string_view name, const Scope& scope);
// "chips: TPUv5e, TPUv5p".
std::string chips_text(const Scope& scope);

// `:type`: what the last statement of that input gives, "C: bf16[I, K_X], 2.048 kB per device"; empty if it gives nothing.
// `state` is the session after it.
std::string type_of(const Outcome& outcome, const RunnerState& state);
// The same in few words for the right of a line, with what it costs.
std::string hint_of(const Outcome& outcome, const RunnerState& state);

}  // namespace shard
