// What the scripts of a document print, and what the document says that they do.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "interpreter/reading/reading.h"

namespace shard {

struct ScriptOutputs {
  std::string text;      // the document as it is to be: with what they print, to be written
  std::string problems;  // what does not hold, script by script, with differences
  bool interrupted = false;
};

// Runs each script for which the document says what it prints as `shard test` would (interpreter/testing/test_script.h), and adds to
// the document which outputs hold. `text` is the document's, `columns` the width of the differences. With `update` an output that
// differs is no problem, but stands in the text. Fails where the settings of its folder cannot be read, and where an output would
// close its fence.
Result<ScriptOutputs> script_outputs(ReadDocument& document, const std::string& text, bool update,
                                     std::size_t columns);

}  // namespace shard
