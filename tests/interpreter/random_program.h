// Random programs for the property test, legal ones and ones with one mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/interpreter/program_model.h"
#include "tests/interpreter/program_text.h"

namespace shard::random_program {

// Draws that are the same on every machine for one seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // 0 … count − 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[below(items.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

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
