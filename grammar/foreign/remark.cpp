// Remarks of other languages: `// gathered`, `/* gathered */`, `-- gathered`. Behind an operand `//` is a sign (sign.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/foreign/line.h"

namespace shard {
namespace {

// `four chips`: nothing that could be divided by.
bool are_remark_words(std::string_view text) {
  return text.find(' ') != std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter(c) || is_digit(c) || std::string_view(" ,.;:!'-").find(c) < 8;
         });
}

}  // namespace

std::optional<ForeignMistake> read_foreign_remark(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  for (const std::string_view sign : {"//", "/*", "--", "<!--"}) {
    const std::size_t begin = line.find(sign);
    if (begin == std::string_view::npos) continue;
    std::string_view remark = bare_text(line.substr(begin + sign.size()));
    for (const std::string_view end : {"*/", "-->"}) {
      if (remark.ends_with(end)) remark = bare_text(remark.substr(0, remark.size() - end.size()));
    }
    const std::string_view before = bare_text(line.substr(0, begin));
    const bool slashes = sign.front() == '/';
    const bool words = are_remark_words(remark);
    const bool behind = slashes && before.ends_with('}') && words && is_readable(before);
    if (!before.empty() ? !behind : !slashes && !words) continue;
    ForeignMistake mistake =
        foreign_mistake(begin, begin + sign.size(),
                        fmt::format("`{}` begins no remark: remarks begin with `#`", sign));
    mistake.help = {before.empty() ? fmt::format("# {}", remark)
                                   : fmt::format("{}  # {}", before, remark)};
    return mistake;
  }
  return std::nullopt;
}

}  // namespace shard
