#include "interpreter/driver/script_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
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

// `x = 2`. `pad A to 8` is no binding as it is written, though it gives A its value.
bool is_written_out(const ast::Binding& binding) {
  return binding.value->at.span.begin >= binding.name.at.span.end;
}

std::vector<std::string> names_given_by(const ast::Statement& statement) {
  std::vector<std::string> names;
  if (const auto* function = std::get_if<ast::Function>(&statement.node))
    names.push_back(function->name.text);
  const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
  if (bindings == nullptr) return names;
  for (const ast::Binding& binding : bindings->items) {
    if (is_written_out(binding)) names.push_back(binding.name.text);
  }
  return names;
}

bool mentions(const std::string& text, const std::string& name) {
  std::set<std::string> found;
  renamed(text, {{name, name}}, found);
  return !found.empty();
}

// Also with axes: `J_X`.
bool mentions_size(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    const bool ends = end == text.size() || text[end] == '_' || !is_name_character(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

// The expression that the statement gives `_`; empty if it gives none.
std::string given_by_statement(const ast::Statement& statement, const TypedInput& input) {
  const ast::Expr* shown = shown_by(statement);
  const std::string text = shown == nullptr ? "" : one_line(print(*shown, Spelling::Unicode));
  return contains(input.given, text) ? text : "";
}

bool has_failed(const ast::Statement& statement, const TypedInput& input) {
  const auto* expect = std::get_if<ast::Expect>(&statement.node);
  return expect != nullptr &&
         contains(input.failed, one_line(print(expect->condition, Spelling::Unicode)));
}

// Elements that were asked for by naming them, which only a session takes for a question.
bool asks_for_array(const ast::Statement& statement, const TypedInput& input) {
  const auto* evaluated = std::get_if<ast::Evaluate>(&statement.node);
  if (evaluated == nullptr) return false;
  const std::string text = one_line(print(evaluated->value, Spelling::Unicode));
  return std::any_of(input.printed.begin(), input.printed.end(), [&](const PrintedValue& printed) {
    return printed.is_array && printed.what == text;
  });
}

}  // namespace

ScriptWriter::ScriptWriter(const std::vector<TypedInput>& inputs, const Scope& scope)
    : inputs_(inputs), scope_(scope) {
  Names names;
  DiagnosticSink ignored;
  for (const TypedInput& input : inputs) {
    modules_.push_back(parse(sources_, sources_.add(input.name, input.text), names, ignored));
    all_ += input.text + "\n";
    for (const ast::Statement& statement : modules_.back().statements) note(statement);
  }
  note_readers();
  note_late_sizes();
}

// A session takes the size of arrays that are there already; a script has it before them.
void ScriptWriter::note_late_sizes() {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    for (const ast::Statement& statement : modules_[i].statements) {
      for (const std::string& name : names_given_by(statement)) {
        if (!is_size(name) || !seen.insert(name).second) continue;
        const auto number = number_of(name, scope_);
        const auto first =
            std::find_if(inputs_.begin(), inputs_.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const TypedInput& input) { return mentions_size(input.text, name); });
        const auto place = static_cast<std::size_t>(first - inputs_.begin());
        if (number && place < i) late_sizes_[place].push_back(name + " = " + *number);
      }
    }
  }
}

bool ScriptWriter::gives_anew() const {
  return std::any_of(given_.begin(), given_.end(),
                     [](const auto& entry) { return entry.second.size() > 1; });
}

std::string ScriptWriter::script(Anew anew) {
  anew_ = anew;
  now_.clear();
  used_.clear();
  lasts_.clear();
  count_.clear();
  statement_ = 0;
  chunks_.clear();
  for (std::size_t i = 0; i < inputs_.size(); ++i) add_input(i);
  std::string text;
  for (const Chunk& chunk : chunks_) {
    if (chunk.name.empty() || used_.count(chunk.name) != 0) text += chunk.text;
  }
  return text;
}

void ScriptWriter::note(const ast::Statement& statement) {
  if (const auto* bindings = std::get_if<ast::Bindings>(&statement.node)) {
    for (const ast::Binding& binding : bindings->items) {
      if (is_written_out(binding))
        given_[binding.name.text].push_back(text_of(binding.value->at.span));
    }
  } else if (const auto* function = std::get_if<ast::Function>(&statement.node)) {
    given_[function->name.text].push_back(text_of(statement.at.span));
  }
}

void ScriptWriter::note_readers() {
  std::size_t number = 0;
  for (const ast::Module& module : modules_) {
    for (const ast::Statement& statement : module.statements) {
      const auto* function = std::get_if<ast::Function>(&statement.node);
      if (function != nullptr)
        std::erase_if(functions_, [&](const DefinedFunction& earlier) {
          return earlier.name == function->name.text;
        });
      std::set<std::string> anew;
      for (const std::string& name : names_given_by(statement)) {
        ++versions_[name];
        if (given_.at(name).size() > 1 && !is_size(name)) anew.insert(name);
      }
      if (!anew.empty()) readers_[number] = readers_of(std::move(anew));
      if (function != nullptr) functions_.push_back(defined_by(*function, statement));
      ++number;
    }
  }
}

ScriptWriter::DefinedFunction ScriptWriter::defined_by(const ast::Function& function,
                                                       const ast::Statement& statement) const {
  DefinedFunction defined{.name = function.name.text, .text = text_of(statement.at.span)};
  for (const ast::ArrayRef& parameter : function.parameters) {
    if (parameter.name) defined.parameters.insert(parameter.name->text);
  }
  return defined;
}

