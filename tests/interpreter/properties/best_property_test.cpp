// `best` under limits for memory: what the tables of statements prove best is the best of all layouts, priced one by one, and
// more memory never makes it slower.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/session/session.h"
#include "tests/property.h"

namespace shard::best_property_test {
namespace {

// Of which so little work leaves tables alone, and so much prices all layouts.
constexpr double kTables = 0.1;
constexpr double kAll = 20;

struct Found {
  bool is_there = false;  // something fits
  bool proven = false;
  double time = 0;
  double memory = 0;
  std::optional<double> at_least = {};
};

Found best_of(const std::string& script, double plan_time) {
  SessionOptions options;
  options.execution.estimate = true;
  options.plan_time = plan_time;
  Session session(std::move(options));
  const Outcome outcome = session.run("test", script);
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    const std::string kind(info(diagnostic.kind).name);
    const bool is_all = diagnostic.message.find("of these holes") != std::string::npos;
    if (kind == "NoLayoutFits") return {.is_there = false, .proven = is_all};
  }
  for (const Entry& entry : outcome.entries) {
    const auto* boxed = std::get_if<Box<BestEntry>>(&entry);
    if (boxed == nullptr) continue;
    const BestEntry& best = **boxed;
    const BestEntry::Row& row = best.rows.front();
    return {true, best.proven, row.time, row.memory, best.at_least};
  }
  ADD_FAILURE() << script;
  return {};
}

// Two products, with something between them or beside them that keeps arrays for longer.
std::string random_block(std::mt19937& random) {
  const auto one_of = [&](const std::vector<std::string>& texts) {
    return texts[random() % texts.size()];
  };
  const auto size = [&] { return std::int64_t{256} << (random() % 5); };
  return fmt::format(
      "B = {}, D = {}, F = {}\nbest {{\nx[B_?, F_?] = {}A[B_?, D_?] ·_D W[D, F_?]{}\n"
      "y[{}, D] = {}x ·_F V[F_?, D]{}\n}}\n",
      size(), size(), size(), one_of({"", "", "2 ⊙ "}), one_of({"", "", " + Bias[B_X, F]"}),
      one_of({"B", "B_X", "B_{XY}"}), one_of({"", "A + ", "relu(A) + "}), one_of({"", " / 2"}));
}

std::string script_of(const std::string& block, const std::string& mesh, double megabytes) {
  return fmt::format("hardware TPUv5e {} {{HBM: {:.4f} MB}}\n{}", mesh, megabytes, block);
}

TEST(Best, ProvesWhatIsBestOfAllAndGrowsNoSlowerWithMemory) {
  std::mt19937 random(5);
  int proven = 0;
  int limited = 0;
  const int cases = scaled_cases(6);
  for (int i = 0; i < cases; ++i) {
    const std::string mesh = random() % 2 == 0 ? "4x4" : "4x2";
    const std::string block =
        fmt::format("mesh {{X: 4, Y: {}}}\n", mesh.back()) + random_block(random);
    const double most = best_of(script_of(block, mesh, 16e3), kTables).memory / 1e6;
    std::optional<double> slower;
    for (const double part : {0.3, 0.45, 0.6, 0.75, 0.9, 1.0}) {
      const std::string script = script_of(block, mesh, part * most);
      const Found tables = best_of(script, kTables);
      const Found all = best_of(script, kAll);
      ASSERT_TRUE(all.proven) << script;
      proven += tables.proven ? 1 : 0;
      limited += part < 1 ? 1 : 0;
      if (tables.proven) {
        EXPECT_EQ(tables.is_there, all.is_there) << script;
        EXPECT_NEAR(tables.time, all.time, 1e-9 * all.time) << script;
      } else if (all.is_there && tables.at_least) {
        EXPECT_LE(*tables.at_least, all.time * (1 + 1e-9)) << script;
      }
      if (slower && tables.is_there) {
        EXPECT_LE(tables.time, *slower * (1 + 1e-9)) << script;
      }
      if (tables.is_there) slower = tables.time;
    }
  }
  EXPECT_GT(proven, limited / 2);
}

// Eight open arrays in a row, at the time that is taken without the option.
TEST(Best, ProvesAChainOfEightAtAnyMemory) {
  double slower = 0;
  for (const int megabytes : {50, 55, 60, 65, 68, 70, 90}) {
    const std::string script = script_of(
        "mesh {X: 4, Y: 4}\nB = 4096, D = 4096, F = 8192\nbest {\n"
        "x1[B_?, F_?] = A[B_?, D_?] ·_D W1[D_?, F_?]\nx2[B_?, D_?] = x1 ·_F W2[F_?, D_?]\n"
        "x3[B_?, F_?] = x2 ·_D W3[D_?, F_?]\nx4[B, D] = x3 ·_F W4[F_?, D_?]\n}\n",
        "4x4", megabytes);
    const Found found = best_of(script, 1);
    EXPECT_TRUE(found.proven) << megabytes;
    if (slower > 0) {
      EXPECT_LE(found.time, slower) << megabytes;
    }
    slower = found.time;
  }
}

}  // namespace
}  // namespace shard::best_property_test
