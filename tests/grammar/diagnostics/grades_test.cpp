// The wrong programs of tests/golden/diagnostics/habits/, newcomers/, fresh/, strangers/, outsiders/, blindfold/, visitors/
// and passersby/, and the grades of what is said of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace shard::grades_test {
namespace {

namespace fs = std::filesystem;

// A folder of programs, and what their grades are at least.
struct Set {
  std::string folder;
  double least;
  double mean;
};
const Set kSets[] = {{"habits", 3, 4.7},    {"newcomers", 3, 4.7}, {"fresh", 3, 4.7},
                     {"strangers", 3, 4.7}, {"outsiders", 3, 4.7}, {"blindfold", 3, 4.7},
                     {"visitors", 3, 4.7},  {"passersby", 3, 4.7}};

fs::path path_of(const Set& set) { return fs::path(SHARD_DIAGNOSTICS) / set.folder; }

struct Grade {
  double grade = 0;
  std::string reason;
};

// `name`, grade and reason, parted by tabs; the first line is a heading.
std::map<std::string, Grade> read_grades(const Set& set) {
  std::ifstream file(path_of(set) / "grades.tsv");
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

std::set<std::string> scripts(const Set& set) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_of(set))) {
    if (entry.path().extension() == ".shard") names.insert(entry.path().stem().string());
  }
  return names;
}

TEST(HabitGrades, EveryProgramHasOne) {
  for (const Set& set : kSets) {
    const auto grades = read_grades(set);
    const std::set<std::string> names = scripts(set);
    for (const std::string& name : names) EXPECT_EQ(grades.count(name), 1u) << name;
    for (const auto& [name, grade] : grades) EXPECT_EQ(names.count(name), 1u) << name;
    EXPECT_GE(names.size(), 40u) << set.folder;
  }
}

TEST(HabitGrades, EveryGradeBelowTheBestHasAReason) {
  for (const Set& set : kSets) {
    for (const auto& [name, grade] : read_grades(set)) {
      EXPECT_TRUE(grade.grade == 5 || !grade.reason.empty()) << name;
    }
  }
}

TEST(HabitGrades, NoneIsLowAndTheMeanIsHigh) {
  for (const Set& set : kSets) {
    double sum = 0;
    const auto grades = read_grades(set);
    for (const auto& [name, grade] : grades) {
      EXPECT_GE(grade.grade, set.least) << name;
      EXPECT_LE(grade.grade, 5) << name;
      sum += grade.grade;
    }
    EXPECT_GE(sum / static_cast<double>(grades.size()), set.mean) << set.folder;
  }
}

}  // namespace
}  // namespace shard::grades_test
