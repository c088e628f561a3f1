// The engine's side of peers/training.py: executes one program each time standard input asks for it.
//
// Each command is a line, answered with one line, a JSON list of seconds: `first` for the first execution
// (execute_repeatedly in engine.h), `steady N` for N more on the same inputs.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "bench/engine.h"

namespace {

constexpr int kMost = 1000;  // executions planned ahead; training.py asks for three per round

// The number of executions that the next command asks for; 0 at the end of the input.
int asked() {
  std::string line;
  if (!std::getline(std::cin, line)) return 0;
  std::istringstream words(line);
  std::string command;
  int count = 1;
  words >> command;
  if (command == "steady") words >> count;
  return count;
}

void answer(const std::vector<double>& seconds) {
  const char* separator = "[";
  for (const double one : seconds) {
    std::printf("%s%.9f", separator, one);
    separator = ", ";
  }
  std::printf("]\n");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  std::ifstream file(count == 2 ? arguments[1] : "");
  if (!file) {
    std::fprintf(stderr, "usage: training_engine FILE\n");
    return 2;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::printf("{}\n");
  std::fflush(stdout);
  auto wanted = static_cast<std::size_t>(asked());
  if (wanted == 0) return 0;
  std::vector<double> taken;
  shard::bench::execute_repeatedly(text, kMost, [&](double seconds) {
    taken.push_back(seconds);
    if (taken.size() < wanted) return true;
    answer(taken);
    taken.clear();
    wanted = static_cast<std::size_t>(asked());
    return wanted != 0;
  });
}
