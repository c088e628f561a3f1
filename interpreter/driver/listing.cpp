#include "interpreter/driver/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/format.h"
#include "base/line_width.h"
#include "base/match.h"
#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/evaluate/evaluator.h"
#include "interpreter/machine/chip_catalogue.h"
#include "interpreter/program/step_text.h"
#include "interpreter/report/table.h"
#include "interpreter/report/text_report.h"
#include "interpreter/statements/print.h"
#include "runtime/machine/chip_figure.h"
#include "runtime/machine/mesh_text.h"
#include "runtime/plan/layout.h"
#include "stdlib/library.h"

namespace shard {

namespace {

// "bf16[I_X, J]".
std::string type_text(ArrayId array, const Layout& layout, const Scope& scope) {
  const ArrayInfo& info = scope.store.arrays[array];
  const std::string text = scope.describe(array, layout);
  return std::string(name_of(info.dtype)) + text.substr(std::min(text.find('['), text.size()));
}

// "2.048 kB"; a formula while sizes are missing.
std::string bytes_text(ArrayId array, const Layout& layout, const Scope& scope) {
  const ArrayInfo& info = scope.store.arrays[array];
  const Amount bytes =
      local_bytes(scope.shape_of(info.dimensions), info.dtype, layout, scope.mesh());
  return to_text(Quantity{Formula(bytes), kBytes});
}

std::string value_text(const Value& value) {
  return std::holds_alternative<Supposition>(value) ? "cost { … }" : to_text(value);
}

// The pieces on lines of the terminal's width, the first behind the heading.
std::string wrapped(std::string_view heading, const std::vector<std::string>& pieces) {
  if (pieces.empty()) return "";
  const std::string margin(heading.size(), ' ');
  std::string text;
  std::string line(heading);
  for (const std::string& piece : pieces) {
    const bool begins = display_width(line) == heading.size();
    if (!begins && display_width(line) + 2 + display_width(piece) > line_width()) {
      text += line + "\n";
      line = margin + piece;
    } else {
      line += (begins ? "" : "  ") + piece;
    }
  }
  return text + line + "\n";
}

std::string machine_text(const Scope& scope) {
  Program nothing;
  nothing.machine = scope.hardware();
  return machine_line(nothing);
}

std::vector<std::string> sizes_of(const Scope& scope, bool are_dimensions) {
  std::vector<std::string> sizes;
  for (const auto& [key, binding] : scope.names.bindings) {
    const bool is_dimension = scope.names.find_dimension(binding.name).has_value();
    if (is_dimension == are_dimensions)
      sizes.push_back(binding.name + " = " + value_text(binding.value));
  }
  if (!are_dimensions) return sizes;
  for (const auto& [key, dimension] : scope.names.dimension_names) {
    const DimensionInfo& info = scope.store.dimensions[dimension];
    if (scope.find_binding(info.name) == nullptr && !info.literal)
      sizes.push_back(info.name + " has no size");
  }
  return sizes;
}

std::string function_text(const ast::Function& function) {
  std::vector<std::string> names;
  for (const ast::ArrayRef& parameter : function.parameters)
    names.push_back(parameter.name ? parameter.name->text : "…");
  return function.name.text + "(" + join(names, ", ") + ")";
}

void add_array(ArrayId array, const Scope& scope, Table& table) {
  const ArrayInfo& info = scope.store.arrays[array];
  bool is_first = true;
  for (const LiveCopy& copy : scope.held.of(array)) {
    if (copy.inferred) continue;
    table.add_row({"  " + (is_first ? info.name : std::string(info.name.size(), ' ')) +
                       (is_first ? ": " : "  ") + type_text(array, copy.layout, scope),
                   bytes_text(array, copy.layout, scope),
                   copy.made       ? "computed"
                   : info.computed ? "computed"
                                   : "input"});
    is_first = false;
  }
  if (is_first)
    table.add_row({"  " + info.name + ": " + std::string(name_of(info.dtype)), "", "declared"});
}

std::string chip_text(const Chip& chip) {
  std::string text = chip.name + ", a chip: hardware " + chip.name +
                     (chip.host.empty() ? "" : " " + slice_text(chip.host)) + "\n";
  constexpr std::size_t kName = 12;
  constexpr std::size_t kColumn = 32;
  const auto add = [&](std::string_view name, const std::string& value, std::string_view meaning) {
    text += two_columns("    " + pad_right(name, kName) + value, meaning, kColumn);
  };
  bool others = false;
  for (const ChipFigure& figure : chip_figures()) {
    if (figure.form == ChipFigure::Form::Slice && !(chip.*figure.slice).empty())
      add(figure.name, slice_text(chip.*figure.slice), figure.meaning);
    if (figure.form == ChipFigure::Form::Wrap) {
      const WrapWord& rule = info_of(chip.wrap);
      add(figure.name, std::string(rule.word), rule.meaning);
    }
    if (!is_read(figure)) continue;
    // What has no rate of its own counts at another one's, which is said of what is computed, and is no figure of the chip.
    if (figure.form == ChipFigure::Form::Rate && rate_of(chip, figure.dtype).borrowed) {
      others = true;
      continue;
    }
    if (const auto value = read_figure(figure, chip))
      add(figure.name, to_text(Quantity{*value, figure.unit}), figure.meaning);
  }
  if (others) text += "    Types that have no rate here count at C, and reports say so.\n";
  return text;
}

// What the last planned statement of the input made.
const PlannedEntry* last_planned(const Outcome& outcome) {
  const PlannedEntry* last = nullptr;
  for (const Entry& entry : outcome.entries) {
    if (const auto* planned = std::get_if<PlannedEntry>(&entry)) last = planned;
  }
  return last;
}

// What the statement gives: "C", "bf16[I, K_X]", "2.048 kB".
struct Given {
  std::string name;  // empty for an array without one
  std::string type;
  std::string bytes;  // per device
};

std::optional<Given> given_by(const PlannedEntry& planned, const RunnerState& state) {
  const Program& program = state.programs[planned.program];
  const StatementRecord& record = program.statements[planned.statement];
  const Scope& scope = state.scope;
  const ArrayInfo& array = scope.store.arrays[record.target];
  const std::string name = array.anonymous ? "" : array.name;
  if (record.result.valid()) {
    const Copy& copy = program.plan.copies[record.result];
    const Mesh& mesh = program.machine.mesh;
    const Amount bytes = local_bytes(copy.shape, copy.dtype, copy.layout, mesh);
    return Given{name,
                 std::string(name_of(copy.dtype)) + to_string(copy.layout, copy.dimensions, mesh),
                 to_text(Quantity{Formula(bytes), kBytes})};
  }
  // It was there already.
  const LiveCopies& copies = scope.held.of(record.target);
  if (copies.empty()) return std::nullopt;
  const Layout& layout = copies.back().layout;
  return Given{name, type_text(record.target, layout, scope),
               bytes_text(record.target, layout, scope)};
}

// "input 3: C = f(A)".
std::string line_text(const Span& span, const SourceMap& sources) {
  const LineColumn at = sources.position(span.file, span.begin);
  const std::string_view line = sources.line(span.file, at.line);
  return fmt::format("{}: {}", sources.name(span.file),
                     line.substr(std::min(line.find_first_not_of(' '), line.size())));
}

// The call outside of other calls that made the array; null if no function did. One that only moved it did not.
const EndedCall* call_that_made(ArrayId array, const RunnerState& state) {
  const Span place = state.scope.store.arrays[array].span;
  const auto made_it = [&](const EndedCall& call) {
    const auto& statements = state.programs[call.program].statements;
    return std::any_of(statements.begin() + static_cast<std::ptrdiff_t>(call.first),
                       statements.begin() + static_cast<std::ptrdiff_t>(call.end),
                       [&](const StatementRecord& made) {
                         return made.target == array && encloses(made.span, place);
                       });
  };
  const auto& calls = state.ended_calls;
  const auto found = std::find_if(calls.begin(), calls.end(), made_it);
  return found == calls.end() ? nullptr : &*found;
}

// Where it was made: what a function made is there since it was called.
std::string origin_text(ArrayId array, const Session& session) {
  const ArrayInfo& info = session.state().scope.store.arrays[array];
  if (!info.span.valid()) return "";
  const SourceMap& sources = session.sources();
  const EndedCall* call = call_that_made(array, session.state());
  const Span since = call != nullptr && call->span.valid() ? call->span : info.span;
  const std::string line = line_text(since, sources);
  std::string text = fmt::format("  {} in {}\n", info.computed ? "made" : "first read", line);
  // Of `return x + 1` the call is all there is.
  const std::string within = line_text(info.span, sources);
  if (within != line) text += fmt::format("  by {}, in {}\n", call->function, within);
  return text;
}

}  // namespace

std::string listing_of(const RunnerState& state, const std::string& options) {
  const Scope& scope = state.scope;
  std::string text = "machine    " + machine_text(scope) + "\n";
  if (!options.empty()) text += two_columns("options", options, std::string("options    ").size());
  text += wrapped("sizes      ", sizes_of(scope, true));
  text += wrapped("values     ", sizes_of(scope, false));
  std::vector<std::string> functions;
  for (const auto& [key, function] : scope.names.functions)
    functions.push_back(function_text(*function));
  text += wrapped("functions  ", functions);
  Table table;
  table.add_row({"arrays", "per device", ""});
  std::size_t count = 0;
  for (const auto& [key, array] : scope.names.array_names) {
    add_array(array, scope, table);
    ++count;
  }
  return text + (count == 0 ? "no arrays\n" : table.to_string());
}

std::map<std::string, Chip> known_chips(const Scope& scope) {
  // A session reads the library with its first `hardware`.
  static const auto library = [] {
    Scope read;
    load_catalogue(read, scalar_source());
    return read.names.chips;
  }();
  std::map<std::string, Chip> chips;
  for (const auto& [key, chip] : scope.names.chips) chips.emplace(chip.name, chip);
  for (const auto& [key, chip] : library) chips.emplace(chip.name, chip);
  return chips;
}

std::optional<std::string> description_of_chip(std::string_view name, const Scope& scope) {
  const std::string key = name_key(std::string(name));
  for (const auto& [known, chip] : known_chips(scope)) {
    if (name_key(known) == key) return chip_text(chip);
  }
  return std::nullopt;
}

std::string chips_text(const Scope& scope) {
  std::vector<std::string> names;
  for (const auto& [name, chip] : known_chips(scope)) names.push_back(name);
  return "    chips: " + join(names, ", ") + "; NAME? says what one of them has\n";
}

std::optional<std::string> description_of(std::string_view name, const Session& session) {
  const Scope& scope = session.state().scope;
  const std::string word(name);
  if (const auto array = scope.names.find_array(word)) {
    Table table;
    add_array(*array, scope, table);
    return table.to_string() + origin_text(*array, session);
  }
  if (const auto axis = scope.find_axis(word)) {
    return fmt::format("{} is an axis of the mesh: {}\n", word, machine_text(scope));
  }
  if (const BindingInfo* binding = scope.find_binding(word)) {
    const bool is_dimension = scope.names.find_dimension(word).has_value();
    return fmt::format("{} = {}{}\n", binding->name, value_text(binding->value),
                       is_dimension ? ", the length of a dimension" : "");
  }
  if (scope.names.find_dimension(word)) return word + " is a dimension without a size\n";
  const auto function = scope.names.functions.find(name_key(word));
  if (function != scope.names.functions.end()) {
    const std::string& file = session.sources().name(function->second->name.at.span.file);
    return fmt::format("{}, a function of {}\n", function_text(*function->second),
                       is_library_file(file) ? "the library" : "the session");
  }
  return description_of_chip(word, scope);
}

std::string type_of(const Outcome& outcome, const RunnerState& state) {
  if (const PlannedEntry* planned = last_planned(outcome)) {
    const auto given = given_by(*planned, state);
    if (!given) return "";
    return fmt::format("{}{}{}, {} per device\n", given->name, given->name.empty() ? "" : ": ",
                       given->type, given->bytes);
  }
  if (outcome.entries.empty()) return "";
  if (const auto* array = boxed_in<ArrayEntry>(outcome.entries.back())) return array->type + "\n";
  const auto* printed = boxed_in<PrintedEntry>(outcome.entries.back());
  if (printed == nullptr) return "";
  if (printed->names.back() == printed->values.back()) return printed->values.back() + "\n";
  const BindingInfo* value = state.scope.find_binding(kLastValue);
  if (value == nullptr) return "";
  const std::string kind = match(
      value->value, [](const Quantity& quantity) { return describe(quantity.unit); },
      [](const Truth&) { return std::string("true or false"); },
      [](const Supposition&) {
        return std::string("what a block would cost; c? lists its figures");
      },
      [](const Word&) { return std::string("a word"); },
      [](const List&) { return std::string("several numbers"); },
      [](const Condition&) { return std::string("for which sizes it holds"); });
  return kind + ", " + printed->values.back() + "\n";
}

std::string hint_of(const Outcome& outcome, const RunnerState& state) {
  if (const PlannedEntry* planned = last_planned(outcome)) {
    const auto given = given_by(*planned, state);
    if (!given) return "";
    const Program& program = state.programs[planned->program];
    const StatementRecord& record = program.statements[planned->statement];
    std::string text = "→ " + given->type;
    Cost cost;
    for (std::size_t i = record.first_step; i < record.end_step; ++i) {
      cost += *program.steps[i].cost;
      const Step& step = program.plan.steps[i];
      if (!program.steps[i].inferred || !is_shown(step)) continue;
      const std::string shown = step_text_without_result(program, i);
      const std::string operation = shown.substr(0, shown.find(' '));
      if (operation.find('_') != std::string::npos) text += " +" + operation;
    }
    if (!cost.comms.is_zero() && cost.comms.constant())
      text += " " + to_text(Quantity{cost.comms, kSeconds});
    return text;
  }
  if (outcome.entries.empty()) return "";
  if (const auto* array = boxed_in<ArrayEntry>(outcome.entries.back())) return "→ " + array->type;
  const auto* printed = boxed_in<PrintedEntry>(outcome.entries.back());
  if (printed == nullptr || printed->names.back() == printed->values.back()) return "";
  return "= " + printed->values.back();
}

}  // namespace shard
