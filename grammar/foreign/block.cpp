// Blocks of Python: their lines in braces. Which kind of block it is, of whatever language.
#include "grammar/foreign/block.h"

#include <fmt/format.h>

#include "grammar/foreign/block_writer.h"
#include "grammar/foreign/line.h"

namespace shard {
namespace {

// `for i in range(3):` and `if x > 4:` with their lines.
std::optional<ForeignMistake> read_python_block(std::string_view text, const ForeignNames& names) {
  const bool loop = text.starts_with("for ");
  const bool branch = text.starts_with("if ");
  const std::string_view head = bare_text(text.substr(0, text.find('\n')));
  if ((!loop && !branch) || head.find('{') != std::string_view::npos) return std::nullopt;
  const std::vector<ForeignBlockLine> all = foreign_lines(text);
  const std::size_t colon = all[0].text.rfind(':');
  const bool ends = colon != std::string_view::npos &&
                    (colon + 1 == all[0].text.size() || all[0].text[colon + 1] == ' ');
  if (!ends || (loop && all[0].text.find(" in ") == std::string_view::npos)) return std::nullopt;
  std::vector<ForeignBlockLine> lines = all;
  if (colon + 1 < all[0].text.size()) {
    lines[0].text = all[0].text.substr(0, colon + 1);
    lines.insert(lines.begin() + 1, {all[0].indent + 1, bare_text(all[0].text.substr(colon + 1))});
  }
  const std::size_t range = text.find("range(");
  const std::size_t place = static_cast<std::size_t>(all[0].text.data() - text.data()) + colon;
  ForeignMistake mistake =
      loop && range != std::string_view::npos
          ? foreign_mistake(
                range, text.find(')', range) + 1,
                "`range` is Python: the numbers 0, 1, 2 are written `0..3`, and the block of a "
                "loop stands in braces")
          : foreign_mistake(
                place, place + 1,
                fmt::format("the block of {} stands in braces", loop ? "a loop" : "an `if`"));
  ForeignBlockWriter writer(lines, names);
  std::size_t next = 0;
  const auto written = lines.size() > 1 ? writer.with_block(next) : std::nullopt;
  if (written && is_readable(*written)) mistake.help = {*written};
  if (loop && lines.size() == 2) {
    const auto header = foreign_loop_header(lines[0].text.substr(0, lines[0].text.size() - 1));
    const auto sum = header ? foreign_sum(*header, lines[1].text, names) : std::nullopt;
    if (sum) {
      mistake.message = sum->message;
      mistake.help = sum->help;
    }
  }
  if (mistake.help.empty() && loop) {
    const auto header = foreign_loop_header(all[0].text.substr(0, colon));
    mistake.help = {header.value_or("for i in 0..3") + " { … }"};
  }
  if (mistake.help.empty()) mistake.help = {"if 2 > 3 { print 2 } else { print 3 }"};
  return mistake;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_block(std::string_view text, const ForeignNames& names) {
  if (auto mistake = read_foreign_definition(text, names)) return mistake;
  if (auto mistake = read_foreign_branch(text, names)) return mistake;
  if (auto mistake = read_python_block(text, names)) return mistake;
  if (auto mistake = read_foreign_end(text, names)) return mistake;
  return read_foreign_loop(text, names);
}

}  // namespace shard
