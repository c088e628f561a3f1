// What is pasted into a line.
#pragma once

#include <string>

namespace shard {

// As it is typed: ends of lines are single, and the last one is left out. Of the transcript of a session, of this program or
// another, only what stands behind its prompts is taken, and lines that an input which is open there needs.
std::string typed_of_pasted(std::string text);

}  // namespace shard
