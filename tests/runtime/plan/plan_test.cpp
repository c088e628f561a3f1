#include "runtime/plan/plan.h"

#include <gtest/gtest.h>

namespace shard::plan_test {
namespace {

CopyId copy(int index) { return CopyId{index}; }

Step input(int result) { return {InputStep{copy(result), "A"}, 0}; }
Step contract(int left, int right, int result) {
  return {ContractStep{copy(left), copy(right), copy(result), {0, 1}, {1, 2}, {0, 2}}, 1};
}
Step gather(int operand, int result) {
  return {CollectiveStep{CollectiveKind::AllGather, {}, copy(operand), copy(result)}, 2};
}
Step free_step(int index) { return {FreeStep{copy(index)}, 2}; }

Plan plan_of(int copies, std::vector<Step> steps) {
  Plan plan;
  for (int i = 0; i < copies; ++i) plan.copies.add({});
  plan.steps = std::move(steps);
  return plan;
}

// "+2" makes copy 2, "-0" frees copy 0.
std::string story(const Plan& plan) {
  std::string text;
  for (const Step& step : plan.steps) {
    const auto* free = std::get_if<FreeStep>(&step.action);
    text +=
        free ? "-" + std::to_string(free->copy.value) : "+" + std::to_string(result_of(step).value);
  }
  return text;
}

TEST(Plan, StepsTellWhatTheyReadAndMake) {
  EXPECT_EQ(result_of(contract(0, 1, 2)), copy(2));
  EXPECT_EQ(operands_of(contract(0, 1, 2)), (std::vector<CopyId>{copy(0), copy(1)}));
  EXPECT_EQ(operands_of(gather(3, 4)), (std::vector<CopyId>{copy(3)}));
  EXPECT_TRUE(operands_of(input(0)).empty());
  EXPECT_FALSE(result_of(free_step(1)).valid());
  EXPECT_EQ(result_of(Step{SliceStep{{}, copy(0), copy(1)}, 0}), copy(1));
  EXPECT_EQ(operands_of(Step{TransposeStep{copy(0), copy(1), {1, 0}}, 0}),
            (std::vector<CopyId>{copy(0)}));
}

TEST(Plan, FreesEachCopyBehindItsLastUse) {
  Plan plan = plan_of(4, {input(0), input(1), gather(1, 2), contract(0, 2, 3)});
  free_after_last_use(plan, {copy(3)});
  EXPECT_EQ(story(plan), "+0+1+2-1+3-0-2");
  EXPECT_EQ(plan.steps[3].statement, 2) << "a free belongs to the statement of the last use";
}

TEST(Plan, KeepsResultsThatNobodyReads) {
  Plan plan = plan_of(2, {input(0), gather(0, 1)});
  free_after_last_use(plan, {});
  EXPECT_EQ(story(plan), "+0+1-0");
}

TEST(Plan, FreesResultsThatNobodyReadsWhereTheirArrayIsMadeAnew) {
  Plan plan = plan_of(4, {input(0), gather(0, 1), gather(0, 2), gather(1, 3)});
  for (int i = 0; i < 4; ++i) plan.steps[static_cast<std::size_t>(i)].statement = i;
  IdMap<CopyId, int> ended;
  ended.set(copy(1), 3);
  ended.set(copy(2), 3);
  free_after_last_use(plan, {}, ended);
  EXPECT_EQ(story(plan), "+0+1+2-0-2+3-1") << "what a later step reads lives until then";
}

TEST(Plan, DoesNotFreeTwice) {
  Plan plan = plan_of(2, {input(0), gather(0, 1), free_step(0)});
  free_after_last_use(plan, {});
  EXPECT_EQ(story(plan), "+0+1-0");
  const std::string once = story(plan);
  free_after_last_use(plan, {});
  EXPECT_EQ(story(plan), once);
}

TEST(Plan, LeavesCopiesThatNoStepMakes) {
  Plan plan = plan_of(5, {input(4)});
  free_after_last_use(plan, {});
  EXPECT_EQ(story(plan), "+4");
}

TEST(Plan, EveryCollectiveHasItsOwnName) {
  EXPECT_EQ(name_of(CollectiveKind::AllGather), "AllGather");
  EXPECT_EQ(name_of(CollectiveKind::CollectivePermute), "CollectivePermute");
  EXPECT_EQ(name_of(CollectiveKind::Shift), "Shift");
}

}  // namespace
}  // namespace shard::plan_test
