#include "interpreter/driver/habit.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/words.h"

namespace shard {

namespace {

constexpr Habit kHabits[] = {
#define SHARD_SPELLING(typed, becomes) {Habit::Kind::Spelling, typed, becomes},
#define SHARD_HABIT(typed, becomes) {Habit::Kind::Served, typed, becomes},
#define SHARD_ANSWER(typed, answer) {Habit::Kind::Answered, typed, answer},
#include "interpreter/driver/habits.def"
};

constexpr std::string_view kPlaces = "@*#";

bool is_of_name(char c) {
  return is_name_character(c) || c == '\'' || c == '.' || c == ':' || c == '%' ||
         static_cast<signed char>(c) < 0;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// What stands at the places of the pattern; nullopt if the line does not fit. A `@` at the very begin of a pattern that is
// followed by a letter is the sign itself.
std::optional<std::vector<std::string>> places_of(std::string_view pattern, std::string_view line) {
  std::vector<std::string> places;
  while (!pattern.empty()) {
    const char c = pattern.front();
    const bool is_sign = c == '@' && pattern.size() > 1 && is_letter(pattern[1]);
    if (kPlaces.find(c) == std::string_view::npos || is_sign) {
      if (line.empty() || line.front() != c) return std::nullopt;
      pattern.remove_prefix(1);
      line.remove_prefix(1);
      continue;
    }
    pattern.remove_prefix(1);
    std::size_t length = 0;
    if (c == '@') {
      while (length < line.size() && is_of_name(line[length])) ++length;
      // `A.shape`: the name ends where the rest of the pattern stands.
      if (!pattern.empty() && line.size() > pattern.size() && line.ends_with(pattern))
        length = std::min(length, line.size() - pattern.size());
    } else if (c == '#') {
      while (length < line.size() && is_digit(line[length])) ++length;
    } else {
      if (!line.ends_with(pattern) || line.size() < pattern.size()) return std::nullopt;
      length = line.size() - pattern.size();
    }
    if (length == 0) return std::nullopt;
    places.emplace_back(trimmed(line.substr(0, length)));
    if (places.back().empty()) return std::nullopt;
    line.remove_prefix(length);
  }
  return line.empty() ? std::optional(places) : std::nullopt;
}

std::string filled(std::string_view text, const std::vector<std::string>& places) {
  std::string result;
  std::size_t next = 0;
  for (const char c : text) {
    if (kPlaces.find(c) != std::string_view::npos && next < places.size())
      result += places[next++];
    else
      result += c;
  }
  return result;
}

}  // namespace

std::span<const Habit> habits() { return kHabits; }

std::optional<FoundHabit> find_habit(std::string_view line,
                                     const std::function<bool(std::string_view name)>& is_known) {
  line = trimmed(line);
  // `;` at the end of a line is a habit of its own.
  while (!line.empty() && line.back() == ';') line = trimmed(line.substr(0, line.size() - 1));
  if (line.empty() || line.find('\n') != std::string_view::npos) return std::nullopt;
  const auto first = std::find_if_not(line.begin(), line.end(), is_name_character);
  const std::string_view word = line.substr(0, static_cast<std::size_t>(first - line.begin()));
  const bool asks = line.back() == '?';
  // `ls = 3`, `q[I]` are the session's own.
  const auto next = line.find_first_not_of(' ', word.size());
  const bool is_own = !word.empty() && next != std::string_view::npos &&
                      std::string_view("=,[").find(line[next]) != std::string_view::npos;
  if (!asks && !word.empty() && is_known(word) && (first == line.end() || *first != '.'))
    return std::nullopt;
  for (const Habit& habit : kHabits) {
    // But `Out[1]` is not, nor anything else that is written out in the table.
    if (is_own && !habit.typed.starts_with(line.substr(0, next + 1))) continue;
    const auto places = places_of(habit.typed, line);
    if (!places) continue;
    return FoundHabit{habit.kind, habit.kind == Habit::Kind::Answered
                                      ? std::string(habit.becomes)
                                      : filled(habit.becomes, *places)};
  }
  return std::nullopt;
}

}  // namespace shard
