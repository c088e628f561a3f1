// Random programs of everything that the language has: arrays that are placed, faults, functions, loops, integers, every
// type of elements. They are more than the model of legal programs knows (model.h): many are wrong, and what is asked of them
// is that all ways to run them agree.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/interpreter/properties/random_program/random.h"

namespace shard::random_program {

struct VariedProgram {
  std::vector<std::string> lines;  // statements, some of several lines
  std::set<std::string> features;  // what it has, by name

  std::string text() const;
};

VariedProgram varied_program(Random& random);

// Everything that `features` may hold.
const std::vector<std::string>& varied_features();

}  // namespace shard::random_program
