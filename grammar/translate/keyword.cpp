// Arguments with a name: `ffn(In, up=W)`. Here they stand in the function's order, and its own functions have none.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

// What says nothing here: the target has the dimensions and the type, and everything waits for what it reads.
constexpr std::string_view kLeftOut[] = {"keepdims",     "keepdim",
                                         "keep_dims",    "dtype",
                                         "out",          "async_op",
                                         "precision",    "device",
                                         "inplace",      "training",
                                         "approximate",  "where",
                                         "initial",      "preferred_element_type",
                                         "out_sharding", "tiled",
                                         "stable",       "unbiased"};

bool is_left_out(std::string_view keyword) {
  return std::find(std::begin(kLeftOut), std::end(kLeftOut), keyword) != std::end(kLeftOut);
}

}  // namespace

// The arguments of a function of the script or of the language; nullopt if one is none of its own.
std::optional<std::vector<const ForeignTree*>> ForeignWriter::in_order(const std::string& function,
                                                                       const Arguments& arguments) {
  std::vector<const ForeignTree*> ordered = arguments.positional;
  if (arguments.keywords.empty()) return ordered;
  const std::vector<std::string> parameters = names_.parameters(function);
  const ForeignTree& first = *arguments.keywords.front();
  if (parameters.empty()) {
    const auto& keywords = arguments.keywords;
    const bool all = std::all_of(keywords.begin(), keywords.end(), [](const ForeignTree* keyword) {
      return is_left_out(keyword->text);
    });
    if (!all) return std::nullopt;
    note(first, fmt::format("`{}=` is no argument here, so leave it out", first.text));
    return ordered;
  }
  if (ordered.size() > parameters.size()) return std::nullopt;
  ordered.resize(parameters.size(), nullptr);
  for (const ForeignTree* keyword : arguments.keywords) {
    const auto place = std::find(parameters.begin(), parameters.end(), keyword->text);
    if (place == parameters.end()) {
      stuck(*keyword, fmt::format("`{}` has no parameter `{}`: it has {}", function, keyword->text,
                                  join(parameters, ", ")));
      return std::nullopt;
    }
    ordered[static_cast<std::size_t>(place - parameters.begin())] = &keyword->parts.front();
  }
  note(first,
       fmt::format("arguments have no names: they stand in the order of the function, {}({})",
                   function, join(parameters, ", ")));
  if (std::find(ordered.begin(), ordered.end(), nullptr) != ordered.end()) return std::nullopt;
  return ordered;
}

}  // namespace shard
