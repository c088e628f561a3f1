// The parser takes every sentence of shard.ebnf, and the printer keeps its tree.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "grammar/tree/keyword.h"
#include "tests/grammar/parse/sentences.h"
#include "tests/grammar/support/reading.h"

namespace shard::ebnf_test {
namespace {

constexpr int kSentences = 5000;

std::map<std::string, std::vector<std::string>> words() {
  return {{"array_name", {"A", "B", "W_in", "In", "Out'", "dL/dOut", "time", "C", "Tmp'1"}},
          {"scalar_name", {"x", "c", "table", "T_math", "B"}},
          {"dimension_name", {"I", "J", "K", "D", "d_model", "B"}},
          {"axis_name", {"X", "Y", "Z", "data", "x"}},
          {"chip_name", {"TPUv5p", "Mine"}},
          {"figure_name", {"HBM", "W_ici", "pod"}},
          {"figure_word", {"cube4", "pod"}},
          {"field_name", {"math", "W_ici", "time"}},
          {"function_name", {"bytes", "min", "log2", "f"}},
          {"new_function", {"mlp", "norm_2"}},
          {"module_name", {"mlp", "layers_2"}},
          {"error_kind", {"AxisReused", "UnknownAxis"}},
          {"dtype", {"bf16", "bfloat16", "f32", "int8"}},
          {"count", {"4", "512", "48_000", "2048"}},
          {"number", {"4", "48k", "1Ki", "2.5e10 B/s", "16 GB", "377 us", "0.5", "1.97e14 FLOP/s"}},
          {"remark_text", {"now gathered", "can throw away W[D, F] now", "≈ 2 us", "case 3 (b)"}},
          {"lost_index", {"D", "F", "K"}},
          {"list_number", {"1. ", "12. "}},
          {"text", {"\"a.npy\"", "\"layers/W_1 (2).npy\""}},
          {"comment", {"# a comment", "#"}},
          {"line_end", {"\n"}}};
}

std::string grammar_text() {
  std::ifstream file(SHARD_EBNF);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uint32_t seed() {
  const char* given = std::getenv("SHARD_TEST_SEED");
  return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10))
                          : 20240607U;
}

using Counts = std::map<std::string, int>;

void count_statements(const std::vector<ast::Statement>& statements, Counts& counts);

void count_expr(const ast::Expr& expr, Counts& counts) {
  const auto below = [&](const Box<ast::Expr>& child) { count_expr(*child, counts); };
  match(
      expr.node, [&](const ast::Number&) { ++counts["number"]; },
      [&](const ast::ArrayRef& array) {
        ++counts[array.unreduced.empty() ? "array" : "unreduced array"];
      },
      [&](const ast::Product& product) {
        ++counts[product.local           ? "local product"
                 : product.index.empty() ? "product"
                                         : "indexed product"];
        below(product.left);
        below(product.right);
      },
      [&](const ast::Binary& binary) {
        ++counts["binary"];
        below(binary.left);
        below(binary.right);
      },
      [&](const ast::Unary& unary) {
        ++counts["unary"];
        below(unary.operand);
      },
      [&](const ast::Collective& collective) {
        ++counts["collective"];
        if (collective.destinations.size() > 1) ++counts["several destinations"];
        below(collective.operand);
      },
      [&](const ast::Call& call) {
        ++counts["call"];
        for (const auto& argument : call.arguments) below(argument);
      },
      [&](const ast::Shaped& shaped) {
        ++counts["shaped"];
        below(shaped.value);
      },
      [&](const ast::Indexed& indexed) {
        ++counts["indexed"];
        below(indexed.value);
        for (const ast::Index& index : indexed.indices) below(index.value);
      },
      [&](const ast::Text&) { ++counts["text"]; },
      [&](const ast::Member& member) {
        ++counts["member"];
        below(member.object);
      },
      [&](const ast::SizeOf&) { ++counts["size"]; },
      [&](const ast::BlockExpr& block) {
        ++counts["block"];
        count_statements(block.body, counts);
      },
      [&](const ast::Question& question) {
        ++counts[std::string(word_of(question.kind))];
        below(question.asked);
      });
}

void count_statements(const std::vector<ast::Statement>& statements, Counts& counts) {
  static const std::vector<std::string> names = {
      "Unsupported",
#define SHARD_STATEMENT(node) #node,
#include "grammar/tree/statements.def"
  };
  for (const ast::Statement& statement : statements) {
    ++counts[names.at(statement.node.index())];
    if (const auto* flow = std::get_if<ast::Flow>(&statement.node)) count_expr(flow->value, counts);
    const auto* declaration = std::get_if<ast::Declaration>(&statement.node);
    if (declaration != nullptr && declaration->makes) ++counts["declaration with a value"];
    if (const auto* lone = std::get_if<ast::Evaluate>(&statement.node))
      count_expr(lone->value, counts);
    if (const auto* expect = std::get_if<ast::Expect>(&statement.node))
      count_expr(expect->condition, counts);
  }
}

std::string complaints(const Reading& reading) {
  std::string out;
  for (const Diagnostic& diagnostic : reading.diagnostics)
    out += render(diagnostic, reading.sources, false);
  return out;
}

TEST(Ebnf, DefinesEveryRuleThatItUses) {
  EXPECT_EQ(Sentences(grammar_text(), words()).missing(), std::vector<std::string>{});
}

TEST(Ebnf, ParserTakesRandomSentencesAndPrinterKeepsThem) {
  const Sentences sentences(grammar_text(), words());
  std::mt19937 random(seed());
  Counts counts;
  for (int i = 0; i < kSentences; ++i) {
    const std::string text =
        sentences.derive("statement", 14, random) + "\n" + sentences.derive("module", 16, random);
    // A name for an array without dimensions or a name is told as a list of another language.
    if (text.find("= [ ]") != std::string::npos) continue;
    // A line that begins with a sign, below an assignment, was to go on with it.
    if (text.find("\n- ") != std::string::npos || text.find("\n+ ") != std::string::npos) continue;
    const Reading first = read(text);
    ASSERT_EQ(complaints(first), "") << "seed " << seed() << ", sentence " << i << ":\n" << text;
    count_statements(first.module.statements, counts);
    for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii, Spelling::Latex}) {
      const std::string printed = print(first.module, spelling);
      const Reading second = read(printed);
      ASSERT_EQ(complaints(second), "") << "seed " << seed() << ", printed from:\n" << text;
      ASSERT_TRUE(second.module == first.module) << "seed " << seed() << ":\n"
                                                 << text << "\nprinted:\n"
                                                 << printed;
      ASSERT_EQ(print(second.module, spelling), printed) << "seed " << seed() << ":\n" << text;
    }
  }
  EXPECT_EQ(counts["Unsupported"], 0);
  for (const char* node : {"Hardware",
                           "Mesh",
                           "Chip",
                           "Plan",
                           "Strict",
                           "Bindings",
                           "Declaration",
                           "declaration with a value",
                           "Flow",
                           "Equation",
                           "Evaluate",
                           "Print",
                           "Expect",
                           "ExpectError",
                           "ExpectSteps",
                           "Why",
                           "Drop",
                           "Function",
                           "Return",
                           "Loop",
                           "If",
                           "Group",
                           "Use",
                           "Show",
                           "Save",
                           "Fault",
                           "Slow",
                           "Send",
                           "number",
                           "array",
                           "unreduced array",
                           "product",
                           "indexed product",
                           "local product",
                           "binary",
                           "unary",
                           "collective",
                           "call",
                           "member",
                           "size",
                           "block"}) {
    EXPECT_GE(counts[node], 30) << node << " is too rare in the random sentences";
  }
  EXPECT_GE(counts["several destinations"], 8);
}

}  // namespace
}  // namespace shard::ebnf_test
