#include "interpreter/driver/saved_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/contains.h"
#include "base/plan_rule.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/driver/size_options.h"
#include "interpreter/statements/print.h"

namespace shard {

namespace {

using Renamings = std::map<std::string, std::string>;

// Whether the name stands there by itself, and not as a figure: `c.time`, but `0..time`.
bool is_name_at(std::string_view text, std::size_t at, std::string_view name) {
  const std::size_t end = at + name.size();
  if (!text.substr(at).starts_with(name)) return false;
  if (end < text.size() && (is_name_character(text[end]) || text[end] == '\'')) return false;
  if (at == 0) return true;
  const bool is_figure = text[at - 1] == '.' && (at < 2 || text[at - 2] != '.');
  return !is_name_character(text[at - 1]) && !is_figure;
}

// Outside of texts and comments; the names that were found are added to `used`.
std::string renamed(std::string_view text, const Renamings& names, std::set<std::string>& used) {
  std::string result;
  bool in_text = false;
  bool in_comment = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\n') in_text = in_comment = false;
    if (text[i] == '"' && !in_comment) in_text = !in_text;
    if (text[i] == '#' && !in_text) in_comment = true;
    const auto found = in_text || in_comment
                           ? names.end()
                           : std::find_if(names.begin(), names.end(), [&](const auto& entry) {
                               return is_name_at(text, i, entry.first);
                             });
    if (found == names.end()) {
      result += text[i++];
      continue;
    }
    used.insert(found->second);
    result += found->second;
    i += found->first.size();
  }
  return result;
}

// The size as a number: what it was computed from may have changed.
std::optional<std::string> number_of(const std::string& name, const Scope& scope) {
  const BindingInfo* binding = scope.find_binding(name);
  const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
  if (quantity == nullptr || !quantity->unit.is_plain()) return std::nullopt;
  const auto value = quantity->value.constant();
  const auto whole = value ? value->to_int64() : std::nullopt;
  return whole ? std::optional(std::to_string(*whole)) : std::nullopt;
}

// The expression that a statement shows, or shows last.
const ast::Expr* shown_by(const ast::Statement& statement) {
  if (const auto* evaluated = std::get_if<ast::Evaluate>(&statement.node)) return &evaluated->value;
  const auto* printed = std::get_if<ast::Print>(&statement.node);
  return printed == nullptr || printed->values.empty() ? nullptr : &printed->values.back();
}

// What is done about names that the session gave anew.
enum class Anew { Renames, HasTheLast };

class Writer {
 public:
  Writer(const std::vector<TypedInput>& inputs, const Scope& scope)
      : inputs_(inputs), scope_(scope) {
    Names names;
    DiagnosticSink ignored;
    for (const TypedInput& input : inputs) {
      modules_.push_back(parse(sources_, sources_.add(input.name, input.text), names, ignored));
      all_ += input.text + "\n";
      for (const ast::Statement& statement : modules_.back().statements) note(statement);
    }
  }

  bool gives_anew() const {
    return std::any_of(given_.begin(), given_.end(),
                       [](const auto& entry) { return entry.second.size() > 1; });
  }

  std::string script(Anew anew) {
    anew_ = anew;
    now_.clear();
    used_.clear();
    lasts_.clear();
    count_.clear();
    chunks_.clear();
    for (std::size_t i = 0; i < inputs_.size(); ++i) add_input(i);
    std::string text;
    for (const Chunk& chunk : chunks_) {
      if (chunk.name.empty() || used_.count(chunk.name) != 0) text += chunk.text;
    }
    return text;
  }

 private:
  // With a name only wanted if that is used.
  struct Chunk {
    std::string text;
    std::string name = "";
  };

  std::string text_of(Span span) const { return std::string(sources_.text(span)); }

  void note(const ast::Statement& statement) {
    if (const auto* bindings = std::get_if<ast::Bindings>(&statement.node)) {
      for (const ast::Binding& binding : bindings->items)
        given_[binding.name.text].push_back(text_of(binding.value->at.span));
    } else if (const auto* function = std::get_if<ast::Function>(&statement.node)) {
      given_[function->name.text].push_back(text_of(statement.at.span));
    }
  }

  bool is_size(const std::string& name) const {
    return scope_.names.find_dimension(name).has_value();
  }

