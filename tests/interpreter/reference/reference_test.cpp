#include <gtest/gtest.h>

#include <cmath>

#include "interpreter/reference/unsharded.h"
#include "runtime/element/number.h"
#include "runtime/platform/executor.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::oracle::reference_test {
namespace {

using testing::Ran;

// Inputs with all bits of their dtype in use, so that products round.
using NamedElement = std::function<double(std::string_view, std::uint64_t, DType)>;

double ragged(std::string_view name, std::uint64_t index, DType dtype) {
  const double value = std::sin(static_cast<double>(index) * 1.7 + static_cast<double>(name[0]));
  return rounded_to(dtype, value);
}

double whole(std::string_view name, std::uint64_t index, DType /*dtype*/) {
  return static_cast<double>((index * 7 + static_cast<std::uint64_t>(name[0])) % 5) - 2.0;
}

// The oracle after all statements of a script.
struct Computed {
  Computed(const std::string& text, NamedElement input, Bounds bounds = Bounds::Carried)
      : ran(text),
        oracle(ran.session.state().scope, ran.session.state().programs.front().machine.mesh,
               [input = std::move(input)](const InputStep& step, std::uint64_t index, DType dtype) {
                 return input(step.seed, index, dtype);
               },
               {.watch = Watch(), .bounds = bounds}) {
    for (const StatementRecord& statement : ran.session.state().programs.front().statements)
      oracle.run(statement.flow.get());
  }
  const Array& array(const std::string& name) {
    return *oracle.array(*ran.session.state().scope.names.find_array(name));
  }
  Ran ran;
  Unsharded oracle;
};

const std::string kProduct = "mesh {X: 2}\nI = 4, J = 64, K = 6\nA[I, J_X] · B[J_X, K] → C[I, K]\n";

TEST(Oracle, ComputesTheUnshardedProduct) {
  Computed computed(kProduct, whole);
  const Array& c = computed.array("C");
  EXPECT_EQ(c.shape, (std::vector<std::int64_t>{4, 6}));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < 64; ++j)
        sum += whole("A", i * 64 + j, DType::Bf16) * whole("B", j * 6 + k, DType::Bf16);
      EXPECT_EQ(c.value[i * 6 + k], sum);
    }
  }
}

TEST(Oracle, InputsAreExact) {
  Computed computed(kProduct, ragged);
  for (const double bound : computed.array("A").bound) EXPECT_EQ(bound, 0);
}

TEST(Oracle, CollectivesChangeNothing) {
  Computed computed("mesh {X: 2}\nI = 8\nA[I_X] → B[I_X]\nB[I] = AllGather_X B[I_X]\nB[I] → C[I]",
                    ragged);
  EXPECT_EQ(computed.array("C").value, computed.array("A").value);
}

TEST(Oracle, TransposesByName) {
  Computed computed("I = 3, J = 2\nA[I, J] → B[J, I]", ragged);
  const auto& a = computed.array("A").value;
  EXPECT_EQ(computed.array("B").value, (Numbers{a[0], a[2], a[4], a[1], a[3], a[5]}));
}

TEST(Oracle, ShiftsBlocksUpTheAxis) {
  Computed computed("mesh {X: 4}\nI = 8\nShift_X A[I_X] → B[I_X]\nShift_{X,-1} A[I_X] → D[I_X]",
                    ragged);
  const auto& a = computed.array("A").value;
  EXPECT_EQ(computed.array("B").value, (Numbers{a[6], a[7], a[0], a[1], a[2], a[3], a[4], a[5]}));
  EXPECT_EQ(computed.array("D").value, (Numbers{a[2], a[3], a[4], a[5], a[6], a[7], a[0], a[1]}));
}

TEST(Oracle, IntegersSaturate) {
  Computed computed("I = 1, J = 64, K = 1\nA[I, J], B[J, K]: int8\nA[I, J] · B[J, K] → C[I, K]",
                    [](std::string_view, std::uint64_t, DType) { return 100.0; });
  EXPECT_EQ(computed.array("C").value.front(), 127);
}

TEST(Oracle, ValuesNearAHalfMayBecomeEitherInteger) {
  Computed computed(
      "I = 2\nQ: int8[I]\nR[I] = A[I] + 0.499\nQ = R ⊙ 1",
      [](std::string_view, std::uint64_t index, DType) { return index == 0 ? 1.0 : 3.25; });
  EXPECT_EQ(computed.array("Q").value, (Numbers{1, 4}));
  EXPECT_EQ(computed.array("Q").bound, (Numbers{1, 0}));
}

