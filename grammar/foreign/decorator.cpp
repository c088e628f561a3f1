// Lines in front of functions: `@jax.jit`, `@partial(shard_map, in_specs=…, out_specs=…)`.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using Dimensions = std::vector<ForeignDimension>;
using Layouts = std::vector<std::vector<std::vector<std::string>>>;

// The layouts of `in_specs=(P('X', None), P(None, 'Y'))`; nothing if one cannot be read.
Layouts specs_of(const ForeignTree& call, std::string_view keyword, const ForeignNames& names) {
  Layouts layouts;
  for (const ForeignTree& part : call.parts) {
    if (part.kind != TreeKind::Keyword || part.text != keyword) continue;
    for (const ForeignTree* item : items_of(part.parts.front())) {
      auto layout = ForeignWriter(names).layout_of(*item);
      if (!layout) return {};
      layouts.push_back(*std::move(layout));
    }
  }
  return layouts;
}

// `x[b, d]` of `fn layer(x[b, d], w[d, f]) { … }`, with names of sizes in the place of small letters.
struct SpecParameter {
  std::string name;
  Dimensions dimensions;
};
std::vector<SpecParameter> parameters_of(std::string_view function, const ForeignNames& names) {
  const std::size_t open = function.find('(');
  const std::size_t close = function.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const auto tokens = foreign_tokens(function.substr(open + 1, close - open - 1));
  if (!tokens) return {};
  std::vector<SpecParameter> parameters;
  for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
    const ForeignToken& token = (*tokens)[i];
    if (token.kind != ForeignToken::Kind::Word || !is((*tokens)[i + 1], "[")) continue;
    SpecParameter parameter{std::string(token.text), {}};
    for (const std::string& own : written_dimensions(function.substr(open), token.text)) {
      std::string size = own;
      for (char& c : size) c = c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c;
      parameter.dimensions.push_back({names.is_scalar(size) ? size : own});
    }
    parameters.push_back(std::move(parameter));
    i = std::max(i + 1, behind_group(*tokens, i + 1) - 1);
  }
  return parameters;
}

bool lay_out(Dimensions& dimensions, const std::vector<std::vector<std::string>>& layout) {
  if (layout.size() > dimensions.size()) return false;
  for (std::size_t i = 0; i < layout.size(); ++i) dimensions[i].axes = layout[i];
  return true;
}

// What stands in one parameter alone: what a product leaves. Of one parameter, all of it.
Dimensions result_of(const std::vector<SpecParameter>& parameters) {
  Dimensions result;
  for (const SpecParameter& one : parameters) {
    for (const ForeignDimension& dimension : one.dimensions) {
      const auto holders =
          std::count_if(parameters.begin(), parameters.end(), [&](const SpecParameter& other) {
            return std::any_of(
                other.dimensions.begin(), other.dimensions.end(),
                [&](const ForeignDimension& own) { return own.name == dimension.name; });
          });
      if (holders == 1) result.push_back({dimension.name});
    }
  }
  return result;
}

// `y[B_X, F_Y] = layer(x[B_X, D], w[D, F_Y])`; nothing where specs and function do not tell it.
std::string call_with_layouts(std::string_view decorator, std::string_view function,
                              const ForeignNames& names) {
  const auto tree = read_foreign_expression(decorator.substr(1));
  if (!tree || tree->kind != TreeKind::Call || !function.starts_with("fn ")) return "";
  const Layouts in = specs_of(*tree, "in_specs", names);
  const Layouts out = specs_of(*tree, "out_specs", names);
  auto parameters = parameters_of(function, names);
  if (in.empty() || out.size() != 1 || in.size() != parameters.size()) return "";
  Dimensions result = result_of(parameters);
  if (!lay_out(result, out.front()) || out.front().size() != result.size()) return "";
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!lay_out(parameters[i].dimensions, in[i])) return "";
    arguments.push_back(parameters[i].name + brackets_text(parameters[i].dimensions));
  }
  const std::string_view name = bare_text(function.substr(3, function.find('(') - 3));
  return fmt::format("y{} = {}({})", brackets_text(result), name, join(arguments, ", "));
}

}  // namespace

std::optional<ForeignMistake> read_foreign_decorator(std::string_view text,
                                                     const ForeignNames& names) {
  const std::string_view line = bare_text(text.substr(0, text.find('\n')));
  if (line.size() < 2 || line.front() != '@' || !is_letter(line[1])) return std::nullopt;
  const std::size_t begin = static_cast<std::size_t>(line.data() - text.data());
  ForeignMistake mistake = foreign_mistake(
      begin, begin + line.size(), fmt::format("a function is called as it is{}", kLeaveOut));
  const std::string_view below =
      text.find('\n') == std::string_view::npos ? "" : bare_text(text.substr(text.find('\n')));
  const std::string call = call_with_layouts(line, below, names);
  if (call.empty() || !is_readable(call)) return mistake;
  mistake.message =
      "a function is called as it is, and `in_specs` and `out_specs` are the layouts in the "
      "brackets of the call";
  mistake.help = {fmt::format("# {}", line), call};
  return mistake;
}

}  // namespace shard
