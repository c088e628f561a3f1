#include "runtime/cost/cost.h"

#include "tests/runtime/support/machines.h"

namespace shard::cost_test {
namespace {

using namespace shard::testing;  // NOLINT(google-build-using-namespace)

// result[I, K] = left[I, J] · right[J, K]
const ContractStep kMatmul{CopyId{0}, CopyId{1}, CopyId{2}, {0, 1}, {1, 2}, {0, 2}};

Cost matmul(const Machine& m, const Copy& left, const Copy& right, const Copy& result) {
  return cost_of_contraction(kMatmul, left, right, result, m);
}

TEST(Cost, LocalFlopsOfQuestionSix) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  const Amount n = 4096;
  const Cost cost =
      matmul(m, array({n, n}, layout(m, {"X", ""})), array({n, n}, layout(m, {"", "Y"})),
             array({n, n}, layout(m, {"X", "Y"})));
  EXPECT_EQ(seconds(cost.math), "43.60 us");
  EXPECT_EQ(cost.flops, Amount(2LL * 1024 * 4096 * 1024));
  EXPECT_EQ(cost.hbm_bytes, Amount(2LL * (1024 * 4096 + 4096 * 1024 + 1024 * 1024)));
  EXPECT_TRUE(cost.comms.is_zero());
}

TEST(Cost, LocalFlopsOfQuestionFive) {
  const Machine m = slice(tpu_v5p(), {4, 4, 4});
  const Amount n = 8192;
  const Copy whole = array({n, n}, replicated(2));
  const Copy split = array({n, n}, layout(m, {"XYZ", ""}));
  EXPECT_EQ(seconds(matmul(m, split, whole, split).math), "37.43 us");
  EXPECT_EQ(seconds(matmul(m, whole, whole, whole).math), "2.395 ms");
}

TEST(Cost, FlopsAndTimesInSymbols) {
  const Machine m = symbolic({"X", "Y"});
  const Amount b = Amount::symbol("B");
  const Amount d = Amount::symbol("D");
  const Amount f = Amount::symbol("F");
  const Cost cost =
      matmul(m, array({b, d}, layout(m, {"X", ""})), array({d, f}, layout(m, {"", "Y"})),
             array({b, f}, layout(m, {"X", "Y"})));
  EXPECT_EQ(cost.flops.to_string(), "2·B·D·F / (X·Y)");
  EXPECT_EQ(cost.math.to_string(), "2·B·D·F / (C·X·Y)");
  EXPECT_EQ(cost.hbm_bytes.to_string(), "2·D·F / Y + 2·B·D / X + 2·B·F / (X·Y)");
}

TEST(Cost, BatchLabelsCountOnce) {
  const Machine m = symbolic({});
  const ContractStep step{CopyId{0}, CopyId{1}, CopyId{2}, {0, 1, 2}, {0, 2, 3}, {0, 1, 3}};
  const Cost cost =
      cost_of_contraction(step, array({3, 5, 7}, replicated(3)), array({3, 7, 11}, replicated(3)),
                          array({3, 5, 11}, replicated(3)), m);
  EXPECT_EQ(cost.flops, Amount(2LL * 3 * 5 * 7 * 11));
}

TEST(Cost, MixedOperandsRunAtTheSlowerRate) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  const Copy a = array({64, 64}, replicated(2), DType::Bf16);
  const Copy b = array({64, 64}, replicated(2), DType::Int8);
  const Copy w = array({64, 64}, replicated(2), DType::Fp32);
  EXPECT_EQ(matmul(m, a, b, a).math, matmul(m, a, a, a).math);
  EXPECT_EQ(Formula(2) * matmul(m, b, b, b).math, matmul(m, a, a, a).math);
  EXPECT_FALSE(matmul(m, a, b, a).rate_borrowed);
  EXPECT_TRUE(matmul(m, w, a, a).rate_borrowed);
}

TEST(Cost, Times) {
  Cost cost;
  cost.math = 3;
  cost.hbm = 5;
  cost.comms = 7;
  EXPECT_EQ(cost.time(), Formula(12));
  EXPECT_EQ(cost.lower(), Formula(7));
  EXPECT_EQ(cost.upper(), Formula(10));
}

