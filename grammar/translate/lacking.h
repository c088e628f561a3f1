// Functions of mathematics and of array libraries that the language lacks, from grammar/translate/lacking.def.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

struct LackingFunction {
  std::string_view name;
  std::string_view formula;  // what is written in its place; empty where nothing is
  std::string_view
      meaning;  // why there is none, or what there is; may be empty where there is a formula
};

// Null if the table has none of that name.
const LackingFunction* lacking_function(std::string_view name);

// A word that is called: `argmin_J` is `argmin` along J.
struct LackingWord {
  const LackingFunction* function;
  std::string subscript = {};  // "_J"; empty if there is none
};
// nullopt if the table has no such function, or it has something behind it that is no dimension.
std::optional<LackingWord> lacking_word(
    std::string_view word, const std::function<bool(const std::string& name)>& is_dimension);

// The formula of these arguments, in parentheses if it is an operand and needs them. nullopt if there is none of so many, or none
// without a subscript.
std::optional<std::string> written_out(const LackingWord& word,
                                       const std::vector<std::string>& arguments, bool is_operand);
// What is said of it where no line can be written: its meaning, or "it is sin(x) / cos(x)".
std::string said_of(const LackingFunction& function);

std::span<const LackingFunction> lacking_functions();

}  // namespace shard
