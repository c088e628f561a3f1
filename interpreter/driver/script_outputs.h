// What the scripts of a document print, and what the document says that they do.
#pragma once

#include <cstddef>
#include <string>

#include "interpreter/reading/reading.h"

namespace shard {

struct ScriptOutputs {
  std::string text;         // the document as it would be with what they print
  std::string differences;  // between the two, script by script; empty if there are none
  bool interrupted = false;
};

// Runs each script below which its output stands in a process of its own, as `shard run` with the arguments of its fence runs a
// file `script.shard`, and notes in the document which outputs hold. `text` is the document's, `columns` the width of the
// differences.
ScriptOutputs script_outputs(ReadDocument& document, const std::string& text, std::size_t columns);

}  // namespace shard
