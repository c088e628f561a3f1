// Statements about the machine: chips, hardware, meshes, faults, sending between devices.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "grammar/tree/expression.h"

namespace shard::ast {

// `128: 0.002`: a figure at a size.
struct SizedFigure {
  Number size;
  Number value;
  friend bool operator==(const SizedFigure&, const SizedFigure&) = default;
};

// `HBM: 300 MB` in `hardware … {…}` and `chip … {…}`. A value may be a word ("cube4", "pod"), a slice ("16x20x28"), or
// numbers by size ("{128: 0.002, 4096: 0.8}").
struct Figure {
  Identifier name;
  std::variant<Number, Identifier, std::vector<Number>, std::vector<SizedFigure>> value;
  friend bool operator==(const Figure&, const Figure&) = default;
};

// `hardware TPUv5p 4x4x4 wrap {HBM: 300 MB}`.
struct Hardware {
  Identifier chip;
  std::vector<Number> slice;       // empty: not written
  std::optional<bool> wraparound;  // `wrap`, `nowrap`
  std::vector<Figure> overrides;
  friend bool operator==(const Hardware&, const Hardware&) = default;
};

enum class AxisKind { Ici, Ring, Line, Dcn, Switch, Core };

// `X: 4`, `X: 4x4`, `X: 8 ring`, `P: 2 dcn`, `X: 16 switch 2.5e10 B/s`, `X: 4 line`, `C: 2 core`.
struct MeshAxis {
  Identifier name;
  std::vector<Number> sizes;
  AxisKind kind = AxisKind::Ici;
  std::optional<Number> bandwidth;
  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};

// `mesh {X: 8, Y: 8} place best c.time`.
struct Mesh {
  std::vector<MeshAxis> axes;
  // What is to be least among the ways to lay the axes over the slice.
  std::optional<Box<Expr>> least = {};
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// `chip Mine = TPUv5p {HBM: 128 GB}`, `chip New {HBM: …, …}`.
struct Chip {
  Identifier name;
  std::optional<Identifier> base;
  std::vector<Figure> figures;
  friend bool operator==(const Chip&, const Chip&) = default;
};

// `link X[3]`, `link X.1[3]`: the link after that place of the axis, or of the second torus axis that it runs over.
struct LinkName {
  Identifier axis;
  std::optional<Number> torus;
  Number position;
  friend bool operator==(const LinkName&, const LinkName&) = default;
};

// `device 5`, `device (1,2)`.
struct DeviceName {
  std::vector<Number> coordinates;  // or a number
  bool listed = false;
  friend bool operator==(const DeviceName&, const DeviceName&) = default;
};

// A part of the machine that has a fault.
struct MachinePart {
  std::variant<LinkName, DeviceName> name;
  Location at;
  friend bool operator==(const MachinePart&, const MachinePart&) = default;
};

// `fault link X[3]`, `fault device 5 at 2 us`.
struct Fault {
  MachinePart part;
  std::optional<Number> at;
  friend bool operator==(const Fault&, const Fault&) = default;
};

// `slow link X[3] by 10`, `slow link X[3] to 1e9 B/s`, `slow device 5 by 2`.
struct Slow {
  MachinePart part;
  Number amount;
  bool to = false;
  friend bool operator==(const Slow&, const Slow&) = default;
};

// `send A from (0,0) to (3,3)`.
struct Send {
  ArrayRef array;
  DeviceName from;
  DeviceName to;
  friend bool operator==(const Send&, const Send&) = default;
};

}  // namespace shard::ast
