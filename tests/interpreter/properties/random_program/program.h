// Random programs for the property test, legal ones and ones with one mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/interpreter/properties/random_program/model.h"
#include "tests/interpreter/properties/random_program/random.h"
#include "tests/interpreter/properties/random_program/text.h"

namespace shard::random_program {

struct RandomProgram {
  Script script;
  Style style;
};

// One to five statements. About a quarter of the programs end in a statement with a mistake.
RandomProgram random_program(Random& random);

// The kinds of mistakes that are made.
std::vector<DiagnosticKind> mistakes();

// A script without statements; with `hardware`, the mesh is a slice of TPU v5p, so that times are numbers.
Script random_header(Random& random, bool hardware);
// A product of two new inputs with a target, added to such a script; false if the draw did not come to a legal one.
bool add_random_product(Random& random, Script& script);
// Another layout of brackets, in which every dimension divides and nothing is unreduced.
Brackets random_layout(Random& random, const Script& script, const Brackets& array);

}  // namespace shard::random_program
