// The answers of the documents, and that the scripts prove them.
//
// Each must stand in an `expect` of an example or of a golden script, which the golden runner runs, behind or below a
// comment with its name:
//   expect one.comms ≈ 23.30 us  # q2a
// What stands on the left must come out of the model: a figure of `cost { … }`, `time { … }`, `flops { … }`, or the
// bytes of a layout. Arithmetic typed by hand proves nothing.
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
  const char* name;
  std::vector<std::string> values;  // in canonical spelling
};

const std::vector<Answer>& answers() {
  static const std::vector<Answer> list{
      {"quiz.fp32", {"1_048_576 B"}},
      {"quiz.int8", {"16_384 B", "524_288 B"}},
      {"q1", {"16"}},
      {"q2a", {"23.30 us"}},
      {"q2b", {"46.60 us"}},
      {"q2c", {"11.65 us"}},
      {"q3", {"2 us"}},
      {"quiz2a", {"559.2 us"}},
      {"quiz2b", {"3 us"}},
      {"lat", {"45_000 B"}},
      {"a2a", {"93.21 us"}},
      {"q4", {"2 B · D · F", "4 B · B · F"}},
      {"q5", {"37.43 us", "248.6 us"}},
      {"q6a", {"43.61 us", "279.6 us"}},
      {"q6b", {"43.61 us", "139.8 us"}},
      {"q6c", {"43.61 us", "0 s"}},
      {"train.dp", {"8 FLOPs · B · D · F / X", "8 B · D · F"}},
      {"train.fsdp", {"4 FLOPs · B · D · F / X", "4 B · D · F"}},
      {"train.tp", {"4 FLOPs · B · D · F / Y", "4 B · B · D"}},
      {"train.mix", {"4 FLOPs · B · D · F / (X · Y)", "4 B · D · F / Y + 4 B · B · D / X"}},
      {"train.alpha", {"2550", "850"}},
      {"train.fsdp.v5p", {"5.965 ms"}},
      {"tpus.q5", {"6 us", "192.4 us"}},
  };
  return list;
}

// By name of the answer: the values that scripts prove.
using Proofs = std::map<std::string, std::set<std::string>>;

bool comes_from_model(const ast::Expr& expr, const std::set<std::string>& costs) {
  return match(
      expr.node, [](const ast::BlockExpr&) { return true; },
      [&](const ast::Member& member) {
        const auto* name = std::get_if<ast::ArrayRef>(&member.object->node);
        if (name && name->name && !name->bracketed) return costs.contains(name->name->text);
        return comes_from_model(*member.object, costs);
      },
      [](const ast::Call& call) {
        const bool counts = call.function.text == "bytes" || call.function.text == "total_bytes";
        return counts && call.arguments.size() == 1 &&
               std::holds_alternative<ast::ArrayRef>(call.arguments.front()->node);
      },
      [&](const ast::Binary& binary) {
        return comes_from_model(*binary.left, costs) || comes_from_model(*binary.right, costs);
      },
      [&](const ast::Product& product) {
        return comes_from_model(*product.left, costs) || comes_from_model(*product.right, costs);
      },
      [&](const ast::Unary& unary) { return comes_from_model(*unary.operand, costs); },
      [](const auto&) { return false; });
}

// `==`, or `≈` with the tolerance that it has of itself.
bool is_exact(const ast::Binary& binary) {
  if (binary.op == ast::BinaryOp::Equal) return true;
  return binary.op == ast::BinaryOp::Approx && !binary.tolerance;
}

// The words of the comment behind a statement and of the comment line right above it.
std::set<std::string> marks(const ast::Statement& statement) {
  std::string text = statement.trailing;
  if (!statement.leading.empty()) text += " " + statement.leading.back();
  std::istringstream words(text);
  std::set<std::string> found;
  for (std::string word; words >> word;) found.insert(word);
  return found;
}

void collect(const ast::Statement& statement, const std::set<std::string>& costs, Proofs& proofs) {
  const auto* expect = std::get_if<ast::Expect>(&statement.node);
  if (!expect) return;
  const auto* comparison = std::get_if<ast::Binary>(&expect->condition.node);
  if (!comparison || !is_exact(*comparison) || !comes_from_model(*comparison->left, costs)) return;
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
  std::set<std::string> costs;
  for (const ast::Statement& statement : module.statements) {
    collect(statement, costs, proofs);
    note_costs(statement, costs);
  }
  return proofs;
}

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The runs of the golden runner, except those that are meant to fail.
std::vector<std::string> scripts() {
  std::vector<std::string> texts;
  for (const char* folder : {"examples", "tests/golden/run"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(SHARD_ROOT) / folder)) {
      if (entry.path().extension() != ".shard") continue;
      std::string text = read_file(entry.path());
      if (!text.starts_with("# exit:")) texts.push_back(std::move(text));
    }
  }
  return texts;
}

TEST(Answers, EveryOneIsProvedByAScript) {
  Proofs proofs;
  for (const std::string& script : scripts()) {
    for (const auto& [name, values] : proofs_in(script))
      proofs[name].insert(values.begin(), values.end());
  }
  for (const Answer& answer : answers()) {
    for (const std::string& value : answer.values)
      EXPECT_TRUE(proofs[answer.name].contains(value))
          << "no script proves that " << answer.name << " is " << value;
  }
}

TEST(Answers, AreThoseOfTheModelOnly) {
  const std::vector<std::string> proved{
      "expect time { AllGather_X A[4_X] } == 2 us  # q3",
      "# q3\nexpect time { AllGather_X A[4_X] } ≈ 2 us",
      "c = cost { AllGather_X A[4_X] }\nexpect c.comms == 2 us  # q3",
      "expect bytes(A[4_X]) / bytes(A[2]) == 2 us  # q3",
      "expect cost { AllGather_X A[4_X] }.comms == 2 us  # q3",
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
  };
  for (const std::string& script : unproved)
    EXPECT_FALSE(proofs_in(script)["q3"].contains("2 us")) << script;
}

}  // namespace
}  // namespace shard::answers_test
