// What is said about tests: text, TAP, JUnit.
#pragma once

#include <string>
#include <vector>

#include "interpreter/testing/judgement.h"
#include "interpreter/testing/test_script.h"

namespace shard::test {

// What is said where one is done; empty if it passed and wrote nothing.
std::string text_of(const TestScript& script, const Judgement& judgement, bool colour);
// "3 passed, 1 failed, 1 timed out, 2 not run"; which were not run, and the time unless that is negative.
std::string summary_of(const std::vector<TestScript>& scripts,
                       const std::vector<Judgement>& judgements, double seconds);

// A line of TAP 13 and what is wrong below it; `number` counts from 1.
std::string tap_line(const TestScript& script, const Judgement& judgement, std::size_t number);

// A JUnit file: a suite with a case for each script.
std::string junit_text(const std::vector<TestScript>& scripts,
                       const std::vector<Judgement>& judgements);

}  // namespace shard::test