std::vector<ScriptWriter::DefinedFunction> ScriptWriter::readers_of(std::set<std::string> given) {
  std::vector<DefinedFunction> readers;
  for (bool grows = true; grows;) {
    grows = false;
    for (const DefinedFunction& function : functions_) {
      const bool reads = std::any_of(given.begin(), given.end(), [&](const std::string& name) {
        return function.parameters.count(name) == 0 && mentions(function.text, name);
      });
      if (!reads || !given.insert(function.name).second) continue;
      readers.push_back(function);
      ++versions_[function.name];
      grows = true;
    }
  }
  return readers;
}

bool ScriptWriter::is_size(const std::string& name) const {
  return scope_.names.find_dimension(name).has_value();
}

std::optional<std::string> ScriptWriter::replaced(const std::string& name) const {
  const auto& texts = given_.at(name);
  const bool differ = std::any_of(texts.begin(), texts.end(),
                                  [&](const std::string& text) { return text != texts.front(); });
  if (!differ || (anew_ == Anew::Renames && !is_size(name))) return std::nullopt;
  const auto number = number_of(name, scope_);
  return number ? number : texts.back();
}

std::string ScriptWriter::free_name(const std::string& stem, std::size_t number) const {
  std::string name = stem + std::to_string(number);
  while (mentions(all_, name)) name = stem + std::to_string(++number);
  return name;
}

std::string ScriptWriter::next_name(const std::string& name) {
  const std::size_t count = ++count_[name];
  if (anew_ == Anew::HasTheLast || is_size(name) || count == versions_.at(name)) return name;
  return free_name(name, count);
}

void ScriptWriter::give(const std::string& name, const std::string& called) {
  now_.erase(name);
  if (called != name) now_[name] = called;
}

std::string ScriptWriter::now(std::string_view text) { return renamed(text, now_, used_); }

std::string ScriptWriter::bindings_text(const ast::Bindings& bindings, Span at,
                                        const std::string& text) {
  const auto part = [&](std::size_t begin, std::size_t end) {
    return std::string_view(text).substr(begin, end - begin);
  };
  std::string result;
  std::size_t begin = at.begin;
  for (const ast::Binding& binding : bindings.items) {
    if (!is_written_out(binding)) continue;
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

std::string ScriptWriter::statement_text(const ast::Statement& statement, const TypedInput& input) {
  const Span at = statement.at.span;
  const std::string written = input.text.substr(at.begin, at.end - at.begin);
  if (const auto* function = std::get_if<ast::Function>(&statement.node)) {
    const std::string& name = function->name.text;
    // It may call itself.
    give(name, next_name(name));
    return now(replaced(name).value_or(written));
  }
  if (const auto* bindings = std::get_if<ast::Bindings>(&statement.node))
    return bindings_text(*bindings, at, input.text);
  if (!asks_for_array(statement, input)) return now(written);
  // Behind `print` other spellings are no notation.
  const auto& value = std::get<ast::Evaluate>(statement.node).value;
  return "print " + now(one_line(print(value, Spelling::Unicode)));
}

void ScriptWriter::add_last(std::size_t i, const std::string& value, const std::string& separator) {
  // An array that a line named goes by its name.
  if (scope_.names.find_array(value)) return;
  std::size_t number = i + 1;
  std::string name = free_name(kLastValue, number);
  while (!lasts_.insert(name).second) name = free_name(kLastValue, ++number);
  chunks_.push_back({separator + name + " = " + now(value), name});
  now_[kLastValue] = name;
}

// Names first: one of them may call another.
void ScriptWriter::add_readers(const std::string& separator) {
  const auto readers = readers_.find(statement_);
  ++statement_;
  if (readers == readers_.end() || anew_ == Anew::HasTheLast) return;
  std::vector<std::string> called;
  for (const DefinedFunction& reader : readers->second) {
    called.push_back(next_name(reader.name));
    give(reader.name, called.back());
  }
  for (std::size_t i = 0; i < called.size(); ++i) {
    const DefinedFunction& reader = readers->second[i];
    chunks_.push_back({separator + now(reader.text), called[i] == reader.name ? "" : called[i]});
  }
}

void ScriptWriter::add_input(std::size_t i) {
  const TypedInput& input = inputs_[i];
  const std::string text = input.text.substr(0, input.text.find_last_not_of(" \t\r\n") + 1);
  const auto& statements = modules_[i].statements;
  if (const auto sizes = late_sizes_.find(i); sizes != late_sizes_.end())
    chunks_.push_back({join(sizes->second, ", ") + "\n"});
  std::string last;  // that a statement of the outermost level gave
  std::size_t begin = 0;
  for (const ast::Statement& statement : statements) {
    const Span at = statement.at.span;
    const std::string before = text.substr(begin, at.begin - begin);
    chunks_.push_back({before});
    begin = at.end;
    const std::string separator = begin >= text.size() ? "\n" : "; ";
    if (has_failed(statement, input)) {
      // What follows on the line is no part of the comment.
      const bool is_last = text.find_first_not_of(" \t", begin) >= text.size() ||
                           text[text.find_first_not_of(" \t", begin)] != ';';
      chunks_.push_back({"# failed: " + one_line(now(text_of(at))) + (is_last ? "" : "\n")});
      if (!is_last) begin = text.find(';', begin) + 1;
      ++statement_;
      continue;
    }
    // Behind words that belong to it no other can be written.
    const bool is_remarked = before.find_first_not_of(" \t\r\n;`$") != std::string::npos &&
                             before.find('#') == std::string::npos;
    chunks_.push_back({is_remarked ? now(text_of(at)) : statement_text(statement, input)});
    add_readers(separator);
    const std::string given = given_by_statement(statement, input);
    if (given.empty()) continue;
    last = given;
    add_last(i, given, separator);
  }
  chunks_.push_back({text.substr(std::min(begin, text.size()))});
  if (input.last_value != last) add_last(i, input.last_value, "\n");
  chunks_.push_back({"\n"});
}

}  // namespace shard
