// Where pictures of `plot` are saved.
#pragma once

#include <string>
#include <vector>

#include "interpreter/session/session.h"

namespace shard {

// Writes what `plot … save "file.svg"` names, and the only picture of the outcome to `svg`, if that is not empty. Marks what was
// written, and says what was not: one line each.
std::vector<std::string> save_plots(Outcome& outcome, const RunFiles& files,
                                    const std::string& svg = "");

}  // namespace shard
