// Gradients: from an array back through the statements that made it, as statements of the language. Which collectives they take is
// found as for any others: of an AllGather that comes to a ReduceScatter, of an AllReduce to nothing. Nothing runs here.
//
// In this folder:
//   derive.h          an array's derived statements
//   derivation.h      the walk back that makes them
//   forward.h         what they read: arrays and what statements made on their way, by name
//   element_rules.h   what is computed element by element, by base/derivatives.def
//   piece.h           parts of statements as text
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/gradient/forward.h"

namespace shard::gradient {

struct Request {
  ArrayId of;
  Span span;
  // Copies of the forward pass that stay: what reads the array reads this one. Without axes of size 1.
  std::vector<std::pair<ArrayId, Layout>> kept;
  // Whether gradients end with this array: it was given to the function that runs, or is of outside.
  std::function<bool(ArrayId)> is_given;
  Forward::PartName part_name;
};

struct DerivedStatement {
  std::string text;  // canonical but for parentheses
  ArrayId
      of_kernel;  // one of those that go back through this `fused` block, as one kernel; invalid: through none
};

struct Derived {
  std::vector<DerivedStatement> statements;  // in order
  Forward forward;                           // what names in them mean
  std::vector<ArrayId> over;         // gradients of an earlier `backward` that end with this one
  std::vector<std::string> lasting;  // gradients of arrays that a name means: they have names, too
  std::vector<ArrayId> reached;      // arrays that have a gradient
};

// One below the other; those of a kernel in `fused { … }`.
std::string text_of(const Derived& derived);

// Reports NoGradient and TargetMismatch.
std::optional<Derived> derive(const Request& request, const Scope& scope, DiagnosticSink& sink);

}  // namespace shard::gradient
