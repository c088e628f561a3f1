// The lengths of an argument against those that its parameter names.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/flow.h"
#include "interpreter/statements/functions/bind_arguments.h"

namespace shard {

std::vector<ast::Dimension> named_dimensions(const ast::ArrayRef& pattern) {
  std::vector<ast::Dimension> named = pattern.dimensions;
  std::erase_if(
      named, [](const ast::Dimension& one) { return std::holds_alternative<ast::Rest>(one.name); });
  return named;
}

bool ArgumentBinder::fail_shape(std::size_t i, std::size_t d, const PassedArray& passed) {
  const auto dimensions = named_dimensions(function_.parameters[i]);
  std::vector<Amount> lengths = scope_.shape_of(passed.labels);
  WantedLengths wanted(dimensions.size());
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    if (const auto* number = std::get_if<ast::Number>(&dimensions[k].name)) {
      wanted[k].length = Amount(number->value);
    } else if (const auto* name = std::get_if<ast::Identifier>(&dimensions[k].name)) {
      const auto found = bound_.find(name_key(name->text));
      wanted[k].name = name->text;
      if (found != bound_.end()) wanted[k].length = scope_.size_of(found->second);
    }
  }
  const auto* name = std::get_if<ast::Identifier>(&dimensions[d].name);
  return fail(
      argument_span(i),
      fmt::format("argument {}, {}, is {}, and the parameter {} takes {} here", i + 1,
                  argument_text(i), lengths_text(lengths), parameter_text(i), lengths_text(wanted)),
      dimensions[d].at.span,
      name == nullptr ? "this length is a part of the function"
                      : fmt::format("`{}` is {} by an earlier argument", name->text,
                                    wanted[d].length->to_string()),
      {}, exchanged(i, lengths, wanted));
}

// Another argument that fits in its place, or its own dimensions in the order that fits.
std::vector<Edit> ArgumentBinder::exchanged(std::size_t i, const std::vector<Amount>& lengths,
                                            const WantedLengths& wanted) const {
  for (std::size_t j = i + 1; j < passed_.size(); ++j) {
    const auto* other = std::get_if<PassedArray>(&passed_[j]);
    if (other == nullptr || !has_lengths(scope_.shape_of(other->labels), wanted)) continue;
    if (scope_.shape_of(other->labels) == lengths) continue;
    return {{argument_span(i), print(*call_.arguments[j], Spelling::Unicode)},
            {argument_span(j), print(*call_.arguments[i], Spelling::Unicode)}};
  }
  return reordered_argument(*call_.arguments[i], lengths, wanted);
}

bool ArgumentBinder::match_length(std::size_t i, std::size_t d, const PassedArray& passed) {
  const DimensionId label = passed.labels[d];
  const ast::Dimension dimension = named_dimensions(function_.parameters[i])[d];
  const Amount here = scope_.size_of(label);
  if (const auto* number = std::get_if<ast::Number>(&dimension.name)) {
    labels_[i].push_back(label);
    if (!here.constant() || *here.constant() == number->value) return true;
    return fail_shape(i, d, passed);
  }
  const std::string& name = std::get<ast::Identifier>(dimension.name).text;
  const auto [entry, is_new] = bound_.try_emplace(name_key(name), label);
  if (is_new) {
    const bool is_taken = contains_alike(named_, label) || contains_alike(unnamed_, label);
    if (is_taken || means_another(label, name)) {
      entry->second = is_taken ? scope_.add_beside(name, label) : scope_.stand_in(name, label);
      stand_ins_.push_back({entry->second, label, name, !is_taken});
    }
    named_.push_back(label);
    name_dimension(name, entry->second);
  }
  labels_[i].push_back(entry->second);
  if (is_new) return true;
  const Amount there = scope_.size_of(entry->second);
  if (here == there) return true;
  if (!here.constant() || !there.constant()) {
    scope_.identify_lengths(label, entry->second);
    return true;
  }
  return fail_shape(i, d, passed);
}

// The function's name of the dimension, and its own, under which the parts of an array have it.
void ArgumentBinder::name_dimension(const std::string& name, DimensionId label) {
  scope_.names.dimension_names[name_key(name)] = label;
  scope_.names.bindings.erase(name_key(name));
  scope_.names.hide_outer_array(name);
  scope_.told.unknown.erase(name_key(name));
  const DimensionInfo& info = std::as_const(scope_.store).dimensions[label];
  if (!info.literal && !info.stands_in && bound_.count(info.key) == 0)
    scope_.names.dimension_names[info.key] = label;
}

// In the function, whose pattern calls the dimension `name`, what the script calls it means something else.
bool ArgumentBinder::means_another(DimensionId label, const std::string& name) const {
  const DimensionInfo& info = std::as_const(scope_.store).dimensions[label];
  if (info.literal || info.stands_in || info.key == name_key(name)) return false;
  const std::set<std::string> own = letter_runs(info.name);
  const std::set<std::string>& words = words_of_function();
  return std::includes(words.begin(), words.end(), own.begin(), own.end());
}

const std::set<std::string>& ArgumentBinder::words_of_function() const {
  auto& known = *run_.state.function_words;
  const auto [entry, is_new] = known.try_emplace(known_);
  if (is_new) {
    const ast::Statement statement{.node = function_, .at = {}};
    entry->second = letter_runs(print(statement, Spelling::Ascii));
  }
  return entry->second;
}

// The same, or one of the same length without a name: inside of the function each has a name of its own.
bool ArgumentBinder::contains_alike(const std::vector<DimensionId>& labels,
                                    DimensionId label) const {
  const auto& dimensions = std::as_const(scope_.store).dimensions;
  const auto& literal = dimensions[label].literal;
  return std::any_of(labels.begin(), labels.end(), [&](DimensionId other) {
    return other == label || (literal && literal == dimensions[other].literal);
  });
}

}  // namespace shard
