// The tables of a session: commands, settings, habits of other programs, signs; and the file of its history.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

#include "base/words.h"
#include "interpreter/driver/editor/completion.h"
#include "interpreter/driver/editor/history.h"
#include "interpreter/driver/editor/line_editor.h"
#include "interpreter/driver/habit.h"
#include "interpreter/driver/help.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/driver/settings.h"
#include "interpreter/driver/shell.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::session_tables_test {
namespace {

using Words = std::vector<std::string>;

std::optional<FoundHabit> found(const std::string& line) {
  return find_habit(line, [](std::string_view name) { return name == "known"; });
}

// The pattern with something at its places. A `@` before a letter at the beginning is the sign itself.
std::string example_of(std::string_view pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_sign = pattern[i] == '@' && i + 1 < pattern.size() && is_letter(pattern[i + 1]);
    text += pattern[i] == '*'               ? "3 4"
            : pattern[i] == '#'             ? "12"
            : pattern[i] == '@' && !is_sign ? "A"
                                            : std::string(1, pattern[i]);
  }
  return text;
}

TEST(Habits, NoneHidesAnother) {
  for (const Habit& habit : habits()) {
    const auto answer = found(example_of(habit.typed));
    ASSERT_TRUE(answer.has_value()) << habit.typed;
    EXPECT_EQ(answer->kind, habit.kind) << habit.typed;
    if (habit.kind == Habit::Kind::Answered) {
      EXPECT_EQ(answer->text, habit.becomes) << habit.typed;
    }
  }
}

TEST(Habits, BecomeCommandsThatThereAre) {
  for (const Habit& habit : habits()) {
    if (habit.kind == Habit::Kind::Answered || !habit.becomes.starts_with(":")) continue;
    const std::string word = split_words(habit.becomes.substr(1)).front();
    EXPECT_NE(find_session_command(word), nullptr) << habit.becomes;
  }
}

TEST(Habits, NamesOfTheSessionComeFirst) {
  EXPECT_FALSE(found("known").has_value());
  EXPECT_FALSE(found("ls = 3").has_value());
  EXPECT_FALSE(found("exit, B = 3").has_value());
  EXPECT_FALSE(found("A[I_X, J] → A[I, J]").has_value());
  EXPECT_FALSE(found("A[I_?]").has_value());
  EXPECT_EQ(found("known?")->text, ":help known");
  EXPECT_EQ(found("known.shape")->text, ":type known");
}

TEST(SessionCommands, AreFoundByTheirFirstLetters) {
  EXPECT_EQ(find_session_command("und")->name, "undo");
  EXPECT_EQ(find_session_command("q")->name, "quit");
  EXPECT_EQ(find_session_command("se")->name, "set");
  EXPECT_EQ(find_session_command("sh")->name, "show");
  EXPECT_EQ(find_session_command(""), nullptr);
  EXPECT_EQ(find_session_command("nothing"), nullptr);
}

TEST(SessionCommands, HelpHasAllOfThem) {
  const std::string text = help_topic("repl").value_or("");
  for (const std::string& word : session_command_words())
    EXPECT_NE(text.find(word), std::string::npos) << word;
}

TEST(SessionCommands, TabCompletesThemAndWhatTheyTake) {
  const Scope scope;
  EXPECT_EQ(complete_word(":un", scope).insert, "do ");
  EXPECT_EQ(complete_word(":set mo", scope).insert, "del ");
  EXPECT_EQ(complete_word(":set model l", scope).insert, "inks");
  EXPECT_EQ(complete_word(":type AllG", scope).insert, "ather");
  EXPECT_EQ(complete_word(":", scope).candidates.size(), session_commands().size());
}

