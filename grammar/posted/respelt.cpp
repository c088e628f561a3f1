#include "grammar/posted/respelt.h"

namespace shard {

Respelt::Respelt(std::string_view text, std::uint32_t offset) : offset_(offset) {
  plain_.text = std::string(text);
  plain_.file_size = offset + static_cast<std::uint32_t>(text.size());
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    plain_.begins.push_back(offset + i);
    plain_.ends.push_back(offset + i + 1);
  }
}

void Respelt::replace(std::size_t begin, std::size_t end, std::string_view by) {
  const auto at = [](auto& places, std::size_t i) {
    return places.begin() + static_cast<std::ptrdiff_t>(i);
  };
  const std::uint32_t first = begin < plain_.begins.size() ? plain_.begins[begin] : offset_;
  const std::uint32_t last = end > 0 ? plain_.ends[end - 1] : first;
  plain_.text.replace(begin, end - begin, by);
  plain_.begins.erase(at(plain_.begins, begin), at(plain_.begins, end));
  plain_.ends.erase(at(plain_.ends, begin), at(plain_.ends, end));
  plain_.begins.insert(at(plain_.begins, begin), by.size(), first);
  plain_.ends.insert(at(plain_.ends, begin), by.size(), last);
}

void Respelt::replace_all(const std::regex& pattern,
                          const std::function<std::optional<std::string>(const Match&)>& write) {
  std::size_t from = 0;
  Match match;
  while (from <= text().size()) {
    const auto begin = text().cbegin() + static_cast<std::ptrdiff_t>(from);
    const auto flags =
        from > 0 ? std::regex_constants::match_prev_avail : std::regex_constants::match_default;
    if (!std::regex_search(begin, text().cend(), match, pattern, flags) || match.length() == 0)
      return;
    const std::size_t place = from + static_cast<std::size_t>(match.position());
    const auto length = static_cast<std::size_t>(match.length());
    const auto by = write(match);
    if (by) replace(place, place + length, *by);
    from = place + (by ? by->size() : length);
  }
}

void Respelt::remove_markup() {
  PlainText bare = without_markup(text());
  if (bare.begins.empty()) return;
  for (std::size_t i = 0; i < bare.text.size(); ++i) {
    const std::uint32_t begin = bare.begins[i];
    const std::uint32_t end = bare.ends[i];
    bare.begins[i] = begin < plain_.begins.size() ? plain_.begins[begin] : plain_.file_size;
    bare.ends[i] = end > 0 ? plain_.ends[end - 1] : offset_;
  }
  bare.file_size = plain_.file_size;
  plain_ = std::move(bare);
}

PlainText Respelt::part(std::size_t begin, std::size_t end) const {
  const auto cut = [&](const std::vector<std::uint32_t>& places) {
    return std::vector<std::uint32_t>(places.begin() + static_cast<std::ptrdiff_t>(begin),
                                      places.begin() + static_cast<std::ptrdiff_t>(end));
  };
  PlainText piece;
  piece.text = plain_.text.substr(begin, end - begin);
  piece.begins = cut(plain_.begins);
  piece.ends = cut(plain_.ends);
  piece.file_size = plain_.file_size;
  return piece;
}

}  // namespace shard
