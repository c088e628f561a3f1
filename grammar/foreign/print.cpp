// What other languages print: texts with values inside, formats.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/line_reader.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;

// `sep=", "`, `end=""`
bool is_print_argument(const ForeignTree& value) {
  static constexpr std::string_view kNames[] = {"sep", "end", "file", "flush"};
  return value.kind == TreeKind::Keyword &&
         std::find(std::begin(kNames), std::end(kNames), value.text) != std::end(kNames);
}

// `"time " + str(c.time)`
bool is_joined_text(const ForeignTree& value) {
  if (value.kind != TreeKind::Binary || value.text != "+") return false;
  return value.parts[0].kind == TreeKind::Text || value.parts[1].kind == TreeKind::Text ||
         is_joined_text(value.parts[0]);
}

// `str(x)`, `repr(x)`, `string(x)`: a value is shown as it is.
const ForeignTree& without_text_call(const ForeignTree& value) {
  const bool call = value.kind == TreeKind::Call && value.parts.size() == 2 &&
                    (value.parts[0].is_name("str") || value.parts[0].is_name("repr") ||
                     value.parts[0].is_name("string"));
  return call ? value.parts[1] : value;
}

// `"B is {}".format(B)`
bool is_format_call(const ForeignTree& value) {
  return value.kind == TreeKind::Call && value.parts[0].kind == TreeKind::Attribute &&
         value.parts[0].text == "format" && value.parts[0].parts[0].kind == TreeKind::Text;
}

}  // namespace

void ForeignLineReader::find(const ForeignTree& tree, std::string message, std::string example) {
  if (!found_)
    found_ = ForeignWriter::Piece{tree.begin, tree.end, std::move(message), std::move(example)};
}

std::optional<std::string> ForeignLineReader::write_print(const std::vector<ForeignTree>& values,
                                                          bool bare) {
  std::vector<std::string> items;
  for (const ForeignTree& value : values) {
    if (!write_item(value, items)) return std::nullopt;
  }
  const auto keyword = std::find_if(values.begin(), values.end(), is_print_argument);
  if (keyword != values.end())
    find(*keyword,
         fmt::format("`print` has no `{}=`: values stand side by side, each line for itself",
                     keyword->text));
  const bool texts = std::any_of(values.begin(), values.end(),
                                 [](const auto& value) { return value.kind == TreeKind::Text; });
  if (!bare && (texts || values.size() > 1))
    find(values.front(),
         "`print` is a statement: what it prints stands after it "
         "without parentheses");
  if (items.empty()) return std::nullopt;
  return "print " + join(items, ", ");
}

bool ForeignLineReader::write_item(const ForeignTree& value, std::vector<std::string>& items) {
  if (value.kind == TreeKind::Text) return write_text(value, items);
  const bool format =
      value.kind == TreeKind::Binary && value.text == "%" && value.parts[0].kind == TreeKind::Text;
  if (format) return write_format(value, items);
  if (is_format_call(value)) return write_format_call(value, items);
  if (value.kind == TreeKind::Keyword) return is_print_argument(value);
  if (is_joined_text(value)) return write_joined(value, items);
  const auto written = writer_.write(value);
  if (!written) return false;
  if (!written->is_array) {
    items.push_back(written->text);
    return true;
  }
  const bool plain = written->named && !written->is_reordered();
  const bool product =
      value.kind == TreeKind::Binary && (value.text == "@" || value.text.starts_with("·"));
  // What is no line of another language is reported as it is.
  if (!plain && !product && !writer_.piece()) {
    items.push_back("bytes(" + written->text + ")");
    return true;
  }
  if (!plain)
    find(value, "an array that is computed gets a name, by which `print` shows what it holds");
  items.push_back(plain ? written->text : writer_.name_before(*written));
  return true;
}

