// What lines of other languages are here, with arrays whose dimensions are known.
#include "grammar/foreign/foreign.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "grammar/translate/language.h"

namespace shard::foreign_test {
namespace {

class TestNames : public ForeignNames {
 public:
  bool is_array(std::string_view name) const override {
    return arrays_.count(std::string(name)) > 0;
  }
  std::optional<ForeignArray> array(std::string_view name) const override {
    const auto found = arrays_.find(std::string(name));
    if (found == arrays_.end()) return std::nullopt;
    return found->second;
  }
  bool is_scalar(std::string_view name) const override {
    return name == "B" || name == "D" || name == "F" || name == "N" || name == "H" || name == "n";
  }
  bool is_function(std::string_view name) const override {
    return name == "act" || is_language_function(name);
  }
  std::vector<std::string> dimensions() const override { return {"B", "D", "F", "N", "H"}; }
  std::optional<std::string> dimension_of(std::int64_t length) const override {
    if (length == 64) return "B";
    if (length == 128) return "D";
    return std::nullopt;
  }
  std::vector<std::string> axes() const override { return {"X", "Y"}; }

 private:
  std::map<std::string, ForeignArray> arrays_ = {{"x", {{{"B", {"X"}}, {"D"}}, {}}},
                                                 {"w", {{{"D"}, {"F", {"Y"}}}, {}}},
                                                 {"z", {{{"B"}, {"F"}}, {"X"}}},
                                                 {"s", {{{"B", {"X"}}, {"D", {"Y"}}}, {}}},
                                                 {"t", {{{"T"}}, {}}},
                                                 {"E", {{{"V"}, {"D"}}, {}}},
                                                 {"at_two", {{{"B"}}, {}, "{Z=2}"}},
                                                 {"A", {{{"I"}, {"J"}}, {}}}};
};

// The first help; "-" where nothing foreign is found.
std::string line_of(const std::string& text) {
  const auto mistake = read_foreign(text, TestNames());
  if (!mistake) return "-";
  return mistake->help.empty() ? "" : mistake->help.front();
}

TEST(Foreign, ProductsNameTheirDimensions) {
  EXPECT_EQ(line_of("y = jnp.einsum(\"bd,df->bf\", x, w)"),
            "y[B_X, F_Y] = x[B_X, D] ·_D w[D, F_Y]");
  EXPECT_EQ(line_of("y = jnp.einsum('bd,df->fb', x, w)"), "y[F_Y, B_X] = x[B_X, D] ·_D w[D, F_Y]");
  EXPECT_EQ(line_of("y = np.matmul(x, w)"), "y[B_X, F_Y] = x[B_X, D] ·_D w[D, F_Y]");
  EXPECT_EQ(line_of("y = x.dot(w)"), "y[B_X, F_Y] = x[B_X, D] ·_D w[D, F_Y]");
  EXPECT_EQ(line_of("y = torch.einsum('bd->b', x)"), "y[B_X] = sum_D(x)");
  EXPECT_EQ(line_of("C = A @ A.T"), "C[I, K] = A[I, J] ·_J A[K, J]");
  EXPECT_EQ(line_of("C = P @ Q"), "C[B, F] = P[B, D] ·_D Q[D, F]");
  // An array that has no dimensions, and one that has each letter that a new dimension gets.
  EXPECT_EQ(line_of("y = jnp.matmul(P, x[])"), "C[I, K] = A[I, J] · B[J, K]");
  EXPECT_EQ(line_of("y = A[B, D, F, N, H, I, J, K, L, M, P, Q] @ G"),
            "y[B, D, F, N, H, I, J, K, L, M, P, N1] = A[B, D, F, N, H, I, J, K, L, M, P, Q] ·_Q "
            "G[Q, N1]");
}

TEST(Foreign, FunctionsOfElementsAndSumsKeepTheirOperands) {
  EXPECT_EQ(line_of("y = softmax(x, axis=-1)"), "y = softmax_D(x)");
  EXPECT_EQ(line_of("y = jnp.sum(x, axis=(0, 1))"), "y = sum_{B,D}(x)");
  EXPECT_EQ(line_of("y = x.mean(0)"), "y = mean_B(x)");
  EXPECT_EQ(line_of("y = jax.nn.relu(x @ w)"), "y = relu(x[B_X, D] ·_D w[D, F_Y])");
  EXPECT_EQ(line_of("y = x * jax.lax.rsqrt(x)"), "y = x ⊙ rsqrt(x)");
}

TEST(Foreign, LayoutsAndCollectivesAreThoseOfTheArray) {
  EXPECT_EQ(line_of("y = jax.lax.psum(z, 'X')"), "y[B, F] = AllReduce_X z[B, F]{U_X}");
  EXPECT_EQ(line_of("z = jax.lax.psum(z, 'X')"), "AllReduce_X z[B, F]{U_X} → z[B, F]");
  EXPECT_EQ(line_of("x = lax.all_gather(x, 'X')"), "AllGather_X x[B_X, D] → x[B, D]");
  EXPECT_EQ(line_of("x = jax.device_put(x, P(None, 'x'))"), "x[B_X, D] → x[B, D_X]");
  EXPECT_EQ(line_of("x = jax.device_put(x, NamedSharding(mesh, P(('X', 'Y'))))"),
            "x[B_X, D] → x[B_{XY}, D]");
  EXPECT_EQ(line_of("y = x.reshape(B, N, H)"), "y[B_X, N, H] = Reshape(x)");
  EXPECT_EQ(line_of("y = x.T"), "y[D, B_X] = x[B_X, D]");
  EXPECT_EQ(line_of("M = P('X', None)"), "M: bf16[B_X, D]");
}

TEST(Foreign, InputsAreGivenBehindTheSign) {
  EXPECT_EQ(line_of("M = jnp.zeros((64, 128))"), "M[B, D] = zeros");
  EXPECT_EQ(line_of("M = np.ones((3, D), dtype=np.float32)"), "M: fp32[3, D]; M = ones");
  EXPECT_EQ(line_of("M = jax.random.normal(key, (B, D))"), "M[B, D] = random(0)");
  EXPECT_EQ(line_of("M = jnp.zeros_like(x)"), "M[B_X, D] = zeros(x)");
}

TEST(Foreign, OperatorsAndWordsAreWrittenOtherwise) {
  EXPECT_EQ(line_of("print B ** 2"), "print B^2");
  EXPECT_EQ(line_of("print B % 4"), "print B mod 4");
  EXPECT_EQ(line_of("h = D // N"), "h = floor(D / N)");
  EXPECT_EQ(line_of("n += 2"), "n2 = n + 2");
  EXPECT_EQ(line_of("x += w"), "x = x + w");
  EXPECT_EQ(line_of("let B = 64"), "B = 64");
  EXPECT_EQ(line_of("const int k = 2 ** n;"), "k = 2^n");
  EXPECT_EQ(line_of("import layers"), "use layers");
  EXPECT_EQ(line_of("print(f\"B is {B}\")"), "print \"B is\", B");
}

TEST(Foreign, BlocksByIndentationAreWrittenInBraces) {
  EXPECT_EQ(line_of("def f(a, b):\n    c = a @ b\n    return jnp.exp(c)"),
            "fn f(a[B, D], b[D, F]) { c[B, F] = a ·_D b; return exp(c) }");
  EXPECT_EQ(line_of("for i in range(3):\n    print(i)"), "for i in 0..3 { print(i) }");
  EXPECT_EQ(line_of("if B > 3:\n    print B\nelse:\n    print D"),
            "if B > 3 { print B } else { print D }");
}

TEST(Foreign, PatternsOfEinopsAreReshapesOrdersAndSums) {
  EXPECT_EQ(line_of("q = rearrange(x, 'b (k l) -> b k l', k=8)"),
            "K = 8; L = D / K; q[B_X, K, L] = Reshape(x)");
  EXPECT_EQ(line_of("q = rearrange(x, 'b (n h) -> b n h', n=N)"), "q[B_X, N, H] = Reshape(x)");
  EXPECT_EQ(line_of("q = rearrange(s, 'b d -> (b d)')"), "M = B * D; q[M] = Reshape(s)");
  EXPECT_EQ(line_of("q = rearrange(x, 'b d -> d b')"), "q[D, B_X] = x[B_X, D]");
  EXPECT_EQ(line_of("m = reduce(x, 'b d -> b', 'mean')"), "m = mean_D(x)");
  EXPECT_EQ(line_of("y = repeat(t, 't -> b t', b=4)"), "y[T] = t[T]");
  // Another order and another shape at once are two lines.
  EXPECT_EQ(line_of("q = rearrange(x, 'b (n h) -> n b h', n=8)"),
            "Tmp[B_X, N, H] = Reshape(x); q[N, B_X, H] = Tmp[B_X, N, H]");
  EXPECT_EQ(line_of("q = rearrange(x, 'b (d -> b d')"), "q[B, N, H] = Reshape(x[B, D])");
}

TEST(Foreign, ListsAreTablesAndLoops) {
  EXPECT_EQ(line_of("times = []"), "for n in [64, 128] { print n, 2 * n }");
  EXPECT_EQ(line_of("sizes = [16, B]"), "for n in [16, B] { print n }");
  EXPECT_EQ(line_of("times.append(c.comms)"), "print c.comms");
}

TEST(Foreign, ForeignPiecesStandAmongProductsOfThisLanguage) {
  EXPECT_EQ(line_of("C[B_X, F] = x.astype(int8) ·_D w[D, F]"), "C[B_X, F] = int8(x) ·_D w[D, F]");
  EXPECT_EQ(line_of("y = jnp.float32(x) + np.float32(2)"), "y = fp32(x) + 2");
  EXPECT_EQ(line_of("A: fp32[B, D] = jnp.exp(x)"), "A: fp32[B, D] = exp(x)");
  EXPECT_EQ(line_of("A[B, D]: P('X', None)"), "A: bf16[B_X, D]");
  EXPECT_EQ(line_of("def mlp(x[B, D], w[D, F]):\n    return x ·_D w"),
            "fn mlp(x[B, D], w[D, F]) { return x ·_D w }");
  EXPECT_EQ(line_of("y[B, F] = vmap(act, in_axes=0)(x[B, D])"), "y[B, F] = act(x[B, D])");
}

TEST(Foreign, PlacesAreFoundAlongADimension) {
  EXPECT_EQ(line_of("i = jnp.argmax(x, axis=-1)"), "i = argmax_D(x)");
  EXPECT_EQ(line_of("c = jnp.cumsum(x, axis=0)"), "c = cumsum_B(x)");
}

TEST(Foreign, WhatHasNoLineHereIsSaidWithoutOne) {
  EXPECT_EQ(line_of("y = np.cumprod(x)"), "");
  EXPECT_EQ(line_of("y = np.linalg.svd(x)"), "");
}

TEST(Foreign, OwnLinesAreNotForeign) {
  EXPECT_EQ(line_of("y = relu(x) + 1"), "-");
  EXPECT_EQ(line_of("y = softmax_D(x)"), "-");
  EXPECT_EQ(line_of("A[I_X, J] · B[J, K] → C[I_X, K]"), "-");
  EXPECT_EQ(line_of("y = act(x)"), "-");
  EXPECT_EQ(line_of("C = x @ w"), "-");
  EXPECT_EQ(line_of("print c.time, bytes(x)"), "-");
  EXPECT_EQ(line_of("expect 2*B ≈ 1k ± 3%"), "-");
}

TEST(Foreign, LongAndDeepLinesAreLeftAlone) {
  EXPECT_EQ(line_of("y = jnp.exp(" + std::string(3000, '(') + "x" + std::string(3000, ')') + ")"),
            "-");
  std::string chain = "y = x";
  for (int i = 0; i < 1500; ++i) chain += ".T";
  EXPECT_EQ(line_of(chain), "-");
}

TEST(Foreign, CallsAreToldWhateverStandsInside) {
  EXPECT_EQ(line_of("y = jax.lax.ppermute(x, 'X', perm=[(i, (i + 1) % 4) for i in range(4)])"),
            "y[B_X, D] = Shift_X x[B_X, D]");
  EXPECT_EQ(line_of("y = tl.dot(x, w)"), "y[B_X, F_Y] = x[B_X, D] ·_D w[D, F_Y]");
  EXPECT_EQ(line_of("y = kernels.dot(x, w)"), "y[B_X, F_Y] = x[B_X, D] ·_D w[D, F_Y]");
  EXPECT_EQ(line_of("y = einsum('...d,df->...f', x, w)"), "y[B_X, F_Y] = x[B_X, D] ·_D w[D, F_Y]");
  EXPECT_EQ(line_of("x = x.T"), "x2[D, B_X] = x[B_X, D]");
}

TEST(Foreign, PlacementsAndLayersAreLayouts) {
  EXPECT_EQ(line_of("x = x.redistribute(mesh, [Replicate(), Shard(1)])"), "x[B_X, D] → x[B, D_Y]");
  EXPECT_EQ(line_of("h = ColumnParallelLinear(D, F, gather_output=False)(x)"),
            "h[B_X, F_Y] = x[B_X, D] ·_D W[D, F_Y]");
  EXPECT_EQ(line_of("up = nn.Linear(D, F)"), "up: bf16[D, F]");
}

TEST(Foreign, LoopsRunOverNumbersAndMakeNothing) {
  EXPECT_EQ(line_of("for i in 0..=3 { print i }"), "for i in 0..4 { print i }");
  EXPECT_EQ(line_of("for i in B { print i }"), "for i in 0..B { print i }");
  EXPECT_EQ(line_of("for i in 1 to 3 { print i }"), "for i in 1..4 { print i }");
  EXPECT_EQ(line_of("while n < 8 { n = n * 2 }"),
            "fn loop(n) { if n < 8 { return loop(n * 2) } return n }; print loop(n)");
  EXPECT_EQ(line_of("t = [2 * i for i in range(4)]"), "for i in 0..4 { print i, 2 * i }");
}

TEST(Foreign, FormsOfTheNotationAreMended) {
  EXPECT_EQ(line_of("c = cost(x[B_X, D] → x[B, D])"), "c = cost { x[B_X, D] → x[B, D] }");
  EXPECT_EQ(line_of("expect n == approx(64, rel=0.01)"), "expect n ≈ 64 ± 1%");
  EXPECT_EQ(line_of("y[D, F] = xᵀ · z"), "y[D, F] = x[B_X, D] ·_B z[B, F]{U_X}");
  EXPECT_EQ(line_of("m = 2 B D / (F N)"), "m = 2 * B * D / (F * N)");
  EXPECT_EQ(line_of("M: I_X x J_Y in fp32"), "M: fp32[I_X, J_Y]");
}

TEST(Foreign, ConditionsOfElementsAreJoinedWithinTheirBrackets) {
  EXPECT_EQ(line_of("m = (x > 0) & (z > 0)"), "m = (x > 0) ⊙ (z > 0)");
  // The bracket around the sign begins in front of a statement's end.
  EXPECT_EQ(line_of("(+A[I];b|T)"), "-");
}

}  // namespace
}  // namespace shard::foreign_test
