#include "interpreter/host/npy.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/interpreter/support/scripts.h"

namespace shard::npy_test {
namespace {

// Files in tests/interpreter/npy/ were written by NumPy 1.24.
std::string fixture(const std::string& name) {
  return std::string(SHARD_TEST_FILES) + "/npy/" + name;
}

std::string scratch(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("shard_npy_test_" + name)).string();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(Npy, ReadsWhatNumPyWrites) {
  const auto fp32 = read_npy(fixture("fp32.npy"));
  ASSERT_TRUE(fp32);
  EXPECT_EQ(fp32->dtype, DType::Fp32);
  EXPECT_EQ(fp32->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(fp32->values, (std::vector<double>{-1.5, -0.5, 0.5, 1.5, 2.5, 3.5}));
  const auto int8 = read_npy(fixture("int8.npy"));
  ASSERT_TRUE(int8);
  EXPECT_EQ(int8->dtype, DType::Int8);
  EXPECT_EQ(int8->values, (std::vector<double>{-50, -30, -10, 10, 30, 50}));
}

TEST(Npy, NotNumbersAndWhatOverflowsMayBeAnythingAndAreNoMistake) {
  const testing::Ran ran("mesh {X: 2}\nI = 2, J = 2, K = 4\nA: bf16[I_X, J]\nA = load(\"" +
                             fixture("not_numbers.npy") +
                             "\")\nB = A ⊙ 1\nm[J] = max_I(A)\nC[I_X, K] = A · W[J, K]",
                         testing::running());
  ASSERT_EQ(ran.outcome.status, ExitStatus::Fine);
  ASSERT_EQ(ran.outcome.programs.size(), 1u);
  std::size_t not_judged = 0;
  for (const Comparison& comparison : ran.outcome.programs.front().execution.comparisons) {
    EXPECT_TRUE(comparison.within);
    not_judged += comparison.not_judged;
  }
  EXPECT_GE(not_judged, 3u + 2u + 8u);
}

// Each file alone was compared with --memory, so many of them took more before the run was refused.
TEST(Npy, FilesTogetherTakeNoMoreThanAllowed) {
  std::string text = "mesh {X: 2}\nI = 2, J = 3\n";
  for (const char* name : {"A", "B", "C"})
    text += std::string(name) + ": fp32[I_X, J]\n" + name + " = load(\"" + fixture("fp32.npy") +
            "\")\n";
  constexpr double kFile = 6 * sizeof(double);
  const auto loaded = [&](double memory) {
    SessionOptions options = testing::running();
    options.execution.memory = memory;
    const testing::Ran ran(text + "D = A + B + C", options);
    std::size_t count = 0;
    for (const ArrayInfo& array : ran.session.state().scope.store.arrays)
      count += array.values != nullptr && array.values->given != nullptr ? 1 : 0;
    // What does not fit is not run.
    EXPECT_EQ(ran.outcome.programs.front().execution.executed, count == 3);
    return count;
  };
  EXPECT_EQ(loaded(1e6), 3u);
  EXPECT_EQ(loaded(2 * kFile), 2u);
  EXPECT_EQ(loaded(2 * kFile - 1), 1u);
}

// Checking and estimating read whole files.
TEST(Npy, AHeaderIsReadWithoutValues) {
  const auto header = read_npy_header(fixture("fp32.npy"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->dtype, DType::Fp32);
  EXPECT_EQ(header->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_TRUE(header->values.empty());
}

TEST(Npy, ReadsAndWritesMoreThanABlockAtOnce) {
  std::vector<double> values(100'003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 251) - 125;
  const std::string path = scratch("large.npy");
  for (const DType dtype : {DType::Int8, DType::Fp16, DType::Fp32, DType::Fp64}) {
    ASSERT_TRUE(write_npy(path, {static_cast<std::int64_t>(values.size())}, dtype, values));
    const auto back = read_npy(path);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->values, values) << name_of(dtype);
  }
  std::filesystem::remove(path);
}

TEST(Npy, ReadsFortranOrderAndOtherBytes) {
  const auto fortran = read_npy(fixture("fp64_fortran.npy"));
  ASSERT_TRUE(fortran);
  EXPECT_EQ(fortran->dtype, DType::Fp64);
  EXPECT_EQ(fortran->values, (std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.25}));
  const auto big = read_npy(fixture("int32_big_endian.npy"));
  ASSERT_TRUE(big);
  EXPECT_EQ(big->values, (std::vector<double>{-7, 99993, 199993, 299993, 399993, 499993}));
}

TEST(Npy, ReadsAScalar) {
  const auto scalar = read_npy(fixture("scalar.npy"));
  ASSERT_TRUE(scalar);
  EXPECT_TRUE(scalar->shape.empty());
  EXPECT_EQ(scalar->values, std::vector<double>{2.5});
}

TEST(Npy, WritesTheBytesThatNumPyWrites) {
  for (const char* name : {"fp32.npy", "int8.npy", "scalar.npy"}) {
    const auto array = read_npy(fixture(name));
    ASSERT_TRUE(array);
    ASSERT_TRUE(write_npy(scratch(name), array->shape, array->dtype, array->values));
    EXPECT_EQ(bytes_of(scratch(name)), bytes_of(fixture(name))) << name;
    std::filesystem::remove(scratch(name));
  }
}

TEST(Npy, Bf16IsWrittenAsFp32) {
  const std::string path = scratch("bf16.npy");
  ASSERT_TRUE(write_npy(path, {2}, DType::Bf16, Numbers{1.5, -3}));
  const auto back = read_npy(path);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->dtype, DType::Fp32);
  EXPECT_EQ(back->values, (std::vector<double>{1.5, -3}));
  EXPECT_TRUE(may_load(DType::Bf16, back->dtype));
  EXPECT_FALSE(may_load(DType::Int8, back->dtype));
  std::filesystem::remove(path);
}

TEST(Npy, SaysWhatIsWrongWithAFile) {
  const std::string good = bytes_of(fixture("fp32.npy"));
  const std::string path = scratch("wrong.npy");
  const auto reason = [&](const std::string& bytes) {
    write(path, bytes);
    const auto array = read_npy(path);
    return array ? std::string() : array.error().message.substr(path.size() + 1);
  };
  EXPECT_EQ(reason(""), "is no .npy file");
  EXPECT_EQ(reason("A = [1, 2, 3]\n"), "is no .npy file");
  EXPECT_EQ(reason(good.substr(0, 40)), "ends within its header");
  EXPECT_EQ(reason(good.substr(0, good.size() - 1)), "ends before its last element");
  EXPECT_EQ(reason(good + "x"), "has bytes after its last element");
  std::string version = good;
  version[6] = 9;
  EXPECT_EQ(reason(version), "has a version of the format that is not known");
  std::string huge = good;
  huge.replace(huge.find("(2, 3)"), 6, "(9,9e)");
  EXPECT_EQ(reason(huge), "has a header that cannot be read");
  EXPECT_EQ(reason(bytes_of(fixture("complex.npy"))),
            "has elements of type <c8; f8, f4, f2, i4, u4 and i1 are read");
  std::filesystem::remove(path);
  EXPECT_EQ(read_npy(path).error().message, "there is no file " + path);
  EXPECT_FALSE(read_npy(std::filesystem::temp_directory_path().string()));
}

TEST(Npy, EveryPrefixOfAFileIsRefused) {
  const std::string good = bytes_of(fixture("int8.npy"));
  const std::string path = scratch("prefix.npy");
  for (std::size_t length = 0; length < good.size(); ++length) {
    write(path, good.substr(0, length));
    EXPECT_FALSE(read_npy(path)) << length;
  }
  std::filesystem::remove(path);
}

TEST(Npy, AFileThatCannotBeWrittenLeavesNothingBehind) {
  const auto written = write_npy("/there/is/no/such/folder/a.npy", {}, DType::Fp64, Numbers{1});
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("cannot be written"), std::string::npos);
}

}  // namespace
}  // namespace shard::npy_test
