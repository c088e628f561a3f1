#include "grammar/foreign_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "grammar/foreign_writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using Use = ForeignOperand::Use;

// Reads one line; the writer keeps what is foreign in it.
class LineReader {
 public:
  explicit LineReader(const ForeignNames& names) : names_(names), writer_(names) {}

  std::optional<ForeignLine> read(const ForeignStatement& statement) {
    auto line = write(statement);
    if (line) *line = writer_.before() + *line;
    const auto piece = found_ ? found_ : writer_.piece();
    if (!piece) return std::nullopt;
    read_.mistake.begin = piece->begin;
    read_.mistake.end = piece->end;
    read_.mistake.message = piece->message;
    if (line) read_.line = *std::move(line);
    if (read_.line.empty() && !piece->example.empty()) read_.mistake.help = {piece->example};
    read_.invented = writer_.invented();
    return std::move(read_);
  }

 private:
  void find(const ForeignTree& tree, std::string message, std::string example = "") {
    if (!found_)
      found_ = ForeignWriter::Piece{tree.begin, tree.end, std::move(message), std::move(example)};
  }

  std::optional<std::string> write(const ForeignStatement& statement) {
    const ForeignTree& first = statement.values.empty() ? ForeignTree{} : statement.values.front();
    if (statement.word == "print") return write_print(statement.values, true);
    if (statement.word == "return") return write_return(statement);
    const bool call = statement.targets.empty() && first.kind == TreeKind::Call;
    if (call && first.parts.front().is_name("print"))
      return write_print({first.parts.begin() + 1, first.parts.end()}, false);
    if (call && path_of(first.parts.front()).ends_with("save")) return write_save(first);
    if (statement.sign.size() > 1 && statement.sign != ":=") return write_change(statement);
    if (statement.targets.size() > 1) {
      if (auto pairs = write_pairs(statement)) return pairs;
    }
    if (statement.targets.size() > 1 || statement.values.size() != 1) {
      for (const ForeignTree& value : statement.values) writer_.write(value);
      return std::nullopt;
    }
    if (const auto layout = first.kind == TreeKind::Call ? writer_.layout_of(first) : std::nullopt)
      return write_layout(statement, *layout);
    const bool list = first.kind == TreeKind::Tuple && statement.targets.size() == 1;
    if (list) return write_list(statement.targets.front(), first);
    if (call && path_of(first.parts.front()).ends_with(".append")) return write_append(first);
    if (statement.annotation && statement.targets.empty())
      return write_annotation(first, *statement.annotation);
    const auto value = writer_.write(first);
    if (!value) return std::nullopt;
    if (statement.annotation && !statement.targets.empty() && !writer_.piece())
      find(*statement.annotation, "a name of a number has no type: it is a number");
    if (statement.targets.empty()) return write_alone(*value);
    const ForeignTree& target = statement.targets.front();
    if (statement.sign == ":=") find(target, "a name gets its value by `=`");
    if (const auto own = writer_.bracketed_array(target)) return write_own_target(*own, *value);
    if (target.kind != TreeKind::Name) return std::nullopt;
    return write_assignment(target.text, *value);
  }

  // `Out[B_X, D] = …`: the target is written as it is here.
  std::optional<std::string> write_own_target(const ForeignOperand& target,
                                              const ForeignOperand& value) {
    if (!value.is_array || !value.dtype.empty()) return std::nullopt;
    read_.mistake.made = target.text;
    read_.mistake.array = {target.dimensions};
    const std::string text = value.named ? bracketed_text(value) : operand_text(value, value.rank);
    const bool moved = !value.flow_of.empty() || value.is_reordered() || value.named;
    return fmt::format("{} {} {}", moved ? text : bracketed_text(target), moved ? "→" : "=",
                       moved ? bracketed_text(target) : text);
  }

  std::string write_assignment(const std::string& name, const ForeignOperand& value) {
    const std::vector<ForeignDimension> seen = value.seen_dimensions();
    if (value.is_array) {
      read_.mistake.made = name;
      read_.mistake.array = {seen};
    }
    if (!value.flow_of.empty() && (value.flow_of == name || is_relayout(value)))
      return fmt::format("{} → {}{}", value.text, name, brackets_text(seen));
    const bool targeted = value.is_array && (value.use != Use::Value || value.named);
    const std::string declared =
        value.dtype.empty() ? ""
                            : fmt::format("{}: {}{}; ", name, value.dtype, brackets_text(seen));
    if (!targeted) return fmt::format("{} = {}", name, operand_text(value, value.rank));
    if (!declared.empty() && value.use == Use::Alone)
      return fmt::format("{}{} = {}", declared, name, value.text);
    return fmt::format("{}{}{} = {}", declared, name, brackets_text(seen),
                       value.named ? bracketed_text(value) : value.text);
  }

