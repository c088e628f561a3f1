#include "base/name_index.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace shard {
namespace {

// The most edits that nearest_name() allows.
constexpr std::size_t kMostEdits = 2;
// Deletions are taken from the first 8 letters of a name, which gives 37 keys at most; longer beginnings tell more
// names apart but take more room. No near name is missed: two names within k edits have beginnings of any given length
// that share a key within k deletions each. Where their common part ends at different lengths, one of them lost more
// letters than the other, and deleting as many from the end of the longer beginning makes up for it.
constexpr std::size_t kBeginning = 8;

// Lower case: a wrong letter case counts as half an edit, so up to four may differ, and keys must not depend on it.
std::set<std::string> rests_of(std::string_view name) {
  std::string beginning(name.substr(0, kBeginning));
  for (char& c : beginning) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::set<std::string> rests = {beginning};
  std::set<std::string> last = rests;
  for (std::size_t edit = 0; edit < kMostEdits; ++edit) {
    std::set<std::string> shorter;
    for (const std::string& rest : last) {
      for (std::size_t i = 0; i < rest.size(); ++i)
        shorter.insert(rest.substr(0, i) + rest.substr(i + 1));
    }
    rests.insert(shorter.begin(), shorter.end());
    last = std::move(shorter);
  }
  return rests;
}

}  // namespace

void NameIndex::add(const std::string& name) {
  if (!known_.insert(name).second) return;
  const auto place = static_cast<std::uint32_t>(names_.size());
  names_.push_back(name);
  for (const std::string& rest : rests_of(name)) {
    std::uint32_t& first = first_[rest];
    entries_.push_back({place, first});
    first = static_cast<std::uint32_t>(entries_.size());
  }
}

std::optional<std::string> NameIndex::nearest(
    std::string_view word, const std::function<bool(const std::string&)>& accepted) const {
  std::vector<std::uint32_t> near;
  for (const std::string& rest : rests_of(word)) {
    const auto first = first_.find(rest);
    if (first == first_.end()) continue;
    for (std::uint32_t at = first->second; at != 0; at = entries_[at - 1].next)
      near.push_back(entries_[at - 1].name);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> candidates;
  for (const std::uint32_t name : near) {
    const std::string& known = names_[name];
    if (known.size() <= word.size() + kMostEdits && word.size() <= known.size() + kMostEdits &&
        accepted(known))
      candidates.push_back(known);
  }
  std::sort(candidates.begin(), candidates.end());
  return nearest_name(word, candidates);
}

}  // namespace shard
