// The figures of a chip by name: what `chip NAME {…}` states, what `chip.NAME` reads, and the symbols that stand for
// them while no chip is declared. One table, one line per figure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/unit.h"
#include "runtime/machine/chip.h"

namespace shard {

struct ChipFigure {
  enum class Form { Slice, Wrap, Number, Rate, Efficiency };

  std::string_view name;
  std::string_view meaning;  // see meaning_of
  Form form;
  Unit unit = {};
  // Number: the member that holds it, and the factor of the figure over that: W_ici is both directions of W1.
  std::optional<Rational> Chip::*stated = nullptr;
  std::int64_t share = 1;
  std::vector<std::int64_t> Chip::*slice = nullptr;  // Slice
  DType dtype = DType::Bf16;                         // Rate
  // What reading a Number gives; null: the stated value.
  Formula (*read)(const Chip&) = nullptr;
  bool may_be_zero = false;
  bool is_whole = false;
  // The value assumed in comparisons while it is a symbol; 0: it never is one.
  double reference = 0;
};

std::span<const ChipFigure> chip_figures();
// What help says of it: the meaning, and the words of `wrap`.
std::string meaning_of(const ChipFigure& figure);
// Null if there is none of that name.
const ChipFigure* find_chip_figure(std::string_view name);

constexpr bool is_stated(const ChipFigure& figure) {
  return figure.form != ChipFigure::Form::Number || figure.stated != nullptr;
}
constexpr bool is_read(const ChipFigure& figure) {
  return figure.form == ChipFigure::Form::Number || figure.form == ChipFigure::Form::Rate ||
         figure.form == ChipFigure::Form::Efficiency;
}

// Whether a symbol in a formula stands for a figure: "C", "W", "W_hbm", "W_dcn", "W_core", "T_min".
bool is_chip_symbol(std::string_view symbol);

// The figure as read; nullopt if the chip does not state it. REQUIRES: is_read.
std::optional<Formula> read_figure(const ChipFigure& figure, const Chip& chip);

}  // namespace shard