// Its parts stand side by side.
bool ForeignLineReader::write_joined(const ForeignTree& value, std::vector<std::string>& items) {
  ForeignTree sign = value;
  sign.begin = value.parts[0].end;
  sign.end = value.parts[1].begin;
  find(sign, "texts are not added: texts and values follow one another, with commas");
  for (const ForeignTree& part : value.parts) {
    if (part.kind == TreeKind::Text && !part.grouped) {
      add_text(part.text, items);
      continue;
    }
    if (!write_item(without_text_call(part), items)) return false;
  }
  return true;
}

// `f"B is {B}"`
bool ForeignLineReader::write_text(const ForeignTree& value, std::vector<std::string>& items) {
  const bool formatted = value.grouped;
  if (!formatted) {
    items.push_back(fmt::format("\"{}\"", value.text));
    return true;
  }
  find(value, "texts have no values inside: these stand after them, with commas");
  return write_filled(value.text, items, [&](std::string_view inside) {
    const auto tree = read_foreign_expression(inside.substr(0, inside.find_first_of(":=!")));
    const auto written = tree ? writer_.write(*tree) : std::nullopt;
    if (written) items.push_back(written->text);
    return written.has_value();
  });
}

// The text between braces as it is, and what `fill` adds for each pair of them.
bool ForeignLineReader::write_filled(std::string_view text, std::vector<std::string>& items,
                                     const std::function<bool(std::string_view)>& fill) {
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    add_text(text.substr(0, open), items);
    if (open == text.size()) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos || !fill(text.substr(open + 1, close - open - 1)))
      return false;
    text.remove_prefix(close + 1);
  }
  return true;
}

// `"B is {}, {:.2f}, {1}, {name}".format(B, t, name=n)`
bool ForeignLineReader::write_format_call(const ForeignTree& value,
                                          std::vector<std::string>& items) {
  const ForeignTree& method = value.parts[0];
  ForeignTree sign = method;
  sign.begin = method.parts[0].end;
  find(sign, "texts have no values inside: these stand after them, with commas");
  std::size_t next = 1;
  // The argument that `{…}` names, or the next one.
  const auto argument = [&](std::string_view name) -> const ForeignTree* {
    if (name.empty()) return next < value.parts.size() ? &value.parts[next++] : nullptr;
    for (std::size_t i = 1; i < value.parts.size(); ++i) {
      const ForeignTree& part = value.parts[i];
      if (part.kind == TreeKind::Keyword && part.text == name) return &part.parts.front();
      if (name == std::to_string(i - 1)) return &part;
    }
    return nullptr;
  };
  return write_filled(method.parts[0].text, items, [&](std::string_view inside) {
    const ForeignTree* shown = argument(inside.substr(0, inside.find_first_of(":!")));
    return shown != nullptr && write_item(*shown, items);
  });
}

void ForeignLineReader::add_text(std::string_view text, std::vector<std::string>& items) {
  const std::string_view bare = bare_text(text);
  if (!bare.empty()) items.push_back(fmt::format("\"{}\"", bare));
}

// `"B is %d" % B`
bool ForeignLineReader::write_format(const ForeignTree& value, std::vector<std::string>& items) {
  ForeignTree sign = value;
  sign.begin = value.parts[0].end;
  sign.end = value.parts[1].begin;
  find(sign, "texts have no values inside: these stand after them, with commas");
  std::vector<ForeignTree> values = {value.parts[1]};
  if (values[0].kind == TreeKind::Tuple) values = ForeignTree(values[0]).parts;
  std::string_view rest = value.parts[0].text;
  std::size_t next = 0;
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('%'), rest.size());
    add_text(rest.substr(0, open), items);
    if (open == rest.size()) break;
    const std::size_t letter = rest.find_first_of("dfsgeiu%", open + 1);
    if (letter == std::string_view::npos || next >= values.size()) return false;
    if (!write_item(values[next++], items)) return false;
    rest.remove_prefix(letter + 1);
  }
  return true;
}

}  // namespace shard
