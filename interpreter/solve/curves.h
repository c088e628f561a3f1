// What `plot` draws: values at many sizes, and the sizes at which two of them are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluator.h"

namespace shard {

struct Curve {
  std::string name;       // the expression, canonical
  bool is_bound = false;  // the first time of computing, `c.math`: what the others are held against
  std::vector<std::optional<double>>
      values;  // by size, in base units; none where it cannot be priced
};
// Of the curves with these places in the list.
struct CurveCrossing {
  std::size_t one = 0;
  std::size_t other = 0;
  double size = 0;   // as `solve` finds it
  double value = 0;  // between those of the sizes next to it
};
struct Curves {
  std::string size;
  std::vector<std::int64_t> sizes;  // ascending
  Unit unit;                        // of all values
  std::vector<Curve> curves;
  std::vector<CurveCrossing> crossings;  // ascending
  std::vector<std::string> remarks;      // what of it is not drawn, and why
};

// As many curves have colours and signs of their own.
inline constexpr std::size_t kMostCurves = 12;

// The values at up to about a hundred whole sizes, multiples of what the mesh cuts the size into: spread evenly, or by factors where
// the last one is ten times the first one or more. Reports what the evaluation reports, NoOpenSize where nothing depends on the size,
// SeveralOpenSizes where others have no value, UnitMismatch, BadArgument; nullopt after a report.
std::optional<Curves> curves_of(const ast::Plot& plot, Span span, EvaluationContext& context);

}  // namespace shard
