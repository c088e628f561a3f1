// Which dimensions the collectives of JAX are along, and where blocks move: `axis=1`, `split_axis=1, concat_axis=0`, `tiled=True`,
// `[(i, (i + 1) % n) for i in range(n)]`.
#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/words.h"
#include "grammar/translate/function.h"
#include "grammar/translate/writer.h"

namespace shard {

namespace {

using PlaceKind = ForeignTree::Kind;
using PlaceAxes = std::vector<std::string>;

bool is_collective_form(ForeignForm form) {
  return form == ForeignForm::AllGather || form == ForeignForm::AllReduce ||
         form == ForeignForm::ReduceScatter || form == ForeignForm::AllToAll ||
         form == ForeignForm::Shift;
}

// The distance by which all of `count` places move in a ring, if the pairs are all of them; else nullopt.
std::optional<std::int64_t> distance_of_pairs(const std::vector<const ForeignTree*>& pairs) {
  const auto count = static_cast<std::int64_t>(pairs.size());
  std::optional<std::int64_t> all;
  for (const ForeignTree* pair : pairs) {
    const auto ends = items_of(*pair);
    const auto from = ends.size() == 2 ? foreign_number(*ends[0]) : std::nullopt;
    const auto to = ends.size() == 2 ? foreign_number(*ends[1]) : std::nullopt;
    if (!from || !to || *from < 0 || *to < 0 || *from >= count || *to >= count) return std::nullopt;
    const std::int64_t distance = (*to - *from + count) % count;
    if (all.value_or(distance) != distance) return std::nullopt;
    all = distance;
  }
  // The shorter way round.
  if (all && *all * 2 > count) *all -= count;
  return all;
}

// Of `[ ( i , ( i + 1 ) % n ) for i in range ( n ) ]`, its words and signs parted by blanks.
std::optional<std::int64_t> distance_of_rule(const std::string& rule) {
  static const std::regex onto(
      R"(\( (\w+) , \( \1 (?:\+ [A-Za-z]\w* )?([+-]) (\d{1,6}) (?:\+ [A-Za-z]\w* )?\) % )");
  static const std::regex from(R"(\( \( (\w+) ([+-]) (\d{1,6}) \) % [\w.]+ , \1 \))");
  std::smatch match;
  const bool is_onto = std::regex_search(rule, match, onto);
  if (!is_onto && !std::regex_search(rule, match, from)) return std::nullopt;
  const std::int64_t distance = std::stoll(match.str(3));
  return (match.str(2) == "+") == is_onto ? distance : -distance;
}

}  // namespace

// `psum(x, 'X')`, `psum(x, ('X', 'Y'))`, `psum(x, axis_name='X')`: as JAX writes it.
bool ForeignWriter::has_named_axes(const Arguments& arguments) {
  const ForeignTree* axes = arguments.at(1, "axis_name");
  if (axes == nullptr) return false;
  const auto items = items_of(*axes);
  return !items.empty() && std::all_of(items.begin(), items.end(), [](const ForeignTree* item) {
    return item->kind == PlaceKind::Text;
  });
}

// What the word is a call of; `gather` is the collective over an axis of the mesh and between processes, and otherwise picks
// elements by an index.
const ForeignFunction* ForeignWriter::function_called(const ForeignTree& callee,
                                                      const std::string& path,
                                                      const Arguments& arguments) const {
  const ForeignTree* over = arguments.at(1, "axis");
  const PlaceAxes axes = names_.axes();
  const auto is_over_axis = [&] {
    return over == nullptr || (over->kind == PlaceKind::Name && !names_.is_array(over->text) &&
                               std::find(axes.begin(), axes.end(), over->text) != axes.end());
  };
  const bool blocks =
      callee.text == "gather" && (has_named_axes(arguments) || path.starts_with("dist.") ||
                                  path.starts_with("torch.dist") || is_over_axis());
  return foreign_function(blocks ? "all_gather" : callee.text);
}

bool ForeignWriter::is_tiled(const Arguments& arguments) {
  const ForeignTree* tiled = arguments.keyword("tiled");
  return tiled != nullptr && !tiled->is_name("False");
}

// The dimension along which blocks are joined, or are parted by a ReduceScatter, as it is written; JAX's own where none is.
std::optional<std::int64_t> ForeignWriter::written_place(ForeignForm form,
                                                         const Arguments& arguments) {
  const ForeignTree* place = nullptr;
  if (form == ForeignForm::AllGather) place = arguments.keyword("axis");
  if (form == ForeignForm::ReduceScatter) place = arguments.keyword("scatter_dimension");
  if (form == ForeignForm::AllToAll) place = arguments.at(3, "concat_axis");
  if (place != nullptr) return foreign_number(*place);
  const bool has_default = form == ForeignForm::AllGather || form == ForeignForm::ReduceScatter;
  return has_default && is_tiled(arguments) ? std::optional<std::int64_t>(0) : std::nullopt;
}

// How many dimensions an array that is known nowhere has at least.
std::size_t ForeignWriter::collective_rank(ForeignForm form, const Arguments& arguments) {
  constexpr std::size_t kFewest = 2;
  constexpr std::int64_t kMost = 6;
  if (!has_named_axes(arguments)) return kFewest;
  std::size_t rank = kFewest;
  const auto reach = [&](std::optional<std::int64_t> place) {
    if (place && *place >= 0 && *place < kMost)
      rank = std::max(rank, static_cast<std::size_t>(*place) + 1);
  };
  reach(written_place(form, arguments));
  const ForeignTree* split =
      form == ForeignForm::AllToAll ? arguments.at(2, "split_axis") : nullptr;
  if (split != nullptr) reach(foreign_number(*split));
  return rank;
}

// The stored dimension that the argument counts.
std::optional<std::size_t> ForeignWriter::dimension_argument(const ForeignTree* tree,
                                                             const ForeignOperand& array) const {
  const auto place = tree == nullptr ? std::nullopt : axes_argument(tree, array);
  if (!place || place->empty()) return std::nullopt;
  return array.order[place->front()];
}

// The stored dimension along which a call of JAX joins blocks; nullopt where it does not say.
std::optional<std::size_t> ForeignWriter::joined_dimension(ForeignForm form,
                                                           const Arguments& arguments,
                                                           const ForeignOperand& array) const {
  const bool joins = form == ForeignForm::AllGather || form == ForeignForm::AllToAll;
  if (!joins || !has_named_axes(arguments)) return std::nullopt;
  auto place = written_place(form, arguments);
  const auto rank = static_cast<std::int64_t>(array.order.size());
  if (place && *place < 0) *place += rank;
  if (!place || *place < 0 || *place >= rank) return std::nullopt;
  return array.order[static_cast<std::size_t>(*place)];
}

// Whether blocks are joined along the dimension that the axis splits; says so if they are not.
bool ForeignWriter::joins_split(const ForeignOperand& array, std::size_t joined, std::size_t split,
                                const std::string& axis) {
  if (joined == split) return true;
  explain(fmt::format("blocks are joined along `{}` there, and `{}` splits `{}` of `{}`",
                      array.dimensions[joined].name, axis, array.dimensions[split].name,
                      array.text));
  return false;
}

// Without `tiled=True` JAX counts the blocks by a dimension of their own.
void ForeignWriter::explain_untiled(const ForeignFunction& function, const Arguments& arguments,
                                    const std::vector<std::string>& axes) {
  if (function.form == ForeignForm::Shift || !has_named_axes(arguments) || is_tiled(arguments))
    return;
  explain(
      fmt::format("{}; without `tiled=True` the blocks along `{}` have a dimension of their own in "
                  "JAX, and here the dimension stays one",
                  function.meaning, join(axes, "`, `")));
}

// By how many devices each block moves up the axis; nullopt, after saying so, if that is not one number.
std::optional<std::int64_t> ForeignWriter::shift_distance(const Arguments& arguments) {
  const ForeignTree* pairs = arguments.at(2, "perm");
  if (pairs == nullptr || pairs->kind == PlaceKind::Name) return 1;
  const auto distance = pairs->kind == PlaceKind::Tuple ? distance_of_pairs(items_of(*pairs))
                                                        : distance_of_rule(pairs->text);
  if (!distance)
    explain(
        "Shift moves all blocks along an axis by as many devices, around its ring, and nothing "
        "moves them otherwise");
  return distance;
}

// The collective over the axes, and along the dimensions, that the call names.
std::string ForeignWriter::example_of(const ForeignFunction& function,
                                      const Arguments& arguments) const {
  const ForeignForm form = function.form;
  if (!is_collective_form(form) || !has_named_axes(arguments)) return std::string(function.example);
  PlaceAxes axes;
  for (const ForeignTree* item : items_of(*arguments.at(1, "axis_name")))
    axes.push_back(axis_named(item->text));
  std::vector<ForeignDimension> from = {{"I"}, {"J"}, {"K"}, {"L"}, {"M"}, {"N"}};
  from.resize(std::min(collective_rank(form, arguments), from.size()));
  auto to = from;
  const auto place_of = [&](std::optional<std::int64_t> place, std::size_t otherwise) {
    const auto rank = static_cast<std::int64_t>(from.size());
    if (place && *place < 0) *place += rank;
    return place && *place >= 0 && *place < rank ? static_cast<std::size_t>(*place) : otherwise;
  };
  const std::size_t place = place_of(written_place(form, arguments), 0);
  const std::string over = axes_text(axes);
  const bool letters = std::all_of(axes.begin(), axes.end(),
                                   [](const std::string& axis) { return axis.size() == 1; });
  const std::string row = join(axes, letters ? "" : ",");
  if (form == ForeignForm::AllReduce) {
    const bool extreme = function.word == "max" || function.word == "min";
    return fmt::format("AllReduce{0} C{1}{{{2}{0}}} → C{1}", over, brackets_text(to),
                       extreme ? function.word : "U");
  }
  if (form == ForeignForm::ReduceScatter) {
    to[place].axes = axes;
    return fmt::format("ReduceScatter_{{{},{}}} C{}{{U{}}} → C{}", row, to[place].name,
                       brackets_text(from), over, brackets_text(to));
  }
  from[place].axes = axes;
  if (form == ForeignForm::Shift)
    return fmt::format("Shift{} A{} → B{}", over, brackets_text(from), brackets_text(from));
  if (form == ForeignForm::AllGather)
    return fmt::format("AllGather{} A{} → A{}", over, brackets_text(from), brackets_text(to));
  const ForeignTree* split = arguments.at(2, "split_axis");
  std::size_t parted = place_of(split == nullptr ? std::nullopt : foreign_number(*split), 1);
  if (parted == place) parted = place == 0 ? 1 : 0;
  to[parted].axes = axes;
  return fmt::format("AllToAll_{{{},{}}} A{} → A{}", row, to[parted].name, brackets_text(from),
                     brackets_text(to));
}

}  // namespace shard
