// `shard help` and `:help`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

// Topics, and how to ask for them.
std::string help_overview();
std::vector<std::string> help_topics();  // "statements", "notation", …
// A topic or a kind of diagnostic; nullopt for other words.
std::optional<std::string> help_topic(std::string_view topic);
// The answer to any other word: the topic or kind that was probably meant, or the list of topics.
std::string no_help_on(std::string_view topic);

}  // namespace shard