TEST(Oracle, WhatIsNoNumberTakesWithItWhatHangsOnIt) {
  Computed computed(
      "I = 2, J = 2\nA[I, J]\nm[I] = max_J(A)\nt[I, J] = tanh(A)\nw = where(A > 0, 1, 2)",
      [](std::string_view, std::uint64_t index, DType) { return index == 0 ? std::nan("") : 1.0; });
  EXPECT_TRUE(std::isinf(computed.array("m").bound[0]));
  EXPECT_FALSE(std::isinf(computed.array("m").bound[1]));
  EXPECT_TRUE(std::isinf(computed.array("t").bound[0]));
  EXPECT_FALSE(std::isinf(computed.array("t").bound[1]));
  EXPECT_FALSE(std::isinf(computed.array("w").bound[0])) << "1 or 2";
}

// A library gave 0 for 0 times what is no number, so that 0 was said to be right there.
TEST(Oracle, AProductWithWhatIsNoNumberMayBeAnything) {
  const std::string script =
      "I = 2, J = 2, K = 1\nA: fp32[I, J]\nB: fp32[J, K]\nB = zeros\nC[I, K] = A · B";
  const auto input = [](std::string_view name, std::uint64_t index, DType) {
    return name == "B" ? 0.0 : index == 0 ? std::nan("") : 1.0;
  };
  Computed bounded(script, input);
  EXPECT_TRUE(std::isinf(bounded.array("C").bound[0]));
  EXPECT_EQ(bounded.array("C").bound[1], 0);
  Computed plain(script, input, Bounds::None);
  EXPECT_TRUE(std::isnan(plain.array("C").value[0]));
  EXPECT_EQ(plain.array("C").value[1], 0);
}

TEST(Oracle, ValuesAreTheSameWithoutBounds) {
  const std::string script =
      "mesh {X: 2}\nI = 4, J = 8, K = 6\nn: int8[I, K]\nC[I, K] = A[I, J] · B[J, K]\n"
      "p = softmax_K(C)\ns[I] = mean_K(where(C > 0, gelu(C), -C ^ 2))\nn = C ⊙ 3\n"
      "Shift_X C[I, K_X] → D[I, K_X]\nt[I] = C[I, K][2] + max_K(p)\n";
  Computed bounded(script, ragged);
  Computed plain(script, ragged, Bounds::None);
  for (const std::string name : {"C", "p", "s", "n", "D", "t"}) {
    EXPECT_EQ(bounded.array(name).value, plain.array(name).value) << name;
    EXPECT_EQ(plain.array(name).bound.size(), 0U) << name;
  }
}

// The difference to the largest overflowed, and with it all of the row was 0.
TEST(Oracle, ASoftmaxHasAValueWhereItsRowIsWiderThanFp64) {
  Computed computed("J = 4\nA: fp64[J]\np[J] = softmax_J(A)",
                    [](std::string_view, std::uint64_t index, DType) {
                      return Numbers{1e308, -1e308, 2, 3}[index];
                    });
  EXPECT_EQ(computed.array("p").value, (Numbers{1, 0, 0, 0}));
  EXPECT_LT(computed.array("p").bound[0], 1e-10);
}

// fp32 overflows after two terms, fp64 does not; bounds were those of a sum without overflow.
TEST(Oracle, ASumThatOverflowsOnTheWayMayBeAnything) {
  Computed computed(
      "I = 2, J = 4, K = 2\nA: fp32[I, J]\nW: fp32[J, K]\nC[I, K] = A · W\ns[I] = sum_J(A)",
      [](std::string_view name, std::uint64_t index, DType) {
        return name == "W" || index >= 4 ? 1.0 : index < 2 ? 3e38 : -3e38;
      });
  EXPECT_TRUE(std::isinf(computed.array("C").bound[0]));
  EXPECT_LT(computed.array("C").bound[2], 1e-5);
  EXPECT_TRUE(std::isinf(computed.array("s").bound[0]));
  EXPECT_LT(computed.array("s").bound[1], 1e-5);
}

// A processor's products of bf16 may take subnormal numbers for 0, and so may be far from what is exact.
TEST(Oracle, ProductsOfSubnormalNumbersInBf16MayBeNothing) {
  const auto input = [](std::string_view name, std::uint64_t, DType) {
    return name == "A" ? 0x1p-130 : 0x1p20;
  };
  const std::string rest = "[J, K]\nC[I, K] = A · B";
  Computed computed("I = 1, J = 4, K = 1\nA: bf16[I, J]\nB: bf16" + rest, input);
  EXPECT_EQ(computed.array("C").value[0], 0x1p-108);
  EXPECT_GE(computed.array("C").bound[0], 0x1p-108);
  Computed wide("I = 1, J = 4, K = 1\nA: fp32[I, J]\nB: fp32" + rest, input);
  EXPECT_LT(wide.array("C").bound[0], 0x1p-120);
}

