// What an expression of scalars yields.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/unit.h"
#include "grammar/tree/ast.h"
#include "runtime/algebra/formula.h"

namespace shard {

struct Scope;
struct SupposedFigures;

// A number with its unit, or a formula where sizes are missing. Times in seconds, volumes in bytes.
struct Quantity {
  Formula value;
  Unit unit;
  // Of what `solve` and `minimize` found: what is said behind it where it is printed, which may be nothing. Never a part of
  // what it is.
  std::shared_ptr<const std::string> remark = nullptr;
};

// The value of a comparison; nullopt while it depends on sizes that are missing.
struct Truth {
  std::optional<bool> holds;
};

// `cost { … }`: a supposition, planned anew where a figure of it is read and what it read before is no longer the same.
// `scope` is what the block saw where it was written, but for what it takes from where it is read.
struct Supposition {
  std::shared_ptr<const ast::BlockExpr> block;
  std::shared_ptr<const Scope> scope;
  std::shared_ptr<SupposedFigures> known;  // those that were planned last, shared by copies
};

// A word, such as what bounds a block: it is printed, not computed with.
struct Word {
  std::string text;
  std::string remark = {};  // behind it where it is printed
};

// Several numbers, ascending: all crossings that `solve` found.
struct List {
  std::vector<Quantity> values;
};

// Sizes between two ends; without an end they go on.
struct SizeRange {
  std::optional<Rational> from = {};
  std::optional<Rational> to = {};
  bool has_from = false;  // the end itself is one of them
  bool has_to = false;
};
// The sizes for which a comparison holds, as `when` finds them.
struct Condition {
  std::string text;    // "B / X > C / W"
  std::string key;     // the same for two that hold for the same sizes
  std::string remark;  // behind it where it is printed; may be empty
  // Where one size decides: its name, and the ranges of it, ascending. No name: `text` says all that is known.
  std::string size = {};
  std::vector<SizeRange> ranges = {};
  std::int64_t step = 1;  // of which multiples alone it is said
};
// Of conditions that hold for all sizes, and for none.
inline constexpr const char* kHoldsAlways = "always";
inline constexpr const char* kHoldsNever = "never";

using Value = std::variant<Quantity, Truth, Supposition, Word, List, Condition>;

// The longest dimension, and the most elements of an array: whole numbers that a double holds exactly.
inline constexpr std::int64_t kMaxLength = std::int64_t{1} << 53;
inline constexpr const char* kLengthRule = "it must be a positive whole number, at most 2^53";

// Whether they are the same number with the same unit, the same word, or the same block. Not whether they print alike: 1.00001
// and 1.00002 do.
bool is_same_value(const Value& one, const Value& other);

// Whether it can be the length of a dimension: see kLengthRule; a formula may be one.
bool is_length(const Quantity& quantity);
// The number, if it is one that can be the length of a dimension.
std::optional<std::int64_t> whole_length(const Value& value);

// A quantity as a person reads it: "23.30 us", "33.55 MB", "8·D·F B", "2·B·D·F / (X·Y) FLOPs".
std::string to_text(const Quantity& quantity);
std::string to_text(const Value& value);

}  // namespace shard
