// Places in the brackets of an array that are neither numbers nor parts: `E[tok[0]]`, `A[[0, 2]]`, `A[::-1]`, `A[A > 0]`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;

bool is_strided(const ForeignTree& part) {
  return part.kind == TreeKind::Slice && part.parts.size() > 2;
}

// `A > 0`: a comparison of an array.
bool is_mask(const ForeignTree& part, const ForeignNames& names) {
  static const std::vector<std::string> signs = {"<", "<=", "≤", ">", ">=", "≥", "==", "!=", "≠"};
  return part.kind == TreeKind::Binary && contains(signs, part.text) &&
         std::any_of(part.parts.begin(), part.parts.end(), [&](const ForeignTree& operand) {
           return operand.kind == TreeKind::Name && names.is_array(operand.text);
         });
}

// How many places, and which, as a formula of `{}`, the position among them.
struct CountedPlaces {
  std::string count;
  std::string formula;
};

// Of whole numbers: the list that they are, shortest where they stand equally far apart.
std::optional<CountedPlaces> listed_places(const ForeignTree& list) {
  constexpr std::size_t kMostPlaces = 8;
  std::vector<std::int64_t> places;
  for (const ForeignTree& item : list.parts) {
    const auto place = foreign_number(item);
    if (!place || *place < 0) return std::nullopt;
    places.push_back(*place);
  }
  if (places.size() < 2 || places.size() > kMostPlaces) return std::nullopt;
  CountedPlaces counted{fmt::format("{}", places.size()), fmt::format("{}", places.back())};
  for (std::size_t i = places.size() - 1; i-- > 0;)
    counted.formula = fmt::format("where({{}} == {}, {}, {})", i, places[i], counted.formula);
  return counted;
}

// `::2`, `1::3`, `::-1`; nullopt where the numbers do not say which places that are.
std::optional<CountedPlaces> strided_places(const ForeignTree& slice, const std::string& size,
                                            std::optional<std::int64_t> length) {
  const auto is_open = [](const ForeignTree& part) { return part.kind == TreeKind::Unread; };
  const auto step = foreign_number(slice.parts[2]);
  if (!step) return std::nullopt;
  if (*step == -1 && is_open(slice.parts[0]) && is_open(slice.parts[1]))
    return CountedPlaces{size, size + " - 1 - {}"};
  const auto begin = is_open(slice.parts[0]) ? 0 : foreign_number(slice.parts[0]);
  const auto end = is_open(slice.parts[1]) ? length : foreign_number(slice.parts[1]);
  if (*step < 1 || !begin || !end || *begin < 0 || *end <= *begin || !length || *end > *length)
    return std::nullopt;
  const std::int64_t count = (*end - *begin - 1) / *step + 1;
  std::string formula = *step == 1 ? "{}" : fmt::format("{} * {{}}", *step);
  if (*begin > 0) formula = fmt::format("{} + {}", *begin, formula);
  return CountedPlaces{fmt::format("{}", count), formula};
}

std::string with_position(std::string formula, const std::string& position) {
  for (std::size_t at = formula.find("{}"); at != std::string::npos; at = formula.find("{}", at))
    formula.replace(at, 2, position);
  return formula;
}

}  // namespace

// `tok[0]`, `tok[i, 2]`: one element of an array, by places; empty if it is none.
std::string ForeignWriter::element_text(const ForeignTree& tree) const {
  const bool indexed = tree.kind == TreeKind::Index && tree.text.empty() &&
                       tree.parts.front().kind == TreeKind::Name;
  const auto array = indexed ? names_.array(tree.parts.front().text) : std::nullopt;
  if (!array || array->dimensions.size() != tree.parts.size() - 1) return "";
  std::vector<std::string> places;
  for (auto part = tree.parts.begin() + 1; part != tree.parts.end(); ++part) {
    const bool place = (part->kind == TreeKind::Name && names_.is_scalar(part->text) &&
                        !names_.length_of(part->text)) ||
                       foreign_number(*part);
    if (!place) return "";
    places.push_back(foreign_number(*part) ? fmt::format("{}", *foreign_number(*part))
                                           : part->text);
  }
  return fmt::format("{}[{}]", tree.parts.front().text, join(places, ", "));
}

