// Formulas of a document: where one ends, and its rows.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "grammar/document/document.h"

namespace shard {

// Bytes within which a mark is closed. Without a limit a long line full of opening marks would take quadratic time.
inline constexpr std::size_t kFarthestMark = 4000;

// What closes a formula that begins at the place, and how long its opening is. `\begin{x}` closes at the `\end{x}`.
struct FormulaMark {
  std::size_t length = 0;
  std::string_view closer;
};

std::optional<FormulaMark> formula_mark(std::string_view text);

// Where the formula at `begin` ends, before `limit`.
std::optional<std::size_t> formula_end(std::string_view text, std::size_t begin,
                                       const FormulaMark& mark, std::size_t limit);

}  // namespace shard
