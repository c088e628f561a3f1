#include "interpreter/check/run_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/check.h"
#include "interpreter/host/file.h"

namespace shard {

namespace {

bool writes(FileUse use) {
  return use == FileUse::Save || use == FileUse::Trace || use == FileUse::Output ||
         use == FileUse::Earlier;
}

// What was written before, by another script or to the output, may be read.
bool are_in_the_way(const FileClaim& earlier, const FileClaim& later) {
  if (earlier.use == FileUse::Output || earlier.use == FileUse::Earlier) return writes(later.use);
  return writes(earlier.use) || writes(later.use);
}

bool is_same(const FileClaim& a, const FileClaim& b) {
  return a.use == b.use && a.path == b.path && a.span == b.span;
}

// Device and inode of what is there, if it is a regular file.
template <class Stat>
std::optional<std::pair<unsigned long long, unsigned long long>> device_of(const Stat& stat_it) {
  struct stat status {};
  if (stat_it(&status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return std::pair<unsigned long long, unsigned long long>(status.st_dev, status.st_ino);
}

auto device_at(const std::string& path) {
  return device_of([&](struct stat* status) { return ::stat(path.c_str(), status); });
}

}  // namespace

const RunFiles::Known* RunFiles::find(const std::string& path) const {
  const auto target = target_of(path);
  if (!target) return nullptr;
  if (const auto device = device_at(path)) {
    const auto found = by_device_.find(*device);
    if (found != by_device_.end()) return &known_[found->second];
  }
  const auto found = by_path_.find(target->string());
  return found == by_path_.end() ? nullptr : &known_[found->second];
}

void RunFiles::index(std::size_t which) {
  const Known& known = known_[which];
  if (known.open) {
    by_device_.try_emplace(*known.open, which);
    return;
  }
  if (const auto target = target_of(known.claim.path)) by_path_[target->string()] = which;
  if (const auto device = device_at(known.claim.path)) by_device_[*device] = which;
}

std::optional<FileClaim> RunFiles::claim(FileClaim claim) {
  if (!target_of(claim.path)) return std::nullopt;
  if (const Known* known = find(claim.path))
    return are_in_the_way(known->claim, claim) ? std::optional(known->claim) : std::nullopt;
  known_.push_back({.claim = std::move(claim)});
  index(known_.size() - 1);
  return std::nullopt;
}

void RunFiles::claim_open(FileUse use, int descriptor, std::string path) {
  const auto device = device_of([&](struct stat* status) { return ::fstat(descriptor, status); });
  if (!device) return;
  known_.push_back({.claim = {use, std::move(path), {}}, .open = device});
  index(known_.size() - 1);
}

std::optional<FileClaim> RunFiles::in_the_way(const FileClaim& claim) const {
  const Known* known = find(claim.path);
  if (known == nullptr || is_same(known->claim, claim)) return std::nullopt;
  return known->claim;
}

void RunFiles::written(const FileClaim& claim) {
  const auto target = target_of(claim.path);
  const auto found = target ? by_path_.find(target->string()) : by_path_.end();
  if (found == by_path_.end()) return;
  known_[found->second].written = true;
  index(found->second);
}

void RunFiles::keep(std::vector<Known> kept) {
  *this = {};
  known_ = std::move(kept);
  for (std::size_t i = 0; i < known_.size(); ++i) index(i);
}

void RunFiles::next_input() {
  std::vector<Known> kept;
  for (const Known& known : known_) {
    if (known.claim.use != FileUse::Load && known.claim.use != FileUse::Save) kept.push_back(known);
  }
  keep(std::move(kept));
}

void RunFiles::next_script() {
  std::vector<Known> kept;
  for (Known known : known_) {
    const bool was_written = known.claim.use == FileUse::Save && known.written;
    if (was_written) known.claim = {FileUse::Earlier, known.claim.path, {}};
    const FileUse use = known.claim.use;
    if (use == FileUse::Script || use == FileUse::Output || use == FileUse::Earlier)
      kept.push_back(std::move(known));
  }
  keep(std::move(kept));
}

std::string described(const FileClaim& claim) {
  switch (claim.use) {
    case FileUse::Script:
      return "a script of this command";
    case FileUse::Module:
      return "a module that this run uses";
    case FileUse::Load:
      return "a file that this run loads";
    case FileUse::Save:
      return "a file that this run saves";
    case FileUse::Trace:
      return "the file of --trace";
    case FileUse::Output:
      return "where the output of this command goes";
    case FileUse::Earlier:
      return "a file that an earlier script of this command wrote";
  }
  check_failed("a use of a file", __FILE__, __LINE__);
}

bool claim_file(const FileClaim& claim, RunFiles* files, std::vector<std::string> help,
                CheckContext& context) {
  const auto other = files == nullptr ? std::nullopt : files->claim(claim);
  if (!other) return true;
  const bool saves_twice = claim.use == FileUse::Save && other->use == FileUse::Save;
  const std::string_view loss = saves_twice                  ? "what was saved first would be lost"
                                : claim.use == FileUse::Save ? "`save` would write over it"
                                : claim.use == FileUse::Load
                                    ? "what is loaded would be written over"
                                    : "the module would be written over";
  const std::string named = claim.path == other->path
                                ? fmt::format("`{}`", claim.path)
                                : fmt::format("`{}` is `{}`, and that", claim.path, other->path);
  std::vector<Note> notes;
  if (other->span == claim.span) {
    help = {"it is saved again by each pass or call that comes here; a file is saved once"};
  } else if (other->span.valid()) {
    notes.push_back({other->span, other->use == FileUse::Save   ? "saved here"
                                  : other->use == FileUse::Load ? "loaded here"
                                                                : "used here"});
  }
  report(context, DiagnosticKind::FileInUse, claim.span,
         fmt::format("{} is {}: {}", named, described(*other), loss), std::move(help),
         std::move(notes));
  return false;
}

}  // namespace shard