TEST(Oracle, EndsWithWhatItsWatchThrows) {
  const Ran ran(kProduct);
  const Program& program = ran.session.state().programs.front();
  int looks = 0;
  const Watch watch([&looks] {
    if (++looks > 1) throw Cancelled();
  });
  Unsharded oracle(ran.session.state().scope, program.machine.mesh,
                   [](const InputStep&, std::uint64_t, DType) { return 1.0; },
                   {.watch = watch, .bounds = Bounds::Carried});
  EXPECT_THROW(oracle.run(program.statements.front().flow.get()), Cancelled);
}

// ---------------------------------------------------------------- the bound

// C computed as `parts` devices would: each part summed in fp32, the parts added in fp32, rounded
// to bf16 once.
std::vector<double> sharded(int parts, const NamedElement& input) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      float total = 0;
      const std::size_t block = 64 / static_cast<std::size_t>(parts);
      for (std::size_t part = 0; part < static_cast<std::size_t>(parts); ++part) {
        float sum = 0;
        for (std::size_t j = part * block; j < (part + 1) * block; ++j)
          sum += static_cast<float>(input("A", i * 64 + j, DType::Bf16)) *
                 static_cast<float>(input("B", j * 6 + k, DType::Bf16));
        total += sum;
      }
      values.push_back(rounded_to(DType::Bf16, static_cast<double>(total)));
    }
  }
  return values;
}

TEST(OracleBound, HoldsForEveryWayToShard) {
  Computed computed(kProduct, ragged);
  const Array& c = computed.array("C");
  for (const int parts : {1, 2, 4, 8, 64}) {
    const std::vector<double> values = sharded(parts, ragged);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_LE(std::abs(values[i] - c.value[i]), c.bound[i]) << parts << " parts, element " << i;
  }
}

TEST(OracleBound, IsNotMuchWiderThanOneRounding) {
  Computed computed(kProduct, ragged);
  const Array& c = computed.array("C");
  const double u = std::ldexp(1.0, -8);
  for (std::size_t i = 0; i < c.value.size(); ++i) {
    // Σ|a||b| ≤ 64, so the sums err by at most 64 · 64 · 2⁻²⁴ before the rounding.
    EXPECT_LE(c.bound[i], u * std::abs(c.value[i]) + 64 * 64 * std::ldexp(1.0, -24) * 1.01);
  }
}

// A lost block, a block taken twice, blocks in the wrong order: each lies outside.
TEST(OracleBound, LeavesWrongBlocksOutside) {
  Computed computed(kProduct, ragged);
  const Array& c = computed.array("C");
  const auto outside = [&](const NamedElement& wrong) {
    const std::vector<double> values = sharded(2, wrong);
    int count = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      count += std::abs(values[i] - c.value[i]) > c.bound[i] ? 1 : 0;
    return count;
  };
  const auto column = [](std::uint64_t index) { return index % 64; };
  EXPECT_GE(outside([&](std::string_view name, std::uint64_t index, DType dtype) {
              const bool lost = name == "A" && column(index) >= 32;
              return lost ? 0.0 : ragged(name, index, dtype);
            }),
            20);
  EXPECT_GE(outside([&](std::string_view name, std::uint64_t index, DType dtype) {
              const bool again = name == "A" && column(index) >= 32;
              return ragged(name, again ? index - 32 : index, dtype);
            }),
            20);
  EXPECT_GE(outside([&](std::string_view name, std::uint64_t index, DType dtype) {
              if (name != "A") return ragged(name, index, dtype);
              return ragged(name, column(index) < 32 ? index + 32 : index - 32, dtype);
            }),
            20);
}

TEST(OracleBound, LeavesASingleWrongElementOutside) {
  Computed computed(kProduct, ragged);
  const Array& c = computed.array("C");
  const std::vector<double> values =
      sharded(2, [](std::string_view name, std::uint64_t index, DType dtype) {
        return name == "A" && index == 5 ? 0.0 : ragged(name, index, dtype);
      });
  int count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    count += std::abs(values[i] - c.value[i]) > c.bound[i] ? 1 : 0;
  EXPECT_GE(count, 3);
}

TEST(OracleBound, GrowsAlongAChain) {
  Computed computed(
      "I = 4, J = 64, K = 6, L = 2\nA[I, J] · B[J, K] → C[I, K]\nC[I, K] · D[K, L] → E[I, L]\n",
      ragged);
  const Array& e = computed.array("E");
  const double u = std::ldexp(1.0, -8);
  int wider = 0;
  for (std::size_t i = 0; i < e.value.size(); ++i)
    wider += e.bound[i] > u * std::abs(e.value[i]) * 1.2 ? 1 : 0;
  EXPECT_GE(wider, static_cast<int>(e.value.size()) / 2);
}

}  // namespace
}  // namespace shard::oracle::reference_test