TEST(Settings, TakeTheirWordsAndNoOthers) {
  SessionOptions options;
  Look look;
  for (const Setting& setting : settings()) {
    for (const std::string& value : split_words(setting.values)) {
      const std::string given = value == "N"         ? "7"
                                : value == "SIZE"    ? "2 GB"
                                : value == "PART"    ? "1/64"
                                : value == "LENGTHS" ? "B=1Ki,D=128"
                                                     : value;
      EXPECT_EQ(change_setting(setting.name, given, options, look), "") << setting.name;
    }
    const std::string wrong = change_setting(setting.name, "nonsense", options, look);
    EXPECT_NE(wrong.find("is no value of " + std::string(setting.name)), std::string::npos)
        << wrong;
  }
  EXPECT_EQ(parse_memory("2 GB"), 2e9);
  EXPECT_EQ(parse_memory("2 "), std::nullopt);
}

TEST(Signs, AreGivenByTabAndReadInScripts) {
  const Scope scope;
  const Completion arrow = complete_word("A \\to", scope);
  EXPECT_EQ(arrow.insert, "→");
  EXPECT_EQ(arrow.replaced, 3U);
  EXPECT_EQ(complete_word("\\rightar", scope).insert, "→");
  EXPECT_TRUE(complete_word("\\nothing", scope).candidates.empty());
  const std::map<std::string, std::string> kScripts = {{"→", "A[I] → B[I]"},
                                                       {"·", "A[I] · B[I, J] → C[J]"},
                                                       {"⊙", "A[I] ⊙ B[I] → C[I]"},
                                                       {"×", "hardware TPUv5p 4×4×4"},
                                                       {"…", "print 3 # …"}};
  for (const char* sign :
#define SHARD_SIGN(name, sign) name,
       {
#include "interpreter/driver/signs.def"
       }) {
    const std::string inserted = complete_word("\\" + std::string(sign), scope).insert;
    const bool is_letter_of_names = inserted >= "Α" && inserted <= "ω";
    const std::string script = is_letter_of_names ? inserted + " = 3\nprint 2*" + inserted
                               : kScripts.count(inserted) != 0 ? kScripts.at(inserted)
                                                               : "expect 3 " + inserted + " 3";
    const testing::Ran ran(script + "\n");
    EXPECT_NE(ran.outcome.status, ExitStatus::ProgramErrors) << script;
  }
}

TEST(LastValue, IsAnUnderscoreThatStandsAlone) {
  EXPECT_EQ(with_last_value("_"), "ans");
  EXPECT_EQ(with_last_value("_ + 1"), "ans + 1");
  EXPECT_EQ(with_last_value("2*_"), "2*ans");
  EXPECT_EQ(with_last_value("min(_, 3)"), "min(ans, 3)");
  EXPECT_EQ(with_last_value("A[I_X] ·_J B"), "A[I_X] ·_J B");
  EXPECT_EQ(with_last_value("A[I_?]"), "A[I_?]");
  EXPECT_EQ(with_last_value("_ + 1", "A"), "A + 1");
  EXPECT_EQ(with_last_value("_ = _ + 1", "A"), "ans = A + 1");
  EXPECT_EQ(with_last_value("_ == 1; B → _", "A"), "A == 1; B → ans");
  EXPECT_EQ(with_last_value("print \"a _ b\" # _"), "print \"a _ b\" # _");
}

TEST(Pasted, IsWhatWasTyped) {
  EXPECT_EQ(typed_of_pasted("a\r\nb\rc\n\n"), "a\nb\nc");
  EXPECT_EQ(typed_of_pasted("shard> a {\n  ... b }\nanswer\nshard> c\n"), "a {\nb }\nc");
  EXPECT_EQ(typed_of_pasted(">>> x = 3\n>>> f(x,\n... 4)\n7\n"), "x = 3\nf(x,\n4)");
  EXPECT_EQ(typed_of_pasted("In [1]: y = 3\n\nIn [12]: y\nOut[12]: 3\n"), "y = 3\ny");
  EXPECT_EQ(typed_of_pasted("julia> f(x,\n         y)\n7\n\njulia> z = 3"),
            "f(x,\n         y)\nz = 3");
}

RC_GTEST_PROP(History, HoldsWhateverWasTyped, (const std::string& entry)) {
  const std::string line = encoded_entry(entry);
  RC_ASSERT(line.find('\n') == std::string::npos);
  RC_ASSERT(decoded_entry(line) == entry);
}

}  // namespace
}  // namespace shard::session_tables_test
