// The table of element types: each is read, printed and told by one name.
#include <gtest/gtest.h>

#include <string>

#include "base/dtype.h"
#include "base/words.h"
#include "tests/interpreter/driver/known_words.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::element_types_test {
namespace {

using testing::expect_words;
using testing::first_help;
using testing::formatted;
using testing::manual;
using testing::Ran;

// `fmt` said `u32` where the report has `uint32`, and left `half` as it stood.
TEST(Tables, ElementTypesArePrintedByTheirCanonicalNames) {
  for (const DTypeInfo& type : dtypes()) {
    const std::string name(type.name);
    EXPECT_EQ(formatted("A: " + name + "[I]"), "A: " + name + "[I]\n");
    EXPECT_EQ(formatted("x = bytes(" + name + "[4])"), "x = bytes(" + name + "[4])\n");
  }
  for (const DTypeAlias& alias : dtype_aliases()) {
    const std::string word(alias.word);
    const std::string name(name_of(alias.dtype));
    EXPECT_EQ(formatted("A: " + word + "[I]"), "A: " + name + "[I]\n");
    EXPECT_EQ(formatted("A[I]: " + word), "A: " + name + "[I]\n");
    const bool type = alias.place == DTypePlace::Anywhere;
    EXPECT_EQ(formatted("x = bytes(" + word + "[4])"),
              "x = bytes(" + (type ? name : word) + "[4])\n");
  }
}

// `B: half[I]` is fp16, and `half[I_X]` an array: the table says so of each spelling.
TEST(Tables, WordsOfEnglishAreElementTypesBehindAColonAlone) {
  for (const DTypeAlias& alias : dtype_aliases()) {
    const std::string word(alias.word);
    const bool is_name = alias.place == DTypePlace::AfterColon;
    EXPECT_EQ(is_name, word.find_first_of("0123456789") == std::string::npos) << word;
    const Ran ran("I = 4\n" + word + "[I] → C[I]");
    EXPECT_EQ(ran.session.state().scope.names.find_array(word).has_value(), is_name) << word;
  }
}

TEST(Tables, TheManualKnowsTheElementTypesAndTheMisspeltAreGuessed) {
  expect_words(manual(), words_of(dtypes(), &DTypeInfo::name));
  for (const DTypeInfo& type : dtypes()) {
    std::string slip(type.name);
    slip.insert(1, 1, 'q');
    EXPECT_EQ(first_help("A: " + slip + "[I]"), "A: " + std::string(type.name) + "[I]");
  }
}

// The report has the name that `fmt` writes.
TEST(Tables, ReportAndFormatterCallAnElementTypeAlike) {
  for (const DTypeAlias& alias : dtype_aliases()) {
    const Ran ran("A: " + std::string(alias.word) + "[4]\n");
    const Scope& scope = ran.session.state().scope;
    ASSERT_TRUE(scope.names.find_array("A").has_value()) << alias.word;
    EXPECT_EQ(scope.store.arrays[*scope.names.find_array("A")].dtype, alias.dtype) << alias.word;
  }
}

}  // namespace
}  // namespace shard::element_types_test
