// The functions of the language by name, from base/functions.def; and the casts, which are called by the names of the types
// in base/dtypes.def.
#pragma once

#include <span>
#include <string_view>

namespace shard {

// What a call without a subscript gives.
enum class FunctionUse {
  None,
  OfArray,    // a number, from an array whose elements are not read
  OfOne,      // a number, from one number
  OfSeveral,  // a number, from one or more numbers
  Reshape,
  Cast,        // an array in another one's element type
  Coordinate,  // an index
  Contents,    // a condition on the contents of arrays
  Random,      // from here on: the values of an input
  Load,
  Iota,
  Zeros,
  Ones
};

// What a call does along the dimensions in its subscript.
enum class Along {
  None,
  Sum,
  Mean,
  Max,
  Min,
  Softmax,
  Top,
  ArgMax,
  CumSum,
  OneHot,
  Scatter,  // of arrays of indices and what is added up
  Concat,   // of several arrays
  Pad
};

struct FunctionInfo {
  std::string_view name;
  FunctionUse use;
  bool of_elements;  // also works element by element
  Along along;
  std::string_view example;  // shown by `shard help functions`; empty for alternative spellings
  std::string_view meaning;
};

std::span<const FunctionInfo> functions();
// Null if there is none of that name.
const FunctionInfo* find_function(std::string_view name);
// Whether it is `cast`, which takes an array and one whose element type it gets.
bool casts_like(std::string_view name);

// Whether Tab, help and messages list it. The others are alternative spellings and functions this version does not run.
constexpr bool is_listed(const FunctionInfo& function) { return !function.example.empty(); }
// Whether a call gives a scalar.
constexpr bool gives_number(const FunctionInfo& function) {
  return function.use == FunctionUse::OfArray || function.use == FunctionUse::OfOne ||
         function.use == FunctionUse::OfSeveral;
}
constexpr bool is_source(const FunctionInfo& function) {
  return function.use >= FunctionUse::Random;
}
// Written without parentheses.
constexpr bool is_constant(const FunctionInfo& function) {
  return function.use >= FunctionUse::Iota;
}
constexpr bool computes_array(const FunctionInfo& function) {
  return function.of_elements || function.use == FunctionUse::Reshape ||
         function.use == FunctionUse::Cast || function.along != Along::None;
}
// Whether a call without a subscript is meaningful.
constexpr bool is_callable(const FunctionInfo& function) {
  return (function.use != FunctionUse::None && !is_constant(function)) || function.of_elements;
}

}  // namespace shard
