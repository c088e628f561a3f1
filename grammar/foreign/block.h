// Blocks of other languages, and what loops and functions of all of them have in common. Private to the folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/foreign/foreign.h"

namespace shard {

struct ForeignBlockLine {
  std::size_t indent = 0;
  std::string_view text = {};
};

// `def f(x: jax.Array, n=3):`
struct ForeignHeader {
  std::string name = {};
  std::vector<std::string> parameters = {};
  // `x[B, D]` of a parameter that is written as it is here.
  std::map<std::string, std::string> written = {};
  // Those whose type says so: `x: jax.Array`.
  std::vector<std::string> arrays = {};
  // The same, `n: int`, and those that have a value, `n=2`.
  std::vector<std::string> numbers = {};
};

// The statements of a block as they are here.
struct ForeignBody {
  std::vector<std::string> statements = {};
  std::map<std::string, ForeignArray> invented = {};

  std::string text() const;  // in braces, each on its line
};

// ---- block_writer.cpp
// Without remarks and empty ones.
std::vector<ForeignBlockLine> foreign_lines(std::string_view text);
// What stands below the first of the lines; nullopt where a line has no counterpart.
std::optional<ForeignBody> foreign_body(std::vector<ForeignBlockLine> lines,
                                        const ForeignNames& names,
                                        const std::vector<std::string>& parameters = {});

// ---- definition.cpp: functions of Python
std::optional<ForeignHeader> foreign_header(std::string_view text);
std::optional<ForeignMistake> read_foreign_definition(std::string_view text,
                                                      const ForeignNames& names);

// ---- branch.cpp: `if n > 2: print n` on one line
std::optional<ForeignMistake> read_foreign_branch(std::string_view text, const ForeignNames& names);

// ---- loop.cpp
// `for i in range(1, 3)` as `for i in 1..3`.
std::optional<std::string> foreign_loop_header(std::string_view text);
// The mistake at a piece of the text.
ForeignMistake foreign_loop_mistake(std::string_view text, std::string_view piece,
                                    std::string message);
// Without what ends the head of a loop where no brace does: `do`, `:`.
std::string_view without_foreign_opener(std::string_view head);
std::optional<ForeignMistake> read_foreign_loop(std::string_view text, const ForeignNames& names);

// ---- result.cpp
// `for i in 0..4` around `total += 2`: names of a loop end with it, so it is a product, or a function that calls itself.
std::optional<ForeignMistake> foreign_sum(std::string_view header, std::string_view statement,
                                          const ForeignNames& names);
// `while n < 8 { n = n * 2 }`, `[n * 2 for n in range(4)]`
std::optional<ForeignMistake> read_foreign_results(std::string_view text,
                                                   const ForeignNames& names);

// ---- end.cpp: functions of C, and blocks that `end` closes
std::optional<ForeignMistake> read_foreign_end(std::string_view text, const ForeignNames& names);

}  // namespace shard
