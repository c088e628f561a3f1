#include "tests/runtime/machines.h"

namespace shard {
namespace {

using namespace shard::testing;  // NOLINT(google-build-using-namespace)

class PeakMemoryTest : public ::testing::Test {
 protected:
  CopyId copy(const Amount& bytes) {
    return plan_.copies.add(array({bytes}, replicated(1), DType::Int8));
  }
  void make(CopyId result) { plan_.steps.push_back({InputStep{result, "A"}, 0}); }
  void free(CopyId id) { plan_.steps.push_back({FreeStep{id}, 0}); }
  PeakMemory peak() const { return peak_memory(plan_, Mesh{}); }

  Plan plan_;
};

TEST_F(PeakMemoryTest, OfNothingIsNothing) {
  EXPECT_TRUE(peak().bytes.is_zero());
  EXPECT_EQ(peak().step, -1);
}

TEST_F(PeakMemoryTest, CountsWhatIsAliveAtOnce) {
  const CopyId small = copy(10);
  const CopyId large = copy(70);
  const CopyId last = copy(60);
  make(small);
  make(large);
  free(large);
  make(last);
  EXPECT_EQ(peak().bytes, Formula(80));
  EXPECT_EQ(peak().step, 1);
  EXPECT_EQ(peak().copies, (std::vector<CopyId>{large, small}));
}

TEST_F(PeakMemoryTest, OperandsLiveWhileTheResultIsMade) {
  const CopyId a = copy(10);
  const CopyId b = copy(20);
  make(a);
  plan_.steps.push_back({SliceStep{{}, a, b}, 0});
  free(a);
  EXPECT_EQ(peak().bytes, Formula(30));
}

TEST_F(PeakMemoryTest, IsTheFirstOfEqualPeaks) {
  const CopyId a = copy(10);
  const CopyId b = copy(10);
  make(a);
  free(a);
  make(b);
  EXPECT_EQ(peak().step, 0);
}

TEST_F(PeakMemoryTest, CountsLocalBytes) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  plan_.steps.push_back(
      {InputStep{plan_.copies.add(array({64, 64}, layout(m, {"X", "Y"}))), "A"}, 0});
  EXPECT_EQ(peak_memory(plan_, m.mesh).bytes, Formula(512));
}

TEST_F(PeakMemoryTest, InSymbolsIsAMaximum) {
  const CopyId a = copy(Amount::symbol("B"));
  const CopyId b = copy(Amount::symbol("D"));
  make(a);
  free(a);
  make(b);
  EXPECT_EQ(peak().bytes, max(Formula::symbol("B"), Formula::symbol("D")));
  EXPECT_EQ(peak().step, -1);
  EXPECT_TRUE(peak().copies.empty());
}

}  // namespace
}  // namespace shard
