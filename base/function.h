// The functions of the language by name, from base/functions.def.
#pragma once

#include <span>
#include <string_view>

namespace shard {

// What a call without a subscript gives.
enum class FunctionUse {
  None,
  OfArray,    // a number, of an array that is not read
  OfOne,      // a number, of one
  OfSeveral,  // a number, of one or more
  Reshape,
  Coordinate,  // an index
  Contents,    // a condition on the contents of arrays
  Random,      // from here on, the values of an input
  Load,
  Iota,
  Zeros,
  Ones
};

// What a call does along the dimensions of its subscript.
enum class Along { None, Sum, Mean, Max, Min, Softmax, Top, Later };

struct FunctionInfo {
  std::string_view name;
  FunctionUse use;
  bool of_elements;  // works element by element as well
  Along along;
  std::string_view example;  // of `shard help functions`; empty for another spelling
  std::string_view meaning;
};

std::span<const FunctionInfo> functions();
// Null for any other name.
const FunctionInfo* find_function(std::string_view name);

// Whether Tab, help and messages have it. The others are other spellings, and what this version does not run.
constexpr bool is_listed(const FunctionInfo& function) { return !function.example.empty(); }
// Whether a call of it is a scalar.
constexpr bool gives_number(const FunctionInfo& function) {
  return function.use == FunctionUse::OfArray || function.use == FunctionUse::OfOne ||
         function.use == FunctionUse::OfSeveral;
}
constexpr bool is_source(const FunctionInfo& function) {
  return function.use >= FunctionUse::Random;
}
// Stands without parentheses.
constexpr bool is_constant(const FunctionInfo& function) {
  return function.use >= FunctionUse::Iota;
}
constexpr bool is_later(const FunctionInfo& function) { return function.along == Along::Later; }
constexpr bool computes_array(const FunctionInfo& function) {
  return function.of_elements || function.use == FunctionUse::Reshape ||
         (function.along != Along::None && !is_later(function));
}
// Whether a call without a subscript means something.
constexpr bool is_callable(const FunctionInfo& function) {
  return (function.use != FunctionUse::None && !is_constant(function)) || function.of_elements;
}

}  // namespace shard
