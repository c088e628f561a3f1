// `shard help` and `:help`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shard {

// Topics, and how to ask for them.
std::string help_overview();
// A topic ("statements", "notation", "collectives", "cost", "errors", "repl") or a kind of diagnostic; nullopt for
// other words.
std::optional<std::string> help_topic(std::string_view topic);
// The topic or kind nearest to a misspelt one.
std::optional<std::string> nearest_topic(std::string_view topic);

}  // namespace shard