// One dimension by places that are counted, others by an element or whole.
ForeignWriter::Result ForeignWriter::write_places(const ForeignTree& tree,
                                                  const ForeignOperand& array) {
  const std::size_t rank = array.order.size();
  if (array.is_reordered() || tree.parts.size() - 1 > rank) return std::nullopt;
  std::vector<std::string> picks;
  std::vector<ForeignDimension> left;
  const ForeignTree* counted = nullptr;
  for (std::size_t place = 0; place < rank; ++place) {
    const ForeignDimension& dimension = array.seen(place);
    const ForeignTree* part = place + 1 < tree.parts.size() ? &tree.parts[place + 1] : nullptr;
    if (part == nullptr || (part->kind == TreeKind::Slice && part->text == ":")) {
      left.push_back(dimension);
    } else if (const std::string element = element_text(*part); !element.empty()) {
      picks.push_back(fmt::format("{} = {}", dimension.name, element));
    } else if (foreign_number(*part)) {
      picks.push_back(fmt::format("{} = {}", dimension.name, *foreign_number(*part)));
    } else {
      const auto names = unused_names(array, {"N", "M", "L", "P", "Q", "R", "G", "H"});
      const bool sized = names_.is_array(dimension.name);
      const std::string size = sized ? fmt::format("|{}|", dimension.name) : dimension.name;
      const auto places = part->kind == TreeKind::Tuple ? listed_places(*part)
                          : is_strided(*part)
                              ? strided_places(*part, size, names_.length_of(dimension.name))
                              : std::nullopt;
      if (!places || names.empty() || counted != nullptr) return std::nullopt;
      counted = part;
      before_ += fmt::format("{} = {}; ", names.front(), places->count);
      picks.push_back(fmt::format("{} = {}", dimension.name,
                                  with_position(places->formula, "iota_" + names.front())));
      left.push_back({names.front()});
    }
  }
  ForeignOperand picked = computed(fmt::format("{}[{}]", bracketed_text(array), join(picks, ", ")),
                                   OperandRank::Atom, std::move(left));
  picked.use = ForeignOperand::Use::Target;
  note(counted == nullptr ? tree : *counted,
       counted == nullptr
           ? "an element is picked by the name of its dimension"
           : "places that no part has are picked by an index, which counts along a dimension of "
             "its own");
  return picked;
}

// Whether it has places of that kind, which are written or are the mistake.
bool ForeignWriter::has_places(const ForeignTree& tree) const {
  return std::any_of(tree.parts.begin() + 1, tree.parts.end(), [&](const ForeignTree& part) {
    return part.kind == TreeKind::Tuple || is_strided(part) || is_mask(part, names_) ||
           !element_text(part).empty();
  });
}

ForeignWriter::Result ForeignWriter::write_places_or_why(const ForeignTree& tree,
                                                         const ForeignOperand& array) {
  const std::string before = before_;
  if (auto picked = write_places(tree, array)) return picked;
  before_ = before;
  const auto is = [&](auto&& condition) {
    return std::find_if(tree.parts.begin() + 1, tree.parts.end(), condition);
  };
  if (const auto mask = is([&](const auto& part) { return is_mask(part, names_); });
      mask != tree.parts.end())
    return stuck(*mask,
                 "how long an array is never depends on its contents: `where` keeps all places");
  if (const auto list = is([](const auto& part) { return part.kind == TreeKind::Tuple; });
      list != tree.parts.end())
    return stuck(*list, "places that are listed stand in an array of integers, which is the index");
  if (const auto stride = is(is_strided); stride != tree.parts.end())
    return stuck(*stride,
                 "places that no part has are picked by an index, which counts along a dimension "
                 "of its own");
  return std::nullopt;
}

}  // namespace shard