  // What the script has in place of what was given, from the beginning; nullopt where that stands as it was.
  std::optional<std::string> replaced(const std::string& name) const {
    const auto& texts = given_.at(name);
    const bool differ = std::any_of(texts.begin(), texts.end(),
                                    [&](const std::string& text) { return text != texts.front(); });
    if (!differ || (anew_ == Anew::Renames && !is_size(name))) return std::nullopt;
    const auto number = number_of(name, scope_);
    return number ? number : texts.back();
  }

  std::string free_name(const std::string& stem, std::size_t number) const {
    std::set<std::string> found;
    std::string name = stem + std::to_string(number);
    while (renamed(all_, {{name, name}}, found) == all_ && found.count(name) != 0)
      name = stem + std::to_string(++number);
    return name;
  }

  // The name of what is given there: the last one has that which the session calls it.
  std::string next_name(const std::string& name) {
    const std::size_t count = ++count_[name];
    if (anew_ == Anew::HasTheLast || is_size(name) || count == given_.at(name).size()) return name;
    return free_name(name, count);
  }

  void give(const std::string& name, const std::string& called) {
    now_.erase(name);
    if (called != name) now_[name] = called;
  }

  std::string now(std::string_view text) { return renamed(text, now_, used_); }

  std::string statement_text(const ast::Statement& statement, const std::string& text) {
    const Span at = statement.at.span;
    const auto part = [&](std::size_t begin, std::size_t end) {
      return std::string_view(text).substr(begin, end - begin);
    };
    if (const auto* function = std::get_if<ast::Function>(&statement.node)) {
      const std::string& name = function->name.text;
      // It may call itself.
      give(name, next_name(name));
      return now(replaced(name).value_or(std::string(part(at.begin, at.end))));
    }
    const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
    if (bindings == nullptr) return now(part(at.begin, at.end));
    std::string result;
    std::size_t begin = at.begin;
    for (const ast::Binding& binding : bindings->items) {
      const Span name = binding.name.at.span;
      const Span value = binding.value->at.span;
      const std::string called = next_name(binding.name.text);
      result += std::string(part(begin, name.begin)) + called;
      result += std::string(part(name.end, value.begin));
      result += replaced(binding.name.text).value_or(now(part(value.begin, value.end)));
      give(binding.name.text, called);
      begin = value.end;
    }
    return result + now(part(begin, at.end));
  }

  // The expression that the statement gives `_`; empty if it gives none.
  static std::string given_by_statement(const ast::Statement& statement, const TypedInput& input) {
    const ast::Expr* shown = shown_by(statement);
    const std::string text = shown == nullptr ? "" : one_line(print(*shown, Spelling::Unicode));
    return contains(input.given, text) ? text : "";
  }

  // Binds what `_` is from here on.
  void add_last(std::size_t i, const std::string& value, const std::string& separator) {
    std::size_t number = i + 1;
    std::string name = free_name(kLastValue, number);
    while (!lasts_.insert(name).second) name = free_name(kLastValue, ++number);
    chunks_.push_back({separator + name + " = " + now(value), name});
    now_[kLastValue] = name;
  }

  bool has_failed(const ast::Statement& statement, const TypedInput& input) const {
    const auto* expect = std::get_if<ast::Expect>(&statement.node);
    return expect != nullptr &&
           contains(input.failed, one_line(print(expect->condition, Spelling::Unicode)));
  }

  void add_input(std::size_t i) {
    const TypedInput& input = inputs_[i];
    const std::string text = input.text.substr(0, input.text.find_last_not_of(" \t\r\n") + 1);
    const auto& statements = modules_[i].statements;
    std::string last;  // that a statement of the outermost level gave
    std::size_t begin = 0;
    for (std::size_t k = 0; k < statements.size(); ++k) {
      const Span at = statements[k].at.span;
      chunks_.push_back({text.substr(begin, at.begin - begin)});
      begin = at.end;
      if (has_failed(statements[k], input)) {
        // What follows on the line is no part of the comment.
        const bool is_last = text.find_first_not_of(" \t", begin) >= text.size() ||
                             text[text.find_first_not_of(" \t", begin)] != ';';
        chunks_.push_back({"# failed: " + one_line(now(text_of(at))) + (is_last ? "" : "\n")});
        if (!is_last) begin = text.find(';', begin) + 1;
        continue;
      }
      chunks_.push_back({statement_text(statements[k], text)});
      const std::string given = given_by_statement(statements[k], input);
      if (given.empty()) continue;
      last = given;
      add_last(i, given, begin >= text.size() ? "\n" : "; ");
    }
    chunks_.push_back({text.substr(std::min(begin, text.size()))});
    if (input.last_value != last) add_last(i, input.last_value, "\n");
    chunks_.push_back({"\n"});
  }

