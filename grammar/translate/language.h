// Whose a word is: the language that a module or a function is from.
#pragma once

#include <string_view>

namespace shard {

// "Megatron" of `ColumnParallelLinear`; empty if the name alone does not tell.
std::string_view language_of_function(std::string_view name);
// "JAX" of `jnp`, `jax.lax`; empty if it is no module.
std::string_view foreign_language(std::string_view module);
// Whether a word in front of a parenthesis is a function of the notation.
bool is_language_function(std::string_view word);

}  // namespace shard
