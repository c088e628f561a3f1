// What the language calls by a word.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <utility>

#include "base/collective.h"
#include "base/dtype.h"
#include "base/function.h"
#include "base/line_width.h"
#include "base/words.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/visible.h"
#include "grammar/translate/function.h"
#include "grammar/translate/lacking.h"
#include "grammar/translate/language.h"
#include "grammar/tree/keyword.h"
#include "grammar/tree/operator.h"
#include "interpreter/driver/help.h"
#include "interpreter/driver/listing.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/estimate/figures.h"
#include "runtime/machine/chip_figure.h"
#include "stdlib/library.h"

namespace shard {

namespace {

std::string example_and_meaning(std::string_view example, std::string_view meaning) {
  return fmt::format("{}\n    {}\n", example, meaning);
}

std::string text_of(const DTypeInfo& type) {
  return fmt::format(
      "A: {0}[I, J]\n    elements of {1} bits{2}; {0}(A) takes another array over into it\n",
      type.name, type.bits,
      type.significand > 0 ? fmt::format(", {} of them significant", type.significand) : "");
}

std::string text_of(const ChipFigure& figure) {
  if (figure.form != ChipFigure::Form::Wrap)
    return example_and_meaning("chip." + std::string(figure.name), figure.meaning);
  constexpr std::size_t kWidth = 12;
  std::string text = example_and_meaning("chip Mine = TPUv5p {wrap: pod}", figure.meaning);
  for (const WrapWord& known : wrap_words())
    text += two_columns("    " + std::string(known.word), known.meaning, kWidth);
  return text;
}

// Words and signs within statements that others begin, or that mean what others do.
struct InnerWord {
  std::string_view word;
  std::string_view example;
  std::string_view meaning;
};

constexpr std::array<InnerWord, 3> kInnerWords = {{
    {"place", "mesh {X: 8, Y: 8} place best c.time",
     "of the ways to lay the mesh over the slice, the one where that is least"},
    {"ans", "_ / 2, _ + A", "in a session the last value, a number or an array: `ans` is `_`"},
    {"@", "A[I, J] @ B[J, K], A[I@X, J]",
     "as Python and JAX write them: the product A · B, and the layout A[I_X, J]"},
}};

// `T_comms`, as reports and the book call a figure of a cost block; null if it is none.
const BlockFigure* figure_of_report(std::string_view word) {
  if (!word.starts_with("T_") && !word.starts_with("t_")) return nullptr;
  const auto all = block_figures();
  const auto found = std::find_if(all.begin(), all.end(), [&](const BlockFigure& figure) {
    return figure.name == word.substr(2);
  });
  return found == all.end() ? nullptr : &*found;
}

// What the language calls so; empty if nothing.
std::string called(std::string_view word) {
  std::string text;
  if (const Keyword* keyword = find_keyword(word); keyword != nullptr && is_listed(*keyword))
    text += example_and_meaning(keyword->example, keyword->meaning);
  if (const Operator* sign = find_operator(word))
    text += example_and_meaning(sign->example, sign->meaning);
  for (const InnerWord& inner : kInnerWords) {
    if (inner.word == word) text += example_and_meaning(inner.example, inner.meaning);
  }
  if (const CollectiveInfo* collective = find_collective(word))
    text += example_and_meaning(collective->example, collective->meaning);
  if (const FunctionInfo* function = find_function(word);
      function != nullptr && is_listed(*function))
    text += example_and_meaning(function->example, function->meaning);
  const std::string_view figure = word.substr(word.rfind('.') + 1);
  for (const BlockFigure& known : block_figures()) {
    if (known.name == figure)
      text += example_and_meaning("c." + std::string(figure), known.meaning);
  }
  if (const BlockFigure* known = figure_of_report(figure))
    text += example_and_meaning(fmt::format("c.{0}, called T_{0} in reports", known->name),
                                known->meaning);
  if (const ChipFigure* known = find_chip_figure(figure)) text += text_of(*known);
  const std::string_view bare = word.starts_with(":") ? word.substr(1) : word;
  if (bare == "set") return "`:set SETTING VALUE`, and `:set` for how they are\n" + setting_list();
  if (const SessionCommand* command = find_session_command(bare);
      command != nullptr && (bare != word || command->name == word))
    text += example_and_meaning(
        ":" + std::string(command->name) + " " + std::string(command->arguments), command->meaning);
  if (const Setting* setting = find_setting(word))
    text += example_and_meaning(
        ":set " + std::string(word) + " " + join(split_words(setting->values), " | "),
        setting->meaning);
  if (const auto dtype = parse_dtype(word)) text += text_of(info_of(*dtype));
  return text;
}

// What a function with a subscript is called without it, `cumsum` of `cumsum_T`; empty if it is none.
std::string called_with_subscript(std::string_view word) {
  const std::size_t end = word.find('_');
  const std::string_view bare = word.substr(0, end);
  const bool is_known = end != std::string_view::npos &&
                        (find_function(bare) != nullptr || find_collective(bare) != nullptr);
  return is_known ? called(bare) : "";
}

// Of a function that the language lacks, what there is in its place.
std::string said_of_lacking(std::string_view word) {
  const LackingFunction* lacking = lacking_function(word.substr(0, word.find('_')));
  if (lacking == nullptr) lacking = lacking_function(word);
  if (lacking != nullptr)
    return fmt::format("there is no `{}`: {}\n", lacking->name, said_of(*lacking));
  const ForeignFunction* foreign = foreign_function(word);
  if (foreign == nullptr) return "";
  const std::string_view language = language_of_function(word);
  return fmt::format("{}    `{}` is {}: {}\n",
                     foreign->example.empty() ? "" : fmt::format("{}\n", foreign->example), word,
                     language.empty() ? "Python" : language, foreign->meaning);
}

// Whether a line has the word, not as a part of a longer one; signs anywhere.
bool has_word(std::string_view line, std::string_view word) {
  const bool is_sign = !is_name_character(word.front());
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_name_character(line[at - 1]);
    const bool ends = end == line.size() || !is_name_character(line[end]);
    if (is_sign || (begins && ends)) return true;
  }
  return false;
}

// The lines of topics that have the word; empty if there are none.
std::string lines_with(std::string_view word) {
  // More would be no answer.
  constexpr std::size_t kMost = 8;
  std::string text;
  std::size_t count = 0;
  for (const std::string& topic : help_topics()) {
    if (topic == "errors") continue;
    bool is_first = true;
    std::istringstream page(*help_topic(topic));
    for (std::string line; std::getline(page, line);) {
      if (!has_word(line, word) || ++count > kMost) continue;
      text += (is_first ? fmt::format("in `help {}`:\n", topic) : "") + "    " + line + "\n";
      is_first = false;
    }
  }
  return text;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names = help_topics();
  for (const DiagnosticInfo& kind : diagnostic_catalogue()) names.emplace_back(kind.name);
  return names;
}

std::vector<std::string> all_words() {
  std::vector<std::string> words;
  for (const Keyword& keyword : keywords()) words.emplace_back(keyword.word);
  for (const InnerWord& inner : kInnerWords) words.emplace_back(inner.word);
  for (const CollectiveInfo& collective : collectives()) words.emplace_back(collective.name);
  for (const FunctionInfo& function : functions()) words.emplace_back(function.name);
  for (const BlockFigure& known : block_figures()) words.emplace_back(known.name);
  for (std::string& name : library_names()) words.push_back(std::move(name));
  for (const auto& [name, chip] : known_chips(Scope())) words.push_back(name);
  return words;
}

}  // namespace

