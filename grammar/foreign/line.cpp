// Lines of Python: assignments, prints, expressions of functions; which kind each is.
#include "grammar/foreign/line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/foreign/line_reader.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using Use = ForeignOperand::Use;

// `fp32[B_X, D]`, with a slip perhaps: the type of a declaration, which has nothing foreign.
bool is_own_type(const ForeignTree& annotation) {
  if (annotation.kind != TreeKind::Index || annotation.parts.front().kind != TreeKind::Name)
    return false;
  const std::string& word = annotation.parts.front().text;
  return word.front() >= 'a' && word.front() <= 'z' &&
         std::any_of(word.begin(), word.end(), is_digit);
}

}  // namespace

std::optional<ForeignLine> ForeignLineReader::read(const ForeignStatement& statement) {
  auto line = write(statement);
  if (line) *line = writer_.before() + *line;
  const auto piece = found_ ? found_ : writer_.piece();
  if (!piece) return std::nullopt;
  read_.mistake.begin = piece->begin;
  read_.mistake.end = piece->end;
  read_.mistake.message = piece->message;
  if (read_.needless) read_.mistake.message += kLeaveOut;
  if (line) read_.line = *std::move(line);
  if (read_.line.empty() && !piece->example.empty()) read_.mistake.help = {piece->example};
  read_.invented = writer_.invented();
  return std::move(read_);
}

std::optional<std::string> ForeignLineReader::write(const ForeignStatement& statement) {
  const ForeignTree& first = statement.values.empty() ? ForeignTree{} : statement.values.front();
  if (statement.word == "print") return write_print(statement.values, true);
  if (statement.word == "return") return write_return(statement);
  const bool call = statement.targets.empty() && first.kind == TreeKind::Call;
  if (call && first.parts.front().is_name("print"))
    return write_print({first.parts.begin() + 1, first.parts.end()}, false);
  if (call && path_of(first.parts.front()).ends_with("save")) return write_save(first);
  if (call) {
    if (auto order = write_order(first)) return order;
  }
  if (auto masked = write_masked(statement)) return masked;
  if (statement.sign.size() > 1 && statement.sign != ":=") return write_change(statement);
  if (statement.targets.size() > 1) {
    if (auto pairs = write_pairs(statement)) return pairs;
  }
  if (statement.targets.size() > 1 || statement.values.size() != 1) {
    for (const ForeignTree& value : statement.values) writer_.write(value);
    return std::nullopt;
  }
  const bool written = first.kind == TreeKind::Call || first.kind == TreeKind::Tuple;
  if (const auto layout = written ? writer_.layout_of(first) : std::nullopt)
    return write_layout(statement, *layout);
  const bool list = first.kind == TreeKind::Tuple && statement.targets.size() == 1;
  if (list) return write_list(statement.targets.front(), first);
  if (call && path_of(first.parts.front()).ends_with(".append")) return write_append(first);
  if (statement.annotation && statement.targets.empty())
    return write_annotation(first, *statement.annotation);
  const ForeignFunction* maker =
      first.kind == TreeKind::Call ? function_called(first.parts.front()) : nullptr;
  if (maker != nullptr && maker->form == ForeignForm::Mesh) return write_mesh(first, *maker);
  if (statement.targets.size() == 1) tell_target(statement.targets.front());
  const auto value = writer_.write(first);
  if (!value) return std::nullopt;
  if (auto declared = write_declared(statement, *value)) return declared;
  if (statement.annotation && is_own_type(*statement.annotation) && !writer_.piece())
    return std::nullopt;
  if (statement.annotation && !statement.targets.empty() && !writer_.piece())
    find(*statement.annotation,
         value->is_array ? "an array that is made has its dimensions in brackets, and no type"
                         : "a name of a number has no type: it is a number");
  if (statement.targets.empty()) return write_alone(*value);
  const ForeignTree& target = statement.targets.front();
  if (statement.sign == ":=") find(target, "a name gets its value by `=`");
  if (const auto own = writer_.bracketed_array(target)) return write_own_target(*own, *value);
  if (target.kind != TreeKind::Name) return std::nullopt;
  return write_assignment(target.text, *value);
}

const ForeignFunction* ForeignLineReader::function_called(const ForeignTree& callee) {
  const std::string path = path_of(callee);
  return foreign_function(std::string_view(path).substr(path.rfind('.') + 1));
}

// What the target says of the dimensions of the value.
void ForeignLineReader::tell_target(const ForeignTree& target) {
  if (const auto own = writer_.bracketed_array(target)) return writer_.tell_target(own->dimensions);
  const auto known = target.kind == TreeKind::Name ? names_.array(target.text) : std::nullopt;
  if (known) writer_.tell_target(known->dimensions);
}

// `init_device_mesh("cuda", (4, 2), mesh_dim_names=("dp", "tp"))`
std::optional<std::string> ForeignLineReader::write_mesh(const ForeignTree& call,
                                                         const ForeignFunction& maker) {
  find(call.parts.front(),
       fmt::format("`{}` is Python: {}", path_of(call.parts.front()), maker.meaning));
  std::vector<std::string> sizes;
  std::vector<std::string> axes;
  for (auto part = call.parts.begin() + 1; part != call.parts.end(); ++part) {
    const ForeignTree& value = part->kind == TreeKind::Keyword ? part->parts.front() : *part;
    if (value.kind != TreeKind::Tuple || value.parts.empty()) continue;
    if (value.parts.front().kind == TreeKind::Text) {
      for (const ForeignTree& name : value.parts) axes.push_back(name.text);
      continue;
    }
    if (!sizes.empty()) continue;
    const bool rows = value.parts.front().kind == TreeKind::Tuple;
    if (!rows) {
      for (const ForeignTree& size : value.parts) sizes.push_back(size.text);
    }
    // The devices themselves, row by row.
    for (const ForeignTree* row = &value; rows && row->kind == TreeKind::Tuple;
         row = &row->parts.front()) {
      sizes.push_back(fmt::format("{}", row->parts.size()));
      if (row->parts.empty()) break;
    }
  }
  if (sizes.empty()) return "mesh {X: 4, Y: 2}";
  return mesh_line(sizes, axes);
}

