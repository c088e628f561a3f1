// The notation of a document, and its scripts, before anything is judged.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/document/fences.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/names.h"

namespace shard {

// A piece of the document that is notation, or a script.
struct FoundPiece {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<ast::Statement> statements;
  std::vector<std::size_t> places = {};  // where each begins; none of a script
  std::optional<Fence> script = {};  // the fence of one, in whose body its statements have places
  // Where the body is no text, so that nothing of it was read.
  std::optional<std::size_t> damage = {};
  std::vector<std::string> unsure_words = {};
};

// In the order of the document. `names` are what it supposes.
std::vector<FoundPiece> find_notation(std::string_view text, Names names);

}  // namespace shard