  const std::vector<TypedInput>& inputs_;
  const Scope& scope_;
  SourceMap sources_;
  std::vector<ast::Module> modules_;
  std::string all_;                                        // of the texts
  std::map<std::string, std::vector<std::string>> given_;  // by name, in order
  Anew anew_ = Anew::Renames;
  Renamings now_;
  std::set<std::string> used_;
  std::set<std::string> lasts_;  // names of what `_` was
  std::map<std::string, std::size_t> count_;
  std::vector<Chunk> chunks_;
};

std::string value_of_binding(const Scope& scope, const std::string& name) {
  const BindingInfo* binding = scope.find_binding(name);
  if (binding == nullptr) return "";
  if (std::holds_alternative<Supposition>(binding->value)) return "";
  return to_text(binding->value);
}

// What the script does otherwise than the session; empty if nothing.
std::string difference_of(const std::string& script, const std::vector<TypedInput>& inputs,
                          const Session& session, const SessionOptions& options) {
  SessionOptions checking;
  checking.check_only = true;
  checking.model = options.model;
  checking.plan = options.plan;
  checking.plan_time = options.plan_time;
  checking.faults = options.faults;
  Session check(std::move(checking));
  const Outcome outcome = check.run("script", script);
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (info(diagnostic.kind).severity != Severity::Error) continue;
    // The command writes a line of its own in front.
    const auto line =
        check.sources().position(diagnostic.span.file, diagnostic.span.begin).line + 1;
    return fmt::format("it does not run as it stands: line {}, {}", line, diagnostic.message);
  }
  std::vector<std::string> printed = printed_values(outcome);
  std::size_t at = 0;
  for (const TypedInput& input : inputs) {
    for (const std::string& value : input.printed) {
      const std::string there = at < printed.size() ? printed[at] : "nothing";
      ++at;
      if (there != value)
        return fmt::format("{} printed {} and there it is {}", input.name, value, there);
    }
  }
  for (const auto& entry : session.state().scope.names.bindings) {
    const std::string& name = entry.second.name;
    const std::string here = value_of_binding(session.state().scope, name);
    const std::string there = value_of_binding(check.state().scope, name);
    if (name != kLastValue && here != there)
      return fmt::format("{} is {} and there it is {}", name, here,
                         there.empty() ? "nothing" : there);
  }
  return "";
}

}  // namespace

SavedScript saved_script(const std::vector<TypedInput>& inputs, const Session& session,
                         const SessionOptions& options) {
  Writer writer(inputs, session.state().scope);
  SavedScript saved{.text = writer.script(Anew::Renames), .remark = ""};
  saved.remark = difference_of(saved.text, inputs, session, options);
  if (saved.remark.empty() || !writer.gives_anew()) return saved;
  // A function that calls another finds that which was given last, also if it was given before it.
  SavedScript other{.text = writer.script(Anew::HasTheLast), .remark = ""};
  other.remark = difference_of(other.text, inputs, session, options);
  return other.remark.empty() || saved.remark.starts_with("it does not run") ? other : saved;
}

std::string options_of_run(const SessionOptions& options) {
  const ExecutionOptions& execution = options.execution;
  std::string text;
  if (options.model == CostModel::Links) text += " --model links";
  if (options.plan != PlanRule::Cases) text += fmt::format(" --plan {}", name_of(options.plan));
  if (options.plan_time != 1) text += fmt::format(" --plan-time {:g}", options.plan_time);
  if (execution.estimate) text += " --estimate";
  if (execution.hops) text += " --hops";
  if (execution.inputs == InputValues::Normal) text += " --inputs normal";
  if (execution.threads > 0) text += fmt::format(" --threads {}", execution.threads);
  if (execution.cut.scale != Rational(1)) text += " --scale " + execution.cut.scale.to_string();
  for (const SizeCut::Length& length : execution.cut.lengths) text += " --set " + to_text(length);
  return text + lasting_options(options);
}

std::string lasting_options(const SessionOptions& options) {
  std::string text = options.execution.per_device ? " --per-device" : "";
  for (const std::string& fault : options.faults) {
    const auto blank = std::min(fault.find(' '), fault.size() - 1);
    text += fmt::format(" --{} \"{}\"", fault.substr(0, blank), fault.substr(blank + 1));
  }
  return text;
}

}  // namespace shard
