// Names in arithmetic.
#pragma once

#include <optional>
#include <string>

#include "interpreter/check/array.h"

namespace shard {

// A scalar, else a dimension's size, else an axis's size, else a constant of the chip, `devices`, `mesh`, `hardware`.
// Reports UnknownName, NotScalar, AmbiguousName, NotNotation, NoMesh, NoHardware; nullopt after a report.
std::optional<Value> value_of_name(const std::string& name, Span span, CheckContext& context);

// `|I|`, `|X|`: a dimension's size, else an axis's, else a scalar. Reports UnknownName.
std::optional<Value> value_of_size(const std::string& name, Span span, CheckContext& context);

}  // namespace shard
