#include "grammar/foreign/line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/foreign/print.h"
#include "grammar/foreign/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using Use = ForeignOperand::Use;

// Reads one line; the writer keeps what is foreign in it.
class LineReader : ForeignPrintReader {
 public:
  explicit LineReader(const ForeignNames& names) : ForeignPrintReader(names), names_(names) {}

  std::optional<ForeignLine> read(const ForeignStatement& statement) {
    auto line = write(statement);
    if (line) *line = line_writer.before() + *line;
    const auto piece = first_mistake ? first_mistake : line_writer.piece();
    if (!piece) return std::nullopt;
    read_.mistake.begin = piece->begin;
    read_.mistake.end = piece->end;
    read_.mistake.message = piece->message;
    if (read_.needless) read_.mistake.message += kLeaveOut;
    if (line) read_.line = *std::move(line);
    if (read_.line.empty() && !piece->example.empty()) read_.mistake.help = {piece->example};
    read_.invented = line_writer.invented();
    return std::move(read_);
  }

 private:
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
      for (const ForeignTree& value : statement.values) line_writer.write(value);
      return std::nullopt;
    }
    const bool written = first.kind == TreeKind::Call || first.kind == TreeKind::Tuple;
    if (const auto layout = written ? line_writer.layout_of(first) : std::nullopt)
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
    const auto value = line_writer.write(first);
    if (!value) return std::nullopt;
    if (auto declared = write_declared(statement, *value)) return declared;
    if (statement.annotation && !statement.targets.empty() && !line_writer.piece())
      find(*statement.annotation,
           value->is_array ? "an array that is made has its dimensions in brackets, and no type"
                           : "a name of a number has no type: it is a number");
    if (statement.targets.empty()) return write_alone(*value);
    const ForeignTree& target = statement.targets.front();
    if (statement.sign == ":=") find(target, "a name gets its value by `=`");
    if (const auto own = line_writer.bracketed_array(target)) return write_own_target(*own, *value);
    if (target.kind != TreeKind::Name) return std::nullopt;
    return write_assignment(target.text, *value);
  }

  static const ForeignFunction* function_called(const ForeignTree& callee) {
    const std::string path = path_of(callee);
    return foreign_function(std::string_view(path).substr(path.rfind('.') + 1));
  }

  // What the target says of the dimensions of the value.
  void tell_target(const ForeignTree& target) {
    if (const auto own = line_writer.bracketed_array(target))
      return line_writer.tell_target(own->dimensions);
    const auto known = target.kind == TreeKind::Name ? names_.array(target.text) : std::nullopt;
    if (known) line_writer.tell_target(known->dimensions);
  }

  // `init_device_mesh("cuda", (4, 2), mesh_dim_names=("dp", "tp"))`
  std::optional<std::string> write_mesh(const ForeignTree& call, const ForeignFunction& maker) {
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

  // `A: bf16 = Q[B, D] + 1`: a declaration with the dimensions that the value has, and the line that makes it.
  std::optional<std::string> write_declared(const ForeignStatement& statement,
                                            const ForeignOperand& value) {
    if (!statement.annotation || statement.targets.size() != 1 || !value.is_array)
      return std::nullopt;
    const ForeignTree& target = statement.targets.front();
    const std::string dtype = foreign_dtype(*statement.annotation);
    if (dtype.empty() || target.kind != TreeKind::Name || value.use != Use::Value ||
        value.is_reordered())
      return std::nullopt;
    find(*statement.annotation, "a declaration is a statement of its own, with the dimensions");
    read_.mistake.made = target.text;
    read_.mistake.array = {value.seen_dimensions()};
    return fmt::format("{0}: {1}{2}; {0} = {3}", target.text, dtype,
                       brackets_text(value.seen_dimensions()),
                       value.named ? bracketed_text(value) : value.text);
  }

  // `Out[B_X, D] = …`: the target is written as it is here.
  std::optional<std::string> write_own_target(const ForeignOperand& target,
                                              const ForeignOperand& value) {
    if (!value.is_array || !value.dtype.empty()) return std::nullopt;
    if (value.is_part) return write_assignment(target.text, value);
    read_.mistake.made = target.text;
    read_.mistake.array = {target.dimensions};
    const std::string text = value.named ? bracketed_text(value) : operand_text(value, value.rank);
    const bool moved = !value.flow_of.empty() || value.is_reordered() || value.named;
    if (moved)
      return fmt::format("{} → {}{}", text, bracketed_text(target),
                         value.named ? "" : value.placed);
    return fmt::format("{} = {}", bracketed_text(target), text);
  }

  // An array keeps the order of its dimensions, so in another order it gets another name.
  std::string target_name(const std::string& name,
                          const std::vector<ForeignDimension>& seen) const {
    const auto known = names_.array(name);
    if (!known || known->dimensions.size() != seen.size()) return name;
    bool same = true;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const bool has = std::any_of(seen.begin(), seen.end(), [&](const ForeignDimension& one) {
        return one.name == known->dimensions[i].name;
      });
      if (!has) return name;
      same = same && seen[i].name == known->dimensions[i].name;
    }
    return same ? name : free_name(name);
  }

  std::string free_name(const std::string& name) const {
    std::string other = name + "2";
    for (int i = 3; names_.is_scalar(other) || names_.is_array(other); ++i)
      other = fmt::format("{}{}", name, i);
    return other;
  }

  static bool has_names_of(const std::vector<ForeignDimension>& known,
                           const std::vector<ForeignDimension>& seen) {
    return std::equal(known.begin(), known.end(), seen.begin(), seen.end(),
                      [](const ForeignDimension& own, const ForeignDimension& other) {
                        return own.name == other.name &&
                               (other.axes.empty() || other.axes == own.axes);
                      });
  }

  std::string write_assignment(const std::string& written, const ForeignOperand& value) {
    // `work = dist.all_gather(out, A)` is something to wait for.
    if (value.names_target) return write_alone(value);
    const std::vector<ForeignDimension> seen = value.seen_dimensions();
    const std::string name = value.is_array ? target_name(written, seen) : written;
    if (value.is_array) {
      read_.mistake.made = name;
      read_.mistake.array = {seen};
    }
    // What has been made has its layout already, and what that is is not known where it is only read.
    read_.needless = value.is_array && written == value.flow_of && is_relayout(value) &&
                     names_.is_array(written) && !names_.array(written);
    if (value.named && value.text == written && !value.is_reordered() && value.use == Use::Value) {
      read_.needless = true;
      return bracketed_text(value);
    }
    if (!value.flow_of.empty() && (value.flow_of == name || is_relayout(value)))
      return fmt::format("{} → {}{}{}", value.text, name, brackets_text(seen), value.placed);
    const bool targeted = value.is_array && (value.use != Use::Value || value.named);
    const std::string declared =
        value.dtype.empty() ? ""
                            : fmt::format("{}: {}{}; ", name, value.dtype, brackets_text(seen));
    if (value.is_array && value.text.empty() && !value.dtype.empty())
      return fmt::format("{}: {}{}", name, value.dtype, brackets_text(seen));
    if (!targeted) return fmt::format("{} = {}", name, operand_text(value, value.rank));
    if (!declared.empty() && value.use == Use::Alone)
      return fmt::format("{}{} = {}", declared, name, value.text);
    // Values without a layout get that of the array.
    const auto known =
        value.use == Use::Alone && declared.empty() ? names_.array(name) : std::nullopt;
    const bool same = known && has_names_of(known->dimensions, seen);
    return fmt::format("{}{}{} = {}", declared, name,
                       brackets_text(same ? known->dimensions : seen),
                       value.named ? bracketed_text(value) : value.text);
  }

  // Without an operation: `x[B, D]`.
  static bool is_relayout(const ForeignOperand& value) {
    return value.text.starts_with(value.flow_of + "[");
  }

  std::string write_alone(const ForeignOperand& value) {
    if (!value.flow_of.empty()) {
      if (value.names_target && !names_.is_array(value.flow_of)) {
        read_.mistake.made = value.flow_of;
        read_.mistake.array = {value.seen_dimensions()};
      }
      return fmt::format("{} → {}{}{}", value.text, value.flow_of,
                         brackets_text(value.seen_dimensions()), value.placed);
    }
    if (value.is_array && (value.use != Use::Value || value.is_reordered()))
      return fmt::format("Out{} = {}", brackets_text(value.seen_dimensions()),
                         value.named ? bracketed_text(value) : value.text);
    read_.needless = value.named;
    return value.named ? bracketed_text(value) : value.text;
  }

  std::optional<std::string> write_return(const ForeignStatement& statement) {
    if (statement.values.empty()) return "return";
    if (statement.values.size() > 1) return std::nullopt;
    const auto value = line_writer.write(statement.values.front());
    // The layout of a result is said by the line that calls.
    if (value && !value->flow_of.empty() && is_relayout(*value)) return "return " + value->flow_of;
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
      const auto written = line_writer.write(value);
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
    const auto value = line_writer.write(sum);
    ForeignTree sign = target;
    sign.begin = target.end;
    sign.end = statement.values.front().begin;
    find(sign, array ? fmt::format("there is no `{}`: the new value is written out", statement.sign)
                     : fmt::format("there is no `{}`: a number keeps its value, and the new one is "
                                   "`{}` from here on",
                                   statement.sign, free_name(target.text)));
    if (!value) return std::nullopt;
    if (array) return write_assignment(target.text, *value);
    return fmt::format("{} = {}", free_name(target.text), value->text);
  }

  // `A = P('X', None)`
  std::optional<std::string> write_layout(const ForeignStatement& statement,
                                          const std::vector<std::vector<std::string>>& layout) {
    find_layout(statement.values.front());
    const bool named = statement.targets.size() == 1 && statement.targets[0].kind == TreeKind::Name;
    if (!named || layout.empty()) return std::nullopt;
    const std::string& name = statement.targets[0].text;
    const auto known = names_.array(name);
    ForeignOperand array = line_writer.unknown_array(name, layout.size());
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
    if (tree.kind == TreeKind::Index && array.kind == TreeKind::Name)
      return write_typed_layout(array, tree);
    const bool written = tree.kind == TreeKind::Call || tree.kind == TreeKind::Tuple;
    const auto layout = written ? line_writer.layout_of(tree) : std::nullopt;
    auto own = line_writer.bracketed_array(array);
    // `W1: P(None, 'model')`
    if (layout && array.kind == TreeKind::Name)
      own = line_writer.unknown_array(array.text, std::max<std::size_t>(layout->size(), 1));
    if (!layout || !own || layout->size() > own->dimensions.size()) return std::nullopt;
    find_layout(tree);
    std::vector<ForeignDimension> to = own->dimensions;
    for (std::size_t i = 0; i < layout->size(); ++i) to[i].axes = (*layout)[i];
    read_.mistake.made = own->text;
    read_.mistake.array = {to};
    return fmt::format("{}: bf16{}", own->text, brackets_text(to));
  }

  // `A: bf16[Shard(0), Replicate()]`, `A: bf16[P('X', None)]`: what the dimensions are called is not known.
  std::optional<std::string> write_typed_layout(const ForeignTree& array, const ForeignTree& tree) {
    ForeignTree placements{.kind = TreeKind::Tuple};
    placements.parts = {tree.parts.begin() + 1, tree.parts.end()};
    const bool one = placements.parts.size() == 1;
    const auto layout = line_writer.layout_of(one ? placements.parts.front() : placements);
    if (!layout || placements.parts.front().kind == TreeKind::Name) return std::nullopt;
    const std::string dtype = foreign_dtype(tree.parts.front());
    find_layout(placements.parts.front());
    constexpr std::size_t kLeast = 2;
    std::vector<ForeignDimension> to =
        line_writer.unknown_array(array.text, std::max(layout->size(), kLeast)).dimensions;
    for (std::size_t i = 0; i < layout->size() && i < to.size(); ++i) to[i].axes = (*layout)[i];
    read_.mistake.made = array.text;
    read_.mistake.array = {to};
    return fmt::format("{}: {}{}", array.text, dtype.empty() ? "bf16" : dtype, brackets_text(to));
  }

  // The mistake of a layout that is written as a call, or as a list of them.
  void find_layout(const ForeignTree& tree) {
    const bool list = tree.kind == TreeKind::Tuple && !tree.parts.empty();
    const ForeignTree& call = list ? tree.parts.front() : tree;
    if (call.kind != TreeKind::Call) return;
    const std::string path = path_of(call.parts.front());
    const std::string_view language =
        language_of_function(std::string_view(path).substr(path.rfind('.') + 1));
    find(call.parts.front(),
         fmt::format("`{}` is {}: {}", path, language.empty() ? "JAX" : language,
                     foreign_function("P")->meaning),
         "A: bf16[I_X, J]");
  }

  // `times = []`, `sizes = [64, 128]`
  std::optional<std::string> write_list(const ForeignTree& target, const ForeignTree& list) {
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
              : line_writer.write(item);
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

  const ForeignNames& names_;
  ForeignLine read_;
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
  if (!read->needless && !read->line.empty() && is_readable(read->line))
    read->mistake.help = {read->line};
  return read;
}

}  // namespace shard
