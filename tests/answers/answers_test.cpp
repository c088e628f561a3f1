// The answers of the documents, and that the scripts prove them.
//
// docs/answers.md has a row for each: its name, its values, and the example that holds them in an `expect`, behind or below a
// comment with its name:
//   expect one.comms ≈ 23.30 us  # q2a
// What stands on the left must come out of the model or the library: a figure of `cost { … }`, `time { … }`, `flops { … }`, the
// answer of `solve`, the bytes of a layout, or a function of a module that the script uses. Arithmetic typed by hand proves
// nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"

namespace shard::answers_test {
namespace {

struct Answer {
  std::string name;
  std::vector<std::string> values;  // in canonical spelling
  std::string script;               // below examples/, without its ending
};

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// What stands between backticks.
std::vector<std::string> values_in(const std::string& cell) {
  std::vector<std::string> values;
  for (std::size_t begin = cell.find('`'); begin != std::string::npos;) {
    const std::size_t end = cell.find('`', begin + 1);
    values.push_back(cell.substr(begin + 1, end - begin - 1));
    begin = cell.find('`', end + 1);
  }
  return values;
}

// The rows of docs/answers.md.
const std::vector<Answer>& answers() {
  static const std::vector<Answer> list = [] {
    std::vector<Answer> rows;
    std::istringstream lines(read_file(std::filesystem::path(SHARD_ROOT) / "docs/answers.md"));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("| ") || line.starts_with("| mark")) continue;
      std::vector<std::string> cells;
      std::istringstream row(line.substr(1));
      for (std::string cell; std::getline(row, cell, '|');) cells.push_back(trimmed(cell));
      if (cells.size() == 4) rows.push_back({cells[0], values_in(cells[2]), cells[3]});
    }
    return rows;
  }();
  return list;
}

// By name of the answer: the values that scripts prove.
using Proofs = std::map<std::string, std::set<std::string>>;

// The names of a script that stand for what is computed.
struct Computed {
  std::set<std::string> costs;      // of `name = cost { … }`
  std::set<std::string> functions;  // of the library's modules that the script uses
};

// The functions of the modules of a script's lines `use MODULE`.
std::set<std::string> functions_used(const std::string& script) {
  std::set<std::string> functions;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("use ")) continue;
    const std::string module = line.substr(4);
    std::istringstream text(
        read_file(std::filesystem::path(SHARD_ROOT) / "stdlib" / (module + ".shard")));
    for (std::string definition; std::getline(text, definition);)
      if (definition.starts_with("fn "))
        functions.insert(definition.substr(3, definition.find('(') - 3));
  }
  return functions;
}

bool comes_from_model(const ast::Expr& expr, const Computed& computed) {
  return match(
      expr.node, [](const ast::BlockExpr&) { return true; },
      [](const ast::Question&) { return true; },
      [&](const ast::Member& member) {
        const auto* name = std::get_if<ast::ArrayRef>(&member.object->node);
        if (name && name->name && !name->bracketed)
          return computed.costs.contains(name->name->text);
        return comes_from_model(*member.object, computed);
      },
      [&](const ast::Call& call) {
        if (computed.functions.contains(call.function.text)) return true;
        const bool counts = call.function.text == "bytes" || call.function.text == "total_bytes";
        return counts && call.arguments.size() == 1 &&
               std::holds_alternative<ast::ArrayRef>(call.arguments.front()->node);
      },
      [&](const ast::Binary& binary) {
        return comes_from_model(*binary.left, computed) ||
               comes_from_model(*binary.right, computed);
      },
      [&](const ast::Product& product) {
        return comes_from_model(*product.left, computed) ||
               comes_from_model(*product.right, computed);
      },
      [&](const ast::Unary& unary) { return comes_from_model(*unary.operand, computed); },
      [](const auto&) { return false; });
}

// `==`, or `≈` with the tolerance that it has of itself.
bool is_exact(const ast::Binary& binary) {
  if (binary.op == ast::BinaryOp::Equal) return true;
  return binary.op == ast::BinaryOp::Approx && !binary.tolerance;
}

// The words of the comment behind a statement and, `above`, of the comment line right above it.
std::set<std::string> marks(const ast::Statement& statement, bool above = true) {
  std::string text = statement.trailing;
  if (above && !statement.leading.empty()) text += " " + statement.leading.back();
  std::istringstream words(text);
  std::set<std::string> found;
  for (std::string word; words >> word;) found.insert(word);
  return found;
}

void collect(const ast::Statement& statement, const Computed& computed, Proofs& proofs) {
  const auto* expect = std::get_if<ast::Expect>(&statement.node);
  if (!expect) return;
  const auto* comparison = std::get_if<ast::Binary>(&expect->condition.node);
  if (!comparison || !is_exact(*comparison) || !comes_from_model(*comparison->left, computed))
    return;
  const std::string value = print(*comparison->right, Spelling::Unicode);
  for (const std::string& mark : marks(statement)) proofs[mark].insert(value);
}

