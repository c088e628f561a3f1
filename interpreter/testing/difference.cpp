#include "interpreter/testing/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "base/format.h"
#include "grammar/source/visible.h"

namespace shard::test {
namespace {

constexpr std::size_t kContext = 3;       // lines before and after
constexpr std::size_t kMostEdits = 1000;  // beyond these the texts have little in common
constexpr std::size_t kGutter = 8;        // columns of number and mark

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// A line of the difference: `-` stands only in the first text, `+` in the second one, ' ' in both.
struct Edit {
  char mark = ' ';
  std::size_t line = 0;  // of the text that has it; of the first one if both do
};

// Equal lines have equal numbers.
using Numbers = std::vector<int>;

Numbers numbered(const Lines& lines, std::unordered_map<std::string_view, int>& known) {
  Numbers numbers;
  numbers.reserve(lines.size());
  for (const std::string_view line : lines)
    numbers.push_back(known.try_emplace(line, static_cast<int>(known.size())).first->second);
  return numbers;
}

// E. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986): for each number of edits, how far one comes
// in the first text on each diagonal. Empty if more than kMostEdits are needed. Entry d has the diagonals -d … d.
std::vector<std::vector<int>> furthest_reaches(const Numbers& old_lines, const Numbers& new_lines) {
  const int old_size = static_cast<int>(old_lines.size());
  const int new_size = static_cast<int>(new_lines.size());
  std::vector<std::vector<int>> reaches;
  for (int edits = 0; edits <= static_cast<int>(kMostEdits); ++edits) {
    std::vector<int> reach(2 * static_cast<std::size_t>(edits) + 1);
    const auto before = [&](int diagonal) {  // with one edit less
      const int at = diagonal + edits - 1;
      return at < 0 || at > 2 * (edits - 1) ? -1 : reaches.back()[static_cast<std::size_t>(at)];
    };
    for (int diagonal = -edits; diagonal <= edits; diagonal += 2) {
      int x = edits == 0 ? 0 : std::max(before(diagonal + 1), before(diagonal - 1) + 1);
      while (x < old_size && x - diagonal < new_size &&
             old_lines[static_cast<std::size_t>(x)] ==
                 new_lines[static_cast<std::size_t>(x - diagonal)])
        ++x;
      const int at = diagonal + edits;
      reach[static_cast<std::size_t>(at)] = x;
      if (x >= old_size && x - diagonal >= new_size) {
        reaches.push_back(std::move(reach));
        return reaches;
      }
    }
    reaches.push_back(std::move(reach));
  }
  return {};
}

// The way back through the reaches, last edit first.
std::vector<Edit> edits_backwards(const std::vector<std::vector<int>>& reaches, int x, int y) {
  std::vector<Edit> edits;
  for (int count = static_cast<int>(reaches.size()) - 1; count >= 0; --count) {
    const int diagonal = x - y;
    const auto before = [&](int other) {
      const int at = other + count - 1;
      return count == 0 || at < 0 || at > 2 * (count - 1)
                 ? -1
                 : reaches[static_cast<std::size_t>(count) - 1][static_cast<std::size_t>(at)];
    };
    const bool inserts = before(diagonal + 1) > before(diagonal - 1);
    const int begin = count == 0 ? 0 : inserts ? before(diagonal + 1) : before(diagonal - 1) + 1;
    for (; x > begin; --x, --y) edits.push_back({' ', static_cast<std::size_t>(x) - 1});
    if (count == 0) break;
    if (inserts)
      edits.push_back({'+', static_cast<std::size_t>(--y)});
    else
      edits.push_back({'-', static_cast<std::size_t>(--x)});
  }
  return edits;
}

// What is taken out stands before what takes its place.
void sort_changes(std::vector<Edit>& edits) {
  const auto is_same = [](const Edit& edit) { return edit.mark == ' '; };
  for (auto begin = edits.begin(); begin != edits.end();) {
    begin = std::find_if_not(begin, edits.end(), is_same);
    const auto end = std::find_if(begin, edits.end(), is_same);
    std::stable_partition(begin, end, [](const Edit& edit) { return edit.mark == '-'; });
    begin = end;
  }
}

std::vector<Edit> edits_between(const Lines& old_lines, const Lines& new_lines) {
  std::unordered_map<std::string_view, int> known;
  const Numbers one = numbered(old_lines, known);
  const Numbers other = numbered(new_lines, known);
  const auto heads = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto head = static_cast<std::size_t>(heads.first - one.begin());
  const auto tails = std::mismatch(one.rbegin(), std::make_reverse_iterator(heads.first),
                                   other.rbegin(), std::make_reverse_iterator(heads.second));
  const Numbers old_middle(heads.first, tails.first.base());
  const Numbers new_middle(heads.second, tails.second.base());

  std::vector<Edit> edits;
  for (std::size_t line = 0; line < head; ++line) edits.push_back({' ', line});
  const auto reaches = furthest_reaches(old_middle, new_middle);
  if (reaches.empty()) {
    for (std::size_t at = 0; at < old_middle.size(); ++at) edits.push_back({'-', head + at});
    for (std::size_t at = 0; at < new_middle.size(); ++at) edits.push_back({'+', head + at});
  } else {
    auto middle = edits_backwards(reaches, static_cast<int>(old_middle.size()),
                                  static_cast<int>(new_middle.size()));
    std::reverse(middle.begin(), middle.end());
    sort_changes(middle);
    for (const Edit& edit : middle) edits.push_back({edit.mark, head + edit.line});
  }
  for (std::size_t line = head + old_middle.size(); line < one.size(); ++line)
    edits.push_back({' ', line});
  return edits;
}

// Whether a line is near enough to a change to be shown.
std::vector<bool> shown_edits(const std::vector<Edit>& edits) {
  std::vector<bool> shown(edits.size(), false);
  for (std::size_t at = 0; at < edits.size(); ++at) {
    if (edits[at].mark == ' ') continue;
    const std::size_t end = std::min(edits.size(), at + kContext + 1);
    for (std::size_t near = at - std::min(at, kContext); near < end; ++near) shown[near] = true;
  }
  return shown;
}

std::string_view colour_of_mark(char mark) {
  return mark == '-' ? "\x1b[31m" : mark == '+' ? "\x1b[32m" : "";
}

// The text of a line as it can be seen: of a changed one also the blanks at its end.
std::string shown_text(std::string_view line, bool is_changed) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  const std::size_t end = line.find_last_not_of(' ') + 1;
  std::string text = visible_line(line.substr(0, end));
  for (std::size_t at = end; at < line.size(); ++at) text += is_changed ? "␣" : " ";
  return text;
}

std::string shown_line(const Edit& edit, std::string_view line, const DifferenceStyle& style) {
  const std::string text = shown_text(line, edit.mark != ' ');
  const std::size_t room =
      style.columns == 0 ? std::string::npos : std::max(style.columns, 3 * kGutter) - kGutter;
  const std::string_view colour = style.colour ? colour_of_mark(edit.mark) : "";
  const std::string_view plain = colour.empty() ? "" : "\x1b[0m";
  std::string shown;
  std::string gutter = fmt::format("{:>5} {} ", edit.line + style.first_line, edit.mark);
  std::string_view rest = text;
  do {
    const std::string_view piece = first_columns(rest, room);
    std::string row = gutter + std::string(piece);
    row.erase(row.find_last_not_of(' ') + 1);
    shown += fmt::format("{}{}{}\n", colour, row, plain);
    rest.remove_prefix(piece.size());
    gutter.assign(kGutter, ' ');
  } while (!rest.empty());
  if (!line.ends_with('\n') && edit.mark != ' ') shown += gutter + "(no line end)\n";
  return shown;
}

// A line of --verify, cut around the exponent of its drift: "within fp32 rounding; drift 2^", -20,
// and what is left.
struct DriftLine {
  std::string_view before;
  int exponent = 0;
  std::string_view after;
};

// Of a line without a drift all is `before`.
DriftLine cut_at_drift(std::string_view line) {
  constexpr std::string_view kDrift = "drift 2^";
  const std::size_t begin = line.find(kDrift);
  if (begin == std::string_view::npos) return {.before = line};
  DriftLine cut{.before = line.substr(0, begin + kDrift.size())};
  line.remove_prefix(cut.before.size());
  const char* end = std::from_chars(line.data(), line.data() + line.size(), cut.exponent).ptr;
  cut.after = line.substr(static_cast<std::size_t>(end - line.data()));
  return cut;
}

bool equal_but_for_last_bits(std::string_view expected, std::string_view actual) {
  const DriftLine one = cut_at_drift(expected);
  const DriftLine other = cut_at_drift(actual);
  return one.before == other.before && one.after == other.after &&
         std::abs(one.exponent - other.exponent) <= 1;
}

}  // namespace

