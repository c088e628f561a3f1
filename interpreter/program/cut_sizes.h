// A program on smaller arrays: the plan that the full sizes chose, executed where those have no room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/rational.h"
#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/program/program.h"

namespace shard {

// What lengths are to become: those of some dimensions, and a part of all others.
struct SizeCut {
  struct Length {
    std::string name;
    std::int64_t length = 0;
  };
  Rational scale = 1;  // in (0, 1]
  std::vector<Length> lengths = {};

  bool changes_anything() const { return scale != Rational(1) || !lengths.empty(); }
};

// "B=1024".
std::string to_text(const SizeCut::Length& length);

// A dimension that is shorter when executed, or has a length only there.
struct CutDimension {
  std::string name;
  std::optional<std::int64_t> full;
  std::int64_t cut = 0;
};

struct CutProgram {
  Program program;
  Scope scope;  // where its dimensions are as long as in the program
  std::vector<CutDimension> dimensions;
  std::vector<CutDimension> kept;  // those that a scale does not shorten, longest first
};

// A length that was asked for and cannot be had.
struct CutMistake {
  DiagnosticKind kind;
  std::string asked;  // "B=100"
  std::string message;
  std::vector<std::string> help = {};
};

// The same steps between the same layouts. Dimensions that a step makes one of stay equally long. What is split stays a multiple
// of its parts, with at least two elements in each part if there are as many. The product of lengths that a reshape merges is cut
// as they are. What is asked for by name becomes as long as that; of the rest, lengths into which indices point stay whole, as
// numbers in a script are not cut, and so do those of files, of parts, and of what is put together. Numbers that elements are
// computed with stay those of the full sizes, and so do the schedules of collectives.
std::variant<CutProgram, CutMistake> cut_sizes(const Program& program, const Scope& scope,
                                               const SizeCut& cut);

}  // namespace shard