std::vector<std::string> words_with_help() {
  std::vector<std::string> words = all_names();
  for (std::string& word : all_words()) words.push_back(std::move(word));
  for (const Setting& setting : settings()) words.emplace_back(setting.name);
  return words;
}

std::optional<std::string> help_on(std::string_view word, bool lines) {
  if (word.empty()) return std::nullopt;
  std::string text = called(word);
  if (const auto topic = help_topic(word)) text += *topic;
  if (const std::string library = library_help(word); !library.empty())
    text += (text.empty() ? "" : "\n") + library;
  if (text.empty() && lines) text = description_of_chip(word, Scope()).value_or("");
  // A letter alone stands in examples by chance.
  const bool is_letter_alone = word.size() == 1 && is_name_character(word.front());
  if (text.empty()) text = called_with_subscript(word);
  if (text.empty()) text = said_of_lacking(word);
  if (text.empty() && lines && !is_letter_alone) text = lines_with(word);
  // `Mesh`, `EXPECT`
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text.empty() && small != word) return help_on(small, lines);
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::string> source_of(std::string_view word) {
  std::string text = library_source(word);
  if (text.empty()) return std::nullopt;
  return text;
}

std::string no_source_of(std::string_view word) {
  auto near = library_module_ending(word);
  if (!near) near = nearest_name(word, library_names());
  std::vector<std::string> modules;
  for (const std::string_view module : library_modules()) modules.emplace_back(module);
  return fmt::format(
      "the library has no `{}`; {}", visible_line(word),
      near ? fmt::format("did you mean `{}`?", *near) : "its modules are " + join_words(modules));
}

std::string no_help_on(std::string_view word) {
  auto near = library_module_ending(word);
  if (!near) near = nearest_name(word, all_names());
  if (!near || *near == word) near = nearest_name(word, all_words());
  return fmt::format(
      "no help on `{}`; {}", visible_line(word),
      near ? fmt::format("did you mean `{}`?", *near) : "topics: " + join(help_topics(), ", "));
}

}  // namespace shard
