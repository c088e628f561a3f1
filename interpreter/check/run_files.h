// Which files a run reads and writes, so that none is written over that it still needs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/check/brackets.h"

namespace shard {

enum class FileUse {
  Script,   // of the command
  Module,   // of a script
  Load,     // by `load`
  Save,     // by `save`
  Trace,    // by --trace
  Output,   // standard output and error
  Earlier,  // written by a script of the same command that ran before
};

struct FileClaim {
  FileUse use = FileUse::Script;
  std::string path;  // as it was written
  Span span;         // where; invalid if no script says it
};

// Files are told apart by what they are: links, `./a/../x` and another case, where the system knows none, are no other
// file. Folders, pipes, devices and what is open already (`/dev/stdout`) are no files.
class RunFiles {
 public:
  // Claims a file; if an earlier claim is in the way, that is returned, and nothing is claimed. Claims of one file are in each
  // other's way unless both read; what was written before, and where the output goes, may be read.
  std::optional<FileClaim> claim(FileClaim claim);
  // The same of what is open under that number.
  void claim_open(FileUse use, int descriptor, std::string path);
  // What is in the way of writing what was claimed so. It was no file before perhaps, and names that differed are one now.
  std::optional<FileClaim> in_the_way(const FileClaim& claim) const;
  // The file of a claim is there now.
  void written(const FileClaim& claim);
  // The next input of a session: what it loads and saves is its own.
  void next_input();
  // The next script of a command: the same, but what was written stays.
  void next_script();

 private:
  using Device = std::pair<unsigned long long, unsigned long long>;  // and inode
  struct Known {
    FileClaim claim;
    bool written = false;
    std::optional<Device> open = {};  // of what was claimed as open
  };
  const Known* find(const std::string& path) const;
  void index(std::size_t which);
  void keep(std::vector<Known> kept);

  std::vector<Known> known_;  // one for each file that was claimed: what claimed it first
  std::map<std::string, std::size_t> by_path_;
  std::map<Device, std::size_t> by_device_;  // of files that are there
};

// What its file is: "a script of this command", "a file that this run loads".
std::string described(const FileClaim& claim);
// Claims a file for a script, if there are files to claim. False after a report of FileInUse.
bool claim_file(const FileClaim& claim, RunFiles* files, std::vector<std::string> help,
                CheckContext& context);

}  // namespace shard
