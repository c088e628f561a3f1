// Layouts beside an array: the specifications of JAX, the placements of PyTorch.
#include <algorithm>
#include <string>
#include <vector>

#include "base/words.h"
#include "grammar/posted/spelling.h"

namespace shard {
namespace {

// The axes of each dimension, each as a subscript; "" for one that is not split. And those that are unreduced.
struct LayoutSpec {
  std::vector<std::string> axes;
  std::vector<std::string> unreduced;
};

std::string spec_subscript(const std::vector<std::string>& axes) {
  bool letters = true;
  for (const std::string& axis : axes) letters = letters && axis.size() == 1;
  return "_{" + join(axes, letters ? "" : ",") + "}";
}

// `'X', None`, `('X', 'Y'), None`
LayoutSpec spec_of_names(const std::string& items) {
  static const std::regex item(R"(None|['"](\w+)['"]|\(([^()]*)\))");
  static const std::regex name_pattern(R"(\w+)");
  LayoutSpec spec;
  for (std::sregex_iterator i(items.begin(), items.end(), item), end; i != end; ++i) {
    const std::string names = i->str(1) + i->str(2);
    std::vector<std::string> axes;
    for (std::sregex_iterator name(names.begin(), names.end(), name_pattern); name != end; ++name)
      axes.push_back(name->str());
    spec.axes.push_back(axes.empty() ? "" : spec_subscript(axes));
  }
  return spec;
}

// `Shard(0), Replicate(), Partial()`: one for each axis of the mesh.
std::optional<LayoutSpec> spec_of_placements(const std::string& items,
                                             const std::vector<std::string>& mesh) {
  static const std::regex item(R"(Shard\((?:dim=)?(\d)\)|Replicate\(\)|Partial\([^()]*\))");
  LayoutSpec spec;
  std::vector<std::vector<std::string>> axes;
  std::size_t place = 0;
  for (std::sregex_iterator i(items.begin(), items.end(), item), end; i != end; ++i, ++place) {
    if (place >= mesh.size()) return std::nullopt;
    if (i->str().starts_with("Partial")) spec.unreduced.push_back(mesh[place]);
    if (!(*i)[1].matched) continue;
    const auto dimension = static_cast<std::size_t>(i->str(1).front() - '0');
    if (axes.size() <= dimension) axes.resize(dimension + 1);
    axes[dimension].push_back(mesh[place]);
  }
  for (const auto& split : axes) spec.axes.push_back(split.empty() ? "" : spec_subscript(split));
  return place == mesh.size() ? std::optional(spec) : std::nullopt;
}

// Of `I_X`, `I_{data,model}`, `64@X` the letters of the axes; "" if what stands behind the mark is part of the name: `D_in`. Without a
// mesh, axes have capital letters.
std::string written_axes(const std::string& dimension, const std::vector<std::string>& mesh) {
  const std::size_t mark = dimension.find_first_of("_@");
  if (mark == std::string::npos) return "";
  std::string axes = dimension.substr(mark + 1);
  constexpr std::string_view kAround = "{}(), ";
  std::erase_if(axes, [&](char c) { return kAround.find(c) != std::string_view::npos; });
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (dimension[mark] == '@') return axes;
  if (mesh.empty()) return std::all_of(axes.begin(), axes.end(), is_capital) ? axes : "";
  std::size_t begin = 0;
  while (begin < axes.size()) {
    std::size_t length = 0;
    for (const std::string& axis : mesh) {
      if (axis.size() > length && axes.compare(begin, axis.size(), axis) == 0) length = axis.size();
    }
    if (length == 0) return "";
    begin += length;
  }
  return axes;
}

// `_{X,Y}` as written_axes has them.
std::string letters_of(std::string subscript) {
  std::erase_if(subscript, [](char c) { return c == '_' || c == '{' || c == '}' || c == ','; });
  return subscript;
}

// The array with the layout in its brackets; nullopt if they have another one already, or too few dimensions.
std::optional<std::string> laid_out(const std::string& head, const std::string& list,
                                    const LayoutSpec& spec, const std::vector<std::string>& mesh) {
  static const std::regex dimension_pattern(
      R"(\s*((?:[A-Za-z]\w*|\d+(?:[@_]\w*)?)(?:\{[^{}]*\})?)\s*(,|$))");
  const bool typed = head.find(':') != std::string::npos;
  // `x: [B, D]` has the colon of a label, and `x | [B, D]` the border of a cell.
  const std::size_t name_end = head.find_last_not_of(" :|") + 1;
  std::vector<std::string> dimensions;
  std::size_t length = 0;
  for (std::sregex_iterator i(list.begin(), list.end(), dimension_pattern), end; i != end; ++i) {
    dimensions.push_back(i->str(1));
    length += static_cast<std::size_t>(i->length());
  }
  if (length != list.size() || spec.axes.size() > dimensions.size()) return std::nullopt;
  const bool split = std::any_of(dimensions.begin(), dimensions.end(), [&](const auto& dimension) {
    return !written_axes(dimension, mesh).empty();
  });
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::string axes = i < spec.axes.size() ? spec.axes[i] : "";
    if (split && written_axes(dimensions[i], mesh) != letters_of(axes)) return std::nullopt;
    if (split || axes.empty()) continue;
    // A length that stands alone has its axis behind an `@`.
    const bool number = is_digit(dimensions[i].front()) && !typed;
    dimensions[i] += number ? "@" + axes.substr(2, axes.size() - 3) : axes;
  }
  const std::string mark =
      spec.unreduced.empty() ? "" : "{U" + spec_subscript(spec.unreduced) + "}";
  return head.substr(0, name_end) + "[" + join(dimensions, ", ") + "]" + mark;
}

// `x P('X', None)`, `x [Shard(0)]`: an array that the script has gets the brackets that it was declared with.
void respell_declared(Respelt& line, const PostedNames& names) {
  static const std::regex bare(
      R"((^|[\s`])([A-Za-z]\w*)(?=\s*[:|]?\s+(?:(?:jax\.)?(?:sharding\.)?(?:PartitionSpec|P)\(|[\[(](?:Shard|Replicate|Partial)\()))");
  line.replace_all(bare, [&](const auto& match) -> std::optional<std::string> {
    const auto dimensions = names.dimensions(match.str(2));
    if (dimensions.empty()) return std::nullopt;
    return match.str(1) + match.str(2) + "[" + join(dimensions, ", ") + "]";
  });
}

}  // namespace

bool respell_specs(Respelt& line, const PostedNames& names) {
  bool found = false;
  const auto note = [&](std::optional<std::string> written) {
    found = found || written.has_value();
    return written;
  };
  const auto has = [&](std::string_view word) {
    return line.text().find(word) != std::string::npos;
  };
  if (has("P(") || has("PartitionSpec(") || has("Shard(") || has("Replicate("))
    respell_declared(line, names);
  // Between the two a sign, or up to three words: `is given by`.
  static const std::regex named(
      R"((\b[A-Za-z]\w*(?:\s*[:|]\s*(?:[a-z]\w*)?)?)\[([^\[\]]*)\]((?:\s|[:,;=|→-])*(?:[a-z]\w*\s+){0,2}(?:[a-z]\w*)?(?:\s|[:=])*)(?:jax\.)?(?:sharding\.)?(?:PartitionSpec|P)\(((?:[^()]|\([^()]*\))*)\))");
  if (has("P(") || has("PartitionSpec(")) {
    line.replace_all(named, [&](const auto& match) {
      return note(laid_out(match.str(1), match.str(2), spec_of_names(match.str(4)), names.axes));
    });
  }
  static const std::regex placed(
      R"((\b[A-Za-z]\w*(?:\s*[:|]\s*(?:[a-z]\w*)?)?)\[([^\[\]]*)\]((?:\s|[:,;=|→-])*(?:[a-z]\w*\s+){0,2}(?:[a-z]\w*)?(?:\s|[:=])*)[\[(]((?:(?:Shard|Replicate|Partial)\([^()]*\)(?:,\s*)?)+)[\])])");
  if (has("Shard(") || has("Replicate(")) {
    line.replace_all(placed, [&](const auto& match) -> std::optional<std::string> {
      const auto spec = spec_of_placements(match.str(4), names.axes);
      return spec ? note(laid_out(match.str(1), match.str(2), *spec, names.axes)) : std::nullopt;
    });
  }
  return found;
}

}  // namespace shard
