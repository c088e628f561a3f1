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

// help_word.cpp: all there is on a word: what the language calls so (a statement, a collective, a function, a figure, a type, a
// setting), and a topic or kind of that name; where there is neither, with `lines` those of topics that have the word or sign in
// them.
std::optional<std::string> help_on(std::string_view word, bool lines = true);
// Words that there is help on.
std::vector<std::string> words_with_help();
// The text of a module or a function of the library; nullopt for other words, and what is said then.
std::optional<std::string> source_of(std::string_view word);
std::string no_source_of(std::string_view word);
// The answer where there is nothing: what was probably meant, or the list of topics.
std::string no_help_on(std::string_view word);

}  // namespace shard
