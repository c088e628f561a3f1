// LaTeX commands that may occur in a formula of the notation.
#pragma once

#include <optional>
#include <string_view>

namespace shard {

struct LatexCommand {
  enum class Kind {
    Text,     // stands for a sign or a word of the notation, or for a blank: `text`
    Wrapper,  // changes the look of its argument
    Accent,   // makes another name of its argument: `text` is put behind it
    Switch,   // changes the look of what follows
    Aside,    // has `arguments` that are not notation
  };
  Kind kind;
  std::string_view text;
  int arguments = 0;
};

// What the command `\name` is; nullopt for other names.
std::optional<LatexCommand> latex_command(std::string_view name);

}  // namespace shard