std::string with_drifts_of(std::string_view expected, std::string_view actual) {
  const Lines old_lines = lines_of(expected);
  const Lines new_lines = lines_of(actual);
  if (old_lines.size() != new_lines.size()) return std::string(actual);
  std::string text;
  for (std::size_t at = 0; at < new_lines.size(); ++at)
    text += equal_but_for_last_bits(old_lines[at], new_lines[at]) ? old_lines[at] : new_lines[at];
  return text;
}

std::string difference(std::string_view expected, std::string_view actual,
                       const DifferenceStyle& style) {
  if (expected == actual) return "";
  const Lines old_lines = lines_of(expected);
  const Lines new_lines = lines_of(actual);
  const std::vector<Edit> edits = edits_between(old_lines, new_lines);
  const std::vector<bool> shown = shown_edits(edits);
  std::string text;
  std::size_t lines = 0;
  std::size_t left = 0;
  for (std::size_t at = 0; at < edits.size(); ++at) {
    if (!shown[at]) continue;
    if (lines == style.most_lines) {
      left += edits[at].mark == ' ' ? 0 : 1;
      continue;
    }
    if (lines > 0 && !shown[at - 1]) text += "    ⋮\n";
    const Edit& edit = edits[at];
    text += shown_line(edit, edit.mark == '+' ? new_lines[edit.line] : old_lines[edit.line], style);
    ++lines;
  }
  if (left > 0) text += fmt::format("    ⋮ {} more lines differ\n", left);
  return text;
}

}  // namespace shard::test
