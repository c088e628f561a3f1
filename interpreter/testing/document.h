// Documents in Markdown as tests: fences named `shard` are scripts, and a fence beneath says what one prints.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "interpreter/testing/test_script.h"

namespace shard::test {

// Whether the path is one of a document: `.md`, `.markdown`.
bool is_document(const std::string& path);

// The fences of a document that are tests, in their order: each is the document as a script, with what the fence says in its
// place. One that says what is not understood is a test that fails.
std::vector<TestScript> scripts_of(const TestScript& document);

// The document with other outputs: the lines at which their fences open, and what stands there from now on. Fails where the
// document has no such fence (any more), and where an output would close it.
Result<std::string> with_outputs(std::string text,
                                 const std::map<std::size_t, std::string>& outputs);

}  // namespace shard::test
