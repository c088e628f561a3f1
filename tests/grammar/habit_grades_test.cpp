// The wrong programs of tests/golden/diagnostics/habits/ and the grades of what is said of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace shard {
namespace {

namespace fs = std::filesystem;

struct Grade {
  double grade = 0;
  std::string reason;
};

// `name`, grade and reason, parted by tabs; the first line is a heading.
std::map<std::string, Grade> read_grades() {
  std::ifstream file(fs::path(SHARD_HABITS) / "grades.tsv");
  std::map<std::string, Grade> grades;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream columns(line);
    std::string name;
    std::string grade;
    std::string reason;
    std::getline(columns, name, '\t');
    std::getline(columns, grade, '\t');
    std::getline(columns, reason);
    EXPECT_TRUE(grades.emplace(name, Grade{std::stod(grade), reason}).second) << name << " twice";
  }
  return grades;
}

std::set<std::string> scripts() {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(SHARD_HABITS)) {
    if (entry.path().extension() == ".shard") names.insert(entry.path().stem().string());
  }
  return names;
}

TEST(HabitGrades, EveryProgramHasOne) {
  const auto grades = read_grades();
  const std::set<std::string> names = scripts();
  for (const std::string& name : names) EXPECT_EQ(grades.count(name), 1u) << name;
  for (const auto& [name, grade] : grades) EXPECT_EQ(names.count(name), 1u) << name;
  EXPECT_GE(names.size(), 60u);
}

TEST(HabitGrades, EveryGradeBelowTheBestHasAReason) {
  for (const auto& [name, grade] : read_grades()) {
    EXPECT_TRUE(grade.grade == 5 || !grade.reason.empty()) << name;
  }
}

TEST(HabitGrades, NoneIsBelowThreeAndTheMeanIsHigh) {
  double sum = 0;
  const auto grades = read_grades();
  for (const auto& [name, grade] : grades) {
    EXPECT_GE(grade.grade, 3) << name;
    EXPECT_LE(grade.grade, 5) << name;
    sum += grade.grade;
  }
  EXPECT_GE(sum / static_cast<double>(grades.size()), 4.7);
}

}  // namespace
}  // namespace shard
