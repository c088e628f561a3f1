// Random programs for the property test, legal ones and ones with one mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/interpreter/random_program/model.h"
#include "tests/interpreter/random_program/text.h"
#include "tests/interpreter/random_program/random.h"

namespace shard::random_program {

struct RandomProgram {
  Script script;
  Style style;
};

// One to five statements. About a quarter of the programs end in a statement with a mistake.
RandomProgram random_program(Random& random);

// Statements of their own, for properties about planning: a script with a chip, without statements, whose model is
// `Model(script)`; and a product of two new inputs with a target.
Script random_header(Random& random, bool hardware);
// nullopt if the draw did not come to a legal product.
std::optional<Statement> random_product(Random& random, Script& script);

}  // namespace shard::random_program
