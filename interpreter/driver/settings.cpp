#include "interpreter/driver/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/format.h"
#include "base/plan_rule.h"
#include "base/rational.h"
#include "base/unit.h"
#include "base/words.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/driver/size_options.h"

namespace shard {

namespace {

std::string on_or_off(bool value) { return value ? "on" : "off"; }

std::optional<double> positive(const std::string& text) {
  const auto number = Rational::parse(text);
  if (!number || number->is_overflow() || !(*number > Rational(0))) return std::nullopt;
  return number->to_double();
}

// A whole number up to `most`; 0 for "auto".
std::optional<int> count_of(const std::string& text, int most) {
  if (text == "auto") return 0;
  const auto number = positive(text);
  if (!number || *number > most || *number != static_cast<int>(*number)) return std::nullopt;
  return static_cast<int>(*number);
}

// More columns than terminals have, and more threads than hosts have cores.
constexpr int kMostOfSetting = 1024;

// What stands for the words in capitals.
std::string word_text(std::string_view name, const std::string& word) {
  if (word == "SIZE") return "a size, such as `4 GB` or `512 MiB`";
  if (word == "PART") return "a part, such as `1/64`";
  if (word == "LENGTHS") return "lengths, such as `B=1Ki,D=128`";
  if (word != "N") return word;
  return name == "flops" ? "a number, such as `5e9`"
                         : fmt::format("a number from 1 to {}", kMostOfSetting);
}

std::string not_a_value(std::string_view name, const std::string& value) {
  std::vector<std::string> words = split_words(find_setting(name)->values);
  for (std::string& word : words) word = word_text(name, word);
  return fmt::format("`{}` is no value of {}: it takes {}", value, name, join_words(words, "or"));
}

// "4G", "512Mi": what a shell's tools call so.
std::optional<Unit> unit_of_bytes(std::string_view text, Rational& factor) {
  const auto unit = parse_unit(text);
  const auto bytes = unit ? unit : parse_unit(std::string(text) + "B");
  if (!bytes) return std::nullopt;
  factor = bytes->factor;
  return bytes->unit;
}

}  // namespace

std::optional<double> parse_memory(const std::string& text) {
  const auto split = text.find_first_not_of("0123456789.eE+");
  auto number = Rational::parse(text.substr(0, split));
  if (!number) return std::nullopt;
  if (split != std::string::npos) {
    const auto begin = text.find_first_not_of(' ', split);
    if (begin == std::string::npos) return std::nullopt;
    Rational factor = 1;
    const auto unit = unit_of_bytes(text.substr(begin), factor);
    if (!unit || *unit != kBytes) return std::nullopt;
    number = *number * factor;
  }
  if (number->is_overflow() || !(*number > Rational(0))) return std::nullopt;
  return number->to_double();
}

std::string value_of_setting(std::string_view name, const SessionOptions& options,
                             const Look& look) {
  const ExecutionOptions& execution = options.execution;
  if (name == "model") return options.model == CostModel::Links ? "links" : "book";
  if (name == "plan") return std::string(name_of(options.plan));
  if (name == "estimate") return on_or_off(execution.estimate);
  if (name == "verify") return on_or_off(execution.verify);
  if (name == "hops") return on_or_off(execution.hops);
  if (name == "hints") return on_or_off(look.hints);
  if (name == "inputs") return execution.inputs == InputValues::Normal ? "normal" : "integers";
  if (name == "threads") return execution.threads == 0 ? "auto" : std::to_string(execution.threads);
  if (name == "scale")
    return execution.cut.scale == Rational(1) ? "off" : execution.cut.scale.to_string();
  if (name == "sizes")
    return execution.cut.lengths.empty() ? "off" : sizes_text(execution.cut.lengths);
  if (name == "memory") return format_bytes(execution.memory);
  if (name == "flops") return fmt::format("{:g}", execution.max_flops);
  return look.width ? std::to_string(*look.width) : "auto";
}

std::string change_setting(std::string_view name, const std::string& value, SessionOptions& options,
                           Look& look) {
  ExecutionOptions& execution = options.execution;
  const Setting* setting = find_setting(name);
  const std::vector<std::string> values = split_words(setting->values);
  const bool is_word = contains(values, value);
  const bool on = value == "on";
  // Those that take one of a few words.
  const bool is_choice = std::none_of(values.begin(), values.end(), [](const std::string& word) {
    return word == "N" || word == "SIZE" || word == "PART" || word == "LENGTHS";
  });
  if (is_choice && !is_word) return not_a_value(name, value);
  if (name == "model") options.model = value == "links" ? CostModel::Links : CostModel::Book;
  if (name == "plan") options.plan = *plan_rule_named(value);
  if (name == "estimate") execution.estimate = on;
  if (name == "verify") execution.verify = on;
  if (name == "hops") execution.hops = on;
  if (name == "hints") look.hints = on;
  if (name == "inputs")
    execution.inputs = value == "normal" ? InputValues::Normal : InputValues::Integers;
  if (is_choice) return "";
  if (name == "scale") {
    const auto scale = value == "off" ? Result<Rational>(Rational(1)) : parse_scale(value);
    if (!scale) return not_a_value(name, value);
    execution.cut.scale = *scale;
    return "";
  }
  if (name == "sizes") {
    const auto lengths =
        value == "off" ? Result<std::vector<SizeCut::Length>>({}) : parse_sizes(value);
    if (!lengths) return not_a_value(name, value) + ": " + lengths.error().message;
    execution.cut.lengths = *lengths;
    return "";
  }
  if (name == "memory" || name == "flops") {
    const auto number = name == "memory" ? parse_memory(value) : positive(value);
    if (!number) return not_a_value(name, value);
    // Nothing is executed in so little: a unit was forgotten.
    constexpr double kLeast = 1e3;
    if (name == "memory" && *number < kLeast)
      return fmt::format("{0} is {0} bytes, in which nothing is executed; write `{0} GB`", value);
    (name == "memory" ? execution.memory : execution.max_flops) = *number;
    return "";
  }
  const auto number = count_of(value, kMostOfSetting);
  if (!number) return not_a_value(name, value);
  if (name == "threads") execution.threads = *number;
  if (name == "width") {
    look.width.reset();
    if (*number > 0) look.width = static_cast<std::size_t>(*number);
  }
  return "";
}

}  // namespace shard
