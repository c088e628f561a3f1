// LaTeX's commands that may stand in a formula of the notation.
#pragma once

#include <optional>
#include <string_view>

namespace shard {

struct LatexCommand {
  enum class Kind {
    Text,     // stands for a sign or a word of the notation, or for a blank: `text`
    Wrapper,  // about the look of its argument
    Switch,   // about the look of what follows
    Aside,    // with `arguments` that are not notation
  };
  Kind kind;
  std::string_view text;
  int arguments = 0;
};

// What the command `\name` is; nullopt of others.
std::optional<LatexCommand> latex_command(std::string_view name);

}  // namespace shard