  // Without an operation: `x[B, D]`.
  static bool is_relayout(const ForeignOperand& value) {
    return value.text.starts_with(value.flow_of + "[");
  }

  std::string write_alone(const ForeignOperand& value) const {
    if (!value.flow_of.empty())
      return fmt::format("{} → {}{}", value.text, value.flow_of,
                         brackets_text(value.seen_dimensions()));
    if (value.is_array && (value.use != Use::Value || value.is_reordered()))
      return fmt::format("Out{} = {}", brackets_text(value.seen_dimensions()),
                         value.named ? bracketed_text(value) : value.text);
    return value.named ? bracketed_text(value) : value.text;
  }

  std::optional<std::string> write_return(const ForeignStatement& statement) {
    if (statement.values.empty()) return "return";
    if (statement.values.size() > 1) return std::nullopt;
    const auto value = writer_.write(statement.values.front());
    if (!value || value->use == Use::Alone) return std::nullopt;
    return "return " + operand_text(*value, value->rank);
  }

  // `B, D = 64, 128`, `B, D = x.shape`
  std::optional<std::string> write_pairs(const ForeignStatement& statement) {
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
                    ? "sizes are names here: these have their values, so leave the line out"
                    : "each name gets its value by a `=` of its own");
    if (pairs.empty()) return std::nullopt;
    return join(pairs, ", ");
  }

  static std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> items;
    std::string_view rest = text;
    while (true) {
      const std::size_t comma = std::min(rest.find(", "), rest.size());
      items.emplace_back(rest.substr(0, comma));
      if (comma == rest.size()) return items;
      rest.remove_prefix(comma + 2);
    }
  }

  // `x += 2`
  std::optional<std::string> write_change(const ForeignStatement& statement) {
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
                     : fmt::format("there is no `{}`: a number keeps its value, and another value "
                                   "has another name",
                                   statement.sign));
    if (!value) return std::nullopt;
    if (array) return write_assignment(target.text, *value);
    std::string other = target.text + "2";
    for (int i = 3; names_.is_scalar(other) || names_.is_array(other); ++i)
      other = fmt::format("{}{}", target.text, i);
    return fmt::format("{} = {}", other, value->text);
  }

  // `A = P('X', None)`
  std::optional<std::string> write_layout(const ForeignStatement& statement,
                                          const std::vector<std::vector<std::string>>& layout) {
    const ForeignTree& call = statement.values.front();
    const std::string path = path_of(call.parts.front());
    find(call.parts.front(), fmt::format("`{}` is JAX: {}", path, foreign_function("P")->meaning),
         "A: bf16[I_X, J]");
    const bool named = statement.targets.size() == 1 && statement.targets[0].kind == TreeKind::Name;
    if (!named || layout.empty()) return std::nullopt;
    const std::string& name = statement.targets[0].text;
    const auto known = names_.array(name);
    ForeignOperand array = writer_.unknown_array(name, layout.size());
    if (known && known->dimensions.size() >= layout.size()) {
      array.dimensions = known->dimensions;
      array.order.resize(array.dimensions.size());
    }
    std::vector<ForeignDimension> to = array.dimensions;
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i].axes = i < layout.size() ? layout[i] : std::vector<std::string>{};
    read_.mistake.made = name;
    read_.mistake.array = {to};
    if (known) return fmt::format("{} → {}{}", bracketed_text(array), name, brackets_text(to));
    return fmt::format("{}: bf16{}", name, brackets_text(to));
  }

  // `A[B, D]: P('X', None)`
  std::optional<std::string> write_annotation(const ForeignTree& array, const ForeignTree& tree) {
    const auto layout = tree.kind == TreeKind::Call ? writer_.layout_of(tree) : std::nullopt;
    const auto own = writer_.bracketed_array(array);
    if (!layout || !own || layout->size() > own->dimensions.size()) return std::nullopt;
    find(tree.parts.front(), fmt::format("`{}` is JAX: {}", path_of(tree.parts.front()),
                                         foreign_function("P")->meaning));
    std::vector<ForeignDimension> to = own->dimensions;
    for (std::size_t i = 0; i < layout->size(); ++i) to[i].axes = (*layout)[i];
    read_.mistake.made = own->text;
    read_.mistake.array = {to};
    return fmt::format("{}: bf16{}", own->text, brackets_text(to));
  }

  // `times = []`, `sizes = [64, 128]`
  std::optional<std::string> write_list(const ForeignTree& target, const ForeignTree& list) {
    if (target.kind == TreeKind::Name) read_.mistake.made = target.text;
    if (list.parts.empty()) {
      find(list, "there are no lists: a `print` in a loop makes a table, so leave the line out",
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
  std::optional<std::string> write_append(const ForeignTree& call) {
    const ForeignTree& method = call.parts.front();
    ForeignTree place = method;
    place.begin = method.end - method.text.size() - 1;
    find(place, "there are no lists: a `print` in a loop makes a table");
    return write_print({call.parts.begin() + 1, call.parts.end()}, true);
  }

  std::optional<std::string> write_save(const ForeignTree& call) {
    const std::string path = path_of(call.parts.front());
    const auto name = std::find_if(call.parts.begin() + 1, call.parts.end(),
                                   [](const auto& part) { return part.kind == TreeKind::Name; });
    const auto file = std::find_if(call.parts.begin() + 1, call.parts.end(),
                                   [](const auto& part) { return part.kind == TreeKind::Text; });
    find(call.parts.front(), fmt::format("`{}` is Python: `save` is a statement", path));
    if (name == call.parts.end() || file == call.parts.end()) return std::nullopt;
    return fmt::format("save {} \"{}\"", name->text, file->text);
  }

  // ------------------------------------------------------------ print

  std::optional<std::string> write_print(const std::vector<ForeignTree>& values, bool bare) {
    std::vector<std::string> items;
    for (const ForeignTree& value : values) {
      if (!write_item(value, items)) return std::nullopt;
    }
    const bool texts = std::any_of(values.begin(), values.end(),
                                   [](const auto& value) { return value.kind == TreeKind::Text; });
    if (!bare && texts)
      find(values.front(),
           "`print` is a statement: what it prints stands behind it "
           "without parentheses");
    if (items.empty()) return std::nullopt;
    return "print " + join(items, ", ");
  }

  bool write_item(const ForeignTree& value, std::vector<std::string>& items) {
    if (value.kind == TreeKind::Text) return write_text(value, items);
    const bool format = value.kind == TreeKind::Binary && value.text == "%" &&
                        value.parts[0].kind == TreeKind::Text;
    if (format) return write_format(value, items);
    if (value.kind == TreeKind::Keyword) return true;  // `end=""`
    const auto written = writer_.write(value);
    if (!written) return false;
    items.push_back(written->is_array ? "bytes(" + written->text + ")" : written->text);
    return true;
  }

  // `f"B is {B}"`
  bool write_text(const ForeignTree& value, std::vector<std::string>& items) {
    const bool formatted = value.grouped;
    if (!formatted) {
      items.push_back(fmt::format("\"{}\"", value.text));
      return true;
    }
    find(value, "texts have no values inside: these stand behind them, with commas");
    std::string_view rest = value.text;
    while (!rest.empty()) {
      const std::size_t open = std::min(rest.find('{'), rest.size());
      add_text(rest.substr(0, open), items);
      if (open == rest.size()) break;
      const std::size_t close = rest.find('}', open);
      if (close == std::string_view::npos) return false;
      std::string_view inside = rest.substr(open + 1, close - open - 1);
      inside = inside.substr(0, inside.find_first_of(":=!"));
      const auto tree = read_foreign_expression(inside);
      const auto written = tree ? writer_.write(*tree) : std::nullopt;
      if (!written) return false;
      items.push_back(written->text);
      rest.remove_prefix(close + 1);
    }
    return true;
  }

  static void add_text(std::string_view text, std::vector<std::string>& items) {
    const std::string_view bare = bare_text(text);
    if (!bare.empty()) items.push_back(fmt::format("\"{}\"", bare));
  }

  // `"B is %d" % B`
  bool write_format(const ForeignTree& value, std::vector<std::string>& items) {
    ForeignTree sign = value;
    sign.begin = value.parts[0].end;
    sign.end = value.parts[1].begin;
    find(sign, "texts have no values inside: these stand behind them, with commas");
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

  const ForeignNames& names_;
  ForeignWriter writer_;
  ForeignLine read_;
  std::optional<ForeignWriter::Piece> found_;
};

}  // namespace

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
  auto read = LineReader(names).read(*statement);
  if (!read) return std::nullopt;
  if (!read->line.empty() && is_readable(read->line)) read->mistake.help = {read->line};
  return read;
}

}  // namespace shard
