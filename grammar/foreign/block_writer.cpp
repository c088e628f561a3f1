#include "grammar/foreign/block_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/translate/tree.h"

namespace shard {

std::vector<ForeignBlockLine> foreign_lines(std::string_view text) {
  std::vector<ForeignBlockLine> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view code = line.substr(0, line.find('#'));
    const std::string_view bare = bare_text(code);
    if (!bare.empty()) lines.push_back({static_cast<std::size_t>(bare.data() - code.data()), bare});
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

std::optional<std::string> ForeignBlockWriter::block(std::size_t& next, std::size_t outside,
                                                     std::vector<std::string>* parts) {
  std::vector<std::string> statements;
  for (; next < lines_.size() && lines_[next].indent > outside;) {
    auto statement = one(next);
    if (!statement) return std::nullopt;
    if (!statement->empty()) statements.push_back(*std::move(statement));
  }
  if (parts != nullptr) *parts = statements;
  return "{ " + join(statements, "; ") + " }";
}

std::optional<std::string> ForeignBlockWriter::with_block(std::size_t& next) {
  const ForeignBlockLine header = lines_[next];
  const auto head = header_of(header.text);
  if (!head) return std::nullopt;
  ++next;
  const auto body = block(next, header.indent);
  if (!body) return std::nullopt;
  std::string text = *head + " " + *body;
  while (next < lines_.size() && lines_[next].indent == header.indent &&
         continues(lines_[next].text)) {
    const auto more = with_block(next);
    if (!more) return std::nullopt;
    text += " " + *more;
  }
  return text;
}

bool ForeignBlockWriter::continues(std::string_view text) {
  return text.starts_with("else") || text.starts_with("elif");
}

std::optional<std::string> ForeignBlockWriter::one(std::size_t& next) {
  const std::string_view text = lines_[next].text;
  if (text.back() == ':') return with_block(next);
  ++next;
  if (text == "pass" || text.starts_with("\"\"\"") || text.starts_with("'''")) return "";
  if (text.starts_with("assert ") || text.starts_with("import ")) return "";
  // What is foreign goes before: `2 ** n` may be read as something else.
  if (const auto line = read_foreign_line(text, names_)) {
    if (line->line.empty()) return std::nullopt;
    if (!line->mistake.made.empty()) names_.add(line->mistake.made, line->mistake.array);
    for (const auto& [name, array] : line->invented) {
      invented_.try_emplace(name, array);
      names_.add(name, array);
    }
    return line->line;
  }
  if (const auto signs = read_foreign_signs(text, names_)) {
    if (!signs->help.empty()) return signs->help.front();
  }
  if (const auto words = read_foreign_words(text, names_)) {
    if (!words->help.empty() && is_readable(words->help.front())) return words->help.front();
  }
  if (is_readable(std::string(text)) || text.starts_with("return")) return std::string(text);
  return std::nullopt;
}

// `for i in range(3):`, `if x > 4:`, `else:`
std::optional<std::string> ForeignBlockWriter::header_of(std::string_view text) {
  text = bare_text(text.substr(0, text.size() - 1));
  if (text == "else") return "else";
  const bool elif = text.starts_with("elif ");
  if (elif || text.starts_with("if ")) {
    const auto tree = read_foreign_expression(text.substr(elif ? 5 : 3));
    const std::string condition(bare_text(text.substr(elif ? 5 : 3)));
    if (!tree) return std::nullopt;
    std::string written = condition;
    if (const auto signs = read_foreign_signs(condition, names_); signs && !signs->help.empty())
      written = signs->help.front();
    return fmt::format("{}if {}", elif ? "else " : "", written);
  }
  if (text.starts_with("for ")) return foreign_loop_header(text);
  return std::nullopt;
}

std::optional<ForeignBody> foreign_body(std::vector<ForeignBlockLine> lines,
                                        const ForeignNames& names,
                                        const std::vector<std::string>& parameters) {
  if (lines.size() < 2) return std::nullopt;
  for (ForeignBlockLine& line : lines) {
    while (!line.text.empty() && line.text.back() == ';') line.text.remove_suffix(1);
  }
  ForeignBlockWriter writer(lines, names);
  for (const std::string& parameter : parameters) writer.names().hide(parameter);
  ForeignBody body;
  std::size_t next = 1;
  const auto written = writer.block(next, lines[0].indent, &body.statements);
  if (!written || next != lines.size()) return std::nullopt;
  body.invented = writer.invented();
  return body;
}

std::string ForeignBody::text() const { return "{\n  " + join(statements, "\n  ") + "\n}"; }

}  // namespace shard
