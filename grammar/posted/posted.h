// Lines as people post them: signs of other spellings, and remarks in any language around the notation.
//
// Only a line that cannot be read as it stands comes here, so that scripts never pay for it. What is looked for is the
// longest part that can be read as it stands; the rest has to be a remark, which is whatever holds no notation. A line
// that is notation with a mistake in it is left to the mistake.
//
// In this folder:
//   posted.h     the way in
//   spelling.h   what is written otherwise before a line is searched; a file for each kind of spelling
//   chain.h      the words of collectives in chains of arrays without brackets
//   respelt.h    a text of which pieces are written otherwise
//   search.h     where notation is within a text
//   remark.h     whether what stands around the notation is a remark
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/markup/plain_text.h"

namespace shard {

// What a text says if it is read as statements.
enum class PostedKind {
  Unreadable,
  Named,  // names only, or scalars: may as well be words of a sentence
  Array,  // an array that is only named: may stand in a sentence about it
  Given,  // sizes, a chip: facts that stand beside a statement
  Mesh,
  Type,       // a typed array
  Statement,  // an operation, an assignment
};

struct PostedLine {
  std::vector<PlainText> statements;  // in the order in which they are to be read
  std::string remark;                 // what stood around them, as it was written
};

// What the parser knows.
struct PostedNames {
  std::function<PostedKind(std::string_view text)> read;
  // The dimensions of an array that the script has; nothing if it has none of that name.
  std::function<std::vector<std::string>(const std::string& array)> dimensions;
  std::vector<std::string> axes;  // of the mesh
  // Whether the script has an array, a size or a dimension of that name, or the language a function.
  std::function<bool(std::string_view word)> is_known;
  // The line can be read as it stands: only what is a call elsewhere makes another statement of it.
  bool readable = false;
};

// Notation within a text, which is anything besides.
struct PostedPiece {
  PlainText text;
  std::size_t begin = 0;  // in the text it was found in
  std::size_t end = 0;
};

// All notation in a sentence of an article: sentences around it say nothing, so that none of it has to be a remark. Arrays that
// are only named are found as well; sizes only beside anything else.
std::vector<PostedPiece> find_posted(std::string_view sentence, const PostedNames& names);

// `BM_x × M_xE = BE → RS over x → BE_x`, arrays without brackets, written with them: "[B, M_x] · [M_x, E] = [B, E]{U_x};
// ReduceScatter_x …". nullopt if it is no such chain.
std::optional<std::string> with_brackets(std::string_view chain);

// Whether such a chain with a collective may stand in the text, which needs no brackets.
bool may_hold_chain(std::string_view text);

// `line` is a line of a file without its comment, and begins there at `offset`. nullopt if it holds no notation, or more
// than notation and remarks.
std::optional<PostedLine> read_posted(std::string_view line, std::uint32_t offset,
                                      const PostedNames& names);

}  // namespace shard
