// The arguments of the command.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shard {

// Without one of its own: a session at a terminal, otherwise a script from standard input.
enum class Command { Default, Run, Check, Format, Read, Test, Transcript, Help };

struct Arguments {
  Command command = Command::Default;
  std::vector<std::string> files;
  std::string stdin_name = "<stdin>";  // what messages call standard input
  bool estimate = false;
  bool verify = false;
  bool json = false;
  bool csv = false;
  bool verbose = false;
  bool execute = false;
  int threads = 0;
  std::string inputs = "integers";
  std::string model = "book";
  std::string plan = "cases";
  double plan_time = 1;
  bool hops = false;
  bool per_device = false;
  bool timeline = false;
  bool memory_profile = false;
  std::string trace;
  std::string svg;
  std::vector<std::string> faults;
  std::vector<std::string> slow;
  std::string scale;
  std::vector<std::string> sizes;
  std::string memory;
  std::optional<double> max_flops;
  bool ascii = false;
  bool latex = false;
  bool check = false;
  std::string preamble;           // of `read`: a script that comes before the documents
  std::vector<std::string> with;  // likewise: statements
  std::string topic;
  std::vector<std::string> thread_counts = {"1", "4", "2", "7"};
  std::string filter;
  std::string junit;
  bool tap = false;
  bool update = false;
  double timeout = 0;  // seconds
  unsigned jobs = 0;
  bool source = false;  // of `help`: the text of a function of the library
};

// What is wrong is said, and so is what `--help` and `--version` ask for; then it is the exit status.
std::variant<Arguments, int> read_arguments(int argc, char** argv);

}  // namespace shard
