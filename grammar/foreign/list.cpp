// Several values in a line: `B, D = 64, 128`, `sizes = [64, 128]`.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/foreign/line_reader.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;

}  // namespace

// `B, D = 64, 128`, `B, D = x.shape`
std::optional<std::string> ForeignLineReader::write_pairs(const ForeignStatement& statement) {
  const auto& targets = statement.targets;
  const bool names = std::all_of(targets.begin(), targets.end(), [](const ForeignTree& tree) {
    return tree.kind == TreeKind::Name;
  });
  if (!names) return std::nullopt;
  std::vector<std::string> values;
  for (const ForeignTree& value : statement.values) {
    const auto written = writer_.write(value);
    if (!written || written->is_array) return std::nullopt;
    values.push_back(written->text);
  }
  const bool shape = values.size() == 1;
  if (shape) values = split_list(values.front());
  if (values.size() != targets.size()) return std::nullopt;
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].text != values[i]) pairs.push_back(targets[i].text + " = " + values[i]);
  }
  ForeignTree place = targets.front();
  place.end = targets.back().end;
  find(place, pairs.empty()
                  ? fmt::format("sizes are names here: these have their values{}", kLeaveOut)
                  : "each name gets its value by a `=` of its own");
  if (pairs.empty()) return std::nullopt;
  return join(pairs, ", ");
}

std::vector<std::string> ForeignLineReader::split_list(const std::string& text) {
  std::vector<std::string> items;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    items.emplace_back(rest.substr(0, comma));
    if (comma == rest.size()) return items;
    rest.remove_prefix(comma + 2);
  }
}

// `times = []`, `sizes = [64, 128]`
std::optional<std::string> ForeignLineReader::write_list(const ForeignTree& target,
                                                         const ForeignTree& list) {
  if (target.kind == TreeKind::Name) read_.mistake.made = target.text;
  if (list.parts.empty()) {
    find(list, fmt::format("there are no lists: a `print` in a loop makes a table{}", kLeaveOut),
         "for n in [64, 128] { print n, 2 * n }");
    return std::nullopt;
  }
  std::vector<std::string> items;
  for (const ForeignTree& item : list.parts) {
    const auto written =
        item.kind == TreeKind::Text
            ? std::optional<ForeignOperand>({.text = fmt::format("\"{}\"", item.text)})
            : writer_.write(item);
    if (written && !written->is_array) items.push_back(written->text);
  }
  const bool all = items.size() == list.parts.size();
  find(list, "there are no lists: a loop runs over values",
       fmt::format("for n in [{}] {{ print n }}", all ? join(items, ", ") : "64, 128"));
  return std::nullopt;
}

// `times.append(c.comms)`
std::optional<std::string> ForeignLineReader::write_append(const ForeignTree& call) {
  const ForeignTree& method = call.parts.front();
  ForeignTree place = method;
  place.begin = method.end - method.text.size() - 1;
  find(place, "there are no lists: a `print` in a loop makes a table");
  return write_print({call.parts.begin() + 1, call.parts.end()}, true);
}

}  // namespace shard
