// The lengths of a program, and how its steps and statements tie them together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpreter/program/length_relations.h"
#include "interpreter/program/program.h"

namespace shard {

struct ProgramLengths {
  LengthRelations relations;
  std::vector<LengthRelations::Length> dimensions;           // by id
  std::vector<std::vector<LengthRelations::Length>> copies;  // of each dimension, by id of the copy
  std::map<std::string, std::vector<LengthRelations::Length>> by_name;  // by name_key

  const std::vector<LengthRelations::Length>& of(CopyId copy) const {
    return copies[static_cast<std::size_t>(copy.value)];
  }
  LengthRelations::Length of(DimensionId dimension) const {
    return dimensions[static_cast<std::size_t>(dimension.value)];
  }
  // Those of that name; none if no dimension has it.
  std::vector<LengthRelations::Length> named(const std::string& key) const;
};

ProgramLengths lengths_of(const Program& program, const Scope& scope);

}  // namespace shard