TEST(Cost, TotalsAddEveryPart) {
  Cost total;
  total.flops = Amount::symbol("B");
  Cost other;
  other.flops = 2;
  other.comms = 3;
  other.comms_latency = 1;
  other.comms_transfer = 3;
  other.rate_borrowed = DType::Fp32;
  total += other;
  total += other;
  EXPECT_EQ(total.flops, Amount::symbol("B") + Amount(4));
  EXPECT_EQ(total.comms, Formula(6));
  EXPECT_EQ(total.comms_latency, Formula(2));
  EXPECT_EQ(total.rate_borrowed, DType::Fp32);
}

Cost times(std::int64_t math, std::int64_t hbm, std::int64_t latency, std::int64_t transfer) {
  Cost cost;
  cost.math = math;
  cost.hbm = hbm;
  cost.comms_latency = latency;
  cost.comms_transfer = transfer;
  cost.comms = std::max(latency, transfer);
  return cost;
}

TEST(Cost, WhatBindsIsTheLargest) {
  EXPECT_EQ(bound_of(times(9, 1, 2, 3)), Bound::Compute);
  EXPECT_EQ(bound_of(times(1, 9, 2, 3)), Bound::Memory);
  EXPECT_EQ(bound_of(times(1, 2, 3, 9)), Bound::Communication);
  EXPECT_EQ(bound_of(times(1, 2, 9, 3)), Bound::Latency);
  EXPECT_EQ(bound_of(Cost{}), Bound::Nothing);
}

TEST(Cost, WhatBindsIsUnknownInSymbols) {
  Cost cost = times(1, 2, 3, 9);
  cost.math = Formula::symbol("B");
  EXPECT_EQ(bound_of(cost), Bound::Unknown);
  EXPECT_EQ(name_of(bound_of(cost)), "?");
}

TEST(Cost, StepsCostWhatTheirPartsDo) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  Plan plan;
  const CopyId split = plan.copies.add(array({64, 64}, layout(m, {"X", ""})));
  const CopyId whole = plan.copies.add(array({64, 64}, replicated(2)));
  const CopyId product = plan.copies.add(array({64, 64}, replicated(2)));
  const Step gather{CollectiveStep{CollectiveKind::AllGather, axes(m, "X"), split, whole}, 0};
  const Step contract{ContractStep{whole, whole, product, {0, 1}, {1, 2}, {0, 2}}, 1};
  EXPECT_EQ(seconds(cost_of(gather, plan, m).comms), "3.000 us");
  EXPECT_EQ(cost_of(contract, plan, m).flops, Amount(2LL * 64 * 64 * 64));
}

TEST(Cost, InputsSlicesAndFreesAreFree) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  Plan plan;
  const CopyId whole = plan.copies.add(array({64, 64}, replicated(2)));
  const CopyId split = plan.copies.add(array({64, 64}, layout(m, {"X", ""})));
  for (const Step& step :
       {Step{InputStep{whole, "A"}, 0}, Step{SliceStep{axes(m, "X"), whole, split}, 0},
        Step{FreeStep{whole}, 0}}) {
    const Cost cost = cost_of(step, plan, m);
    EXPECT_TRUE(cost.time().is_zero());
    EXPECT_TRUE(cost.hbm_bytes.is_zero());
  }
}

TEST(Cost, ATransposeReadsAndWrites) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  Plan plan;
  const CopyId from = plan.copies.add(array({64, 32}, layout(m, {"X", ""})));
  const CopyId to = plan.copies.add(array({32, 64}, layout(m, {"", "X"})));
  const Cost cost = cost_of(Step{TransposeStep{from, to, {1, 0}}, 0}, plan, m);
  EXPECT_EQ(cost.hbm_bytes, Amount(2LL * 2 * 16 * 32));
  EXPECT_TRUE(cost.math.is_zero());
}

}  // namespace
}  // namespace shard::cost_test