void note_costs(const ast::Statement& statement, std::set<std::string>& costs) {
  const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
  if (!bindings) return;
  for (const ast::Binding& binding : bindings->items) {
    const auto* block = std::get_if<ast::BlockExpr>(&binding.value->node);
    if (block && block->kind == ast::BlockKind::Cost) {
      costs.insert(binding.name.text);
    } else {
      costs.erase(binding.name.text);
    }
  }
}

Proofs proofs_in(const std::string& script) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, sources.add("script", script), names, sink);
  Proofs proofs;
  Computed computed{{}, functions_used(script)};
  for (const ast::Statement& statement : module.statements) {
    collect(statement, computed, proofs);
    note_costs(statement, computed.costs);
  }
  return proofs;
}

std::filesystem::path examples() { return std::filesystem::path(SHARD_ROOT) / "examples"; }

TEST(Answers, EachIsHeldByTheScriptThatTheTableNames) {
  EXPECT_GE(answers().size(), 34U);
  std::map<std::string, Proofs> proofs;
  for (const Answer& answer : answers()) {
    const std::filesystem::path script = examples() / (answer.script + ".shard");
    ASSERT_TRUE(std::filesystem::exists(script)) << script;
    if (!proofs.contains(answer.script)) proofs[answer.script] = proofs_in(read_file(script));
    EXPECT_FALSE(answer.values.empty()) << answer.name;
    for (const std::string& value : answer.values)
      EXPECT_TRUE(proofs[answer.script][answer.name].contains(value))
          << answer.script << " does not hold that " << answer.name << " is " << value;
  }
}

// A comment of one word behind an `expect` is the name of an answer.
TEST(Answers, EachMarkOfAnExampleIsInTheTable) {
  std::size_t marked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples())) {
    if (entry.path().extension() != ".shard") continue;
    const std::string script =
        std::filesystem::relative(entry.path(), examples()).replace_extension().string();
    SourceMap sources;
    Names names;
    DiagnosticSink sink;
    const FileId file = sources.add("script", read_file(entry.path()));
    for (const ast::Statement& statement : parse(sources, file, names, sink).statements) {
      std::set<std::string> words = marks(statement, false);
      words.erase("#");
      if (!std::holds_alternative<ast::Expect>(statement.node) || words.size() != 1) continue;
      ++marked;
      const auto row = std::find_if(answers().begin(), answers().end(), [&](const Answer& answer) {
        return answer.name == *words.begin();
      });
      EXPECT_TRUE(row != answers().end()) << script << ": " << *words.begin();
    }
  }
  EXPECT_GE(marked, answers().size());
}

// examples/README.md lists every script, and none that is not there.
TEST(Examples, AreAllInTheIndex) {
  const std::string index = read_file(examples() / "README.md");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples())) {
    if (entry.path().extension() != ".shard") continue;
    const std::string path = std::filesystem::relative(entry.path(), examples()).string();
    EXPECT_NE(index.find("(" + path + ")"), std::string::npos) << path;
  }
  for (std::size_t at = index.find(".shard)"); at != std::string::npos;
       at = index.find(".shard)", at + 1)) {
    const std::size_t begin = index.rfind('(', at) + 1;
    const std::string path = index.substr(begin, at + 6 - begin);
    EXPECT_TRUE(std::filesystem::exists(examples() / path)) << path;
  }
}

TEST(Answers, AreThoseOfTheModelOnly) {
  const std::vector<std::string> proved{
      "expect time { AllGather_X A[4_X] } == 2 us  # q3",
      "# q3\nexpect time { AllGather_X A[4_X] } ≈ 2 us",
      "c = cost { AllGather_X A[4_X] }\nexpect c.comms == 2 us  # q3",
      "expect bytes(A[4_X]) / bytes(A[2]) == 2 us  # q3",
      "expect cost { AllGather_X A[4_X] }.comms == 2 us  # q3",
      "use inference\nexpect transfer_time(2 B, 1e6 B/s) == 2 us  # q3",
  };
  for (const std::string& script : proved)
    EXPECT_TRUE(proofs_in(script)["q3"].contains("2 us")) << script;

  const std::vector<std::string> unproved{
      "expect 1 us + 1 us == 2 us  # q3",
      "c = 2 us\nexpect c == 2 us  # q3",
      "c = 2 us\nexpect c.comms == 2 us  # q3",
      "expect 2 us == time { AllGather_X A[4_X] }  # q3",
      "expect time { AllGather_X A[4_X] } < 2 us  # q3",
      "expect time { AllGather_X A[4_X] } ≈ 2 us ± 50%  # q3",
      "expect time { AllGather_X A[4_X] } == 3 us  # q3",
      "expect time { AllGather_X A[4_X] } == 2 us",
      "expect chip.T_min == 2 us  # q3",
      "expect transfer_time(2 B, 1e6 B/s) == 2 us  # q3",
  };
  for (const std::string& script : unproved)
    EXPECT_FALSE(proofs_in(script)["q3"].contains("2 us")) << script;
}

}  // namespace
}  // namespace shard::answers_test
