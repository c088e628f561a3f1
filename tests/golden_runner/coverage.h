// Whether the golden cases draw every diagnostic there is.
#pragma once

#include <string>
#include <vector>

#include "tests/golden_runner/cases.h"

namespace shard::golden {

// What is wrong, one problem a line: kinds of grammar/diagnostics/diagnostics.def that appear as `[Kind]` in no
// expected `.err`, unless tests/golden/uncovered.txt has a line `Kind: reason`; lines there which
// are not needed or say nothing.
std::string check_coverage(const std::vector<Case>& cases);

}  // namespace shard::golden