std::optional<std::string> ForeignLineReader::write_return(const ForeignStatement& statement) {
  if (statement.values.empty()) return "return";
  if (statement.values.size() > 1) return std::nullopt;
  const auto value = writer_.write(statement.values.front());
  // The layout of a result is said by the line that calls.
  if (value && !value->flow_of.empty() && is_relayout(*value)) return "return " + value->flow_of;
  if (!value || value->use == Use::Alone) return std::nullopt;
  return "return " + operand_text(*value, value->rank);
}

// `x += 2`
std::optional<std::string> ForeignLineReader::write_change(const ForeignStatement& statement) {
  const ForeignTree& target = statement.targets.front();
  const std::string operation = statement.sign.substr(0, statement.sign.size() - 1);
  const bool array = names_.is_array(target.text);
  ForeignTree sum{.kind = TreeKind::Binary, .text = operation};
  if (target.kind != TreeKind::Name || statement.values.size() != 1) return std::nullopt;
  sum.parts = {target, statement.values.front()};
  const auto value = writer_.write(sum);
  ForeignTree sign = target;
  sign.begin = target.end;
  sign.end = statement.values.front().begin;
  find(sign, array ? fmt::format("there is no `{}`: the new value is written out", statement.sign)
                   : fmt::format("there is no `{}`: the new value has a name of its own, `{}`{}",
                                 statement.sign, free_name(target.text),
                                 value ? fmt::format("; a session takes `{} = {}`, too",
                                                     target.text, value->text)
                                       : ""));
  if (!value) return std::nullopt;
  if (array) return write_assignment(target.text, *value);
  return fmt::format("{} = {}", free_name(target.text), value->text);
}

std::optional<std::string> ForeignLineReader::write_save(const ForeignTree& call) {
  const std::string path = path_of(call.parts.front());
  const auto name = std::find_if(call.parts.begin() + 1, call.parts.end(),
                                 [](const auto& part) { return part.kind == TreeKind::Name; });
  const auto file = std::find_if(call.parts.begin() + 1, call.parts.end(),
                                 [](const auto& part) { return part.kind == TreeKind::Text; });
  find(call.parts.front(), fmt::format("`{}` is Python: `save` is a statement", path));
  if (name == call.parts.end() || file == call.parts.end()) return std::nullopt;
  return fmt::format("save {} \"{}\"", name->text, file->text);
}

// `loss.backward()`, `jax.debug.visualize_array_sharding(A)`: a statement of an array, which has its layout.
std::optional<std::string> ForeignLineReader::write_order(const ForeignTree& call) {
  const ForeignTree& callee = call.parts.front();
  if (callee.kind != TreeKind::Attribute) return std::nullopt;
  const bool shows = callee.text == "visualize_array_sharding" && call.parts.size() == 2;
  const bool derives = callee.text == "backward" && call.parts.size() == 1;
  if (!shows && !derives) return std::nullopt;
  const ForeignTree& array = shows ? call.parts[1] : callee.parts.front();
  const ForeignFunction* known =
      shows ? foreign_function(callee.text) : foreign_method(callee.text);
  if (array.kind != TreeKind::Name || !names_.is_array(array.text) || known == nullptr)
    return std::nullopt;
  ForeignTree word = callee;
  if (derives) word.begin = array.end;
  find(word, shows ? fmt::format("`{}` is JAX: {}", path_of(callee), known->meaning)
                   : fmt::format("`.{}` is Python: {}", callee.text, known->meaning));
  return fmt::format("{} {}", shows ? "show" : "backward", array.text);
}

bool MoreForeignNames::is_hidden(std::string_view name) const {
  return std::find(hidden_.begin(), hidden_.end(), name) != hidden_.end();
}

bool MoreForeignNames::is_array(std::string_view name) const {
  return arrays_.find(name) != arrays_.end() || (!is_hidden(name) && names_.is_array(name));
}

std::optional<ForeignArray> MoreForeignNames::array(std::string_view name) const {
  const auto own = arrays_.find(name);
  if (own != arrays_.end()) return own->second;
  return is_hidden(name) ? std::nullopt : names_.array(name);
}

bool MoreForeignNames::is_scalar(std::string_view name) const {
  return arrays_.find(name) == arrays_.end() && !is_hidden(name) && names_.is_scalar(name);
}

std::optional<ForeignLine> read_foreign_line(std::string_view text, const ForeignNames& names) {
  const auto statement = read_foreign_statement(text);
  if (!statement) return std::nullopt;
  auto read = ForeignLineReader(names).read(*statement);
  if (!read) return std::nullopt;
  if (!read->needless && !read->line.empty() && is_readable(read->line))
    read->mistake.help = {read->line};
  return read;
}

}  // namespace shard
