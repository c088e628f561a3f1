// Types and meshes as JAX and the compilers below it print them.
#include <string>
#include <vector>

#include "base/words.h"
#include "grammar/posted/spelling.h"

namespace shard {
namespace {

// `ShapedArray(float32[8@X,4])`, `Traced<…>with<…>`: the type itself. `jax.typeof(x) = …`: the name and the type.
void respell_wrapped_types(Respelt& line) {
  static const std::regex shaped(
      R"(ShapedArray\(\s*([a-z]\w*\[[^\]]*\](?:\{[^{}]*\})?)(?:,[^()]*)?\s*\))");
  line.replace_all(shaped, [](const auto& match) { return match.str(1); });
  static const std::regex traced(R"(Traced<([^<>]*)>(with<[^<>]*>)?)");
  line.replace_all(traced, [](const auto& match) { return match.str(1); });
  static const std::regex asked(R"((?:jax\.typeof|typeof|type)\((\w+)\)\s*(?:=|→|->|:)\s*)");
  line.replace_all(asked, [](const auto& match) { return match.str(1) + ": "; });
}

// The axes of one entry of a mark: `x`, `(x,y)`.
std::string mark_axes(const std::string& text) {
  std::string axes;
  for (const char c : text) {
    if (is_name_character(c)) axes += c;
    if (c == ',') axes += ",";
  }
  return axes;
}

// `{U:x}` is `{U_x}`. `{R:x}` and `{V:x}` say how gradients behave, and `{1,0:T(8,128)}` how bytes lie: neither changes
// the value.
void respell_marks(Respelt& line) {
  static const std::regex mark_pattern(
      R"((\b[a-z]+\d+\w*\[[^\]]*\])\{\s*([URV]:[^{}]*|[\d,]*(?::[^{}]*)?)\})");
  // Names that a comma parts are axes of the same mark, unless one begins the next: `{U:x,V:y}`.
  static const std::regex unreduced_pattern(R"(U:\s*(\([^()]*\)|\w+(?:\s*,\s*\w+\b(?!\s*:))*))");
  line.replace_all(mark_pattern, [](const auto& match) {
    const std::string inside = match.str(2);
    std::smatch unreduced;
    if (!std::regex_search(inside, unreduced, unreduced_pattern)) return match.str(1);
    return match.str(1) + "{U_{" + mark_axes(unreduced.str(1)) + "}}";
  });
}

// `ShapeDtypeStruct(shape=(8, 4), dtype=float32, sharding=…)`
void respell_structs(Respelt& line) {
  static const std::regex struct_pattern(
      R"((?:jax\.)?ShapeDtypeStruct\(shape=\(([\d, ]*)\), dtype=(\w+)(.*)\))");
  static const std::regex spec_pattern(R"((?:PartitionSpec|P)\(([^()]*)\))");
  static const std::regex axis(R"(['"](\w+)['"]|None)");
  line.replace_all(struct_pattern, [](const auto& match) -> std::optional<std::string> {
    std::vector<std::string> lengths;
    static const std::regex length(R"(\d+)");
    const std::string shape = match.str(1);
    for (std::sregex_iterator i(shape.begin(), shape.end(), length), end; i != end; ++i)
      lengths.push_back(i->str());
    std::smatch spec;
    const std::string rest = match.str(3);
    if (std::regex_search(rest, spec, spec_pattern)) {
      const std::string items = spec.str(1);
      std::size_t place = 0;
      for (std::sregex_iterator i(items.begin(), items.end(), axis), end; i != end; ++i, ++place) {
        if (place >= lengths.size()) return std::nullopt;
        if ((*i)[1].matched) lengths[place] += "@" + i->str(1);
      }
    } else if (rest.find("sharding=") != std::string::npos) {
      return std::nullopt;  // a layout that is not read is not left out
    }
    return match.str(2) + "[" + join(lengths, ", ") + "]";
  });
}

// `X,Y` as `XY`; longer names in braces.
std::string joined_letters(const std::string& text) {
  std::string row;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && is_name_character(text[i]) && is_name_character(text[i - 1]))
      return "{" + mark_axes(text) + "}";
    if (is_name_character(text[i])) row += text[i];
  }
  return row;
}

// ---- meshes

// `mesh {X: 4, Y: 2}` of the pairs of a name and a size in the text.
std::optional<std::string> printed_mesh(const std::string& text) {
  static const std::regex pair(R"(['"]?([A-Za-z]\w*)['"]?\s*[:=,]\s*(\d+))");
  std::vector<std::string> axes;
  for (std::sregex_iterator i(text.begin(), text.end(), pair), end; i != end; ++i)
    axes.push_back(i->str(1) + ": " + i->str(2));
  if (axes.empty()) return std::nullopt;
  return "mesh {" + join(axes, ", ") + "}";
}

// The same of a row of sizes and a row of names.
std::optional<std::string> sized_mesh(const std::string& sizes, const std::string& names) {
  static const std::regex word_pattern(R"(\w+)");
  std::sregex_iterator size(sizes.begin(), sizes.end(), word_pattern);
  std::sregex_iterator name(names.begin(), names.end(), word_pattern);
  const std::sregex_iterator end;
  std::vector<std::string> axes;
  for (; size != end && name != end; ++size, ++name)
    axes.push_back(name->str() + ": " + size->str());
  if (axes.empty() || size != end || name != end) return std::nullopt;
  return "mesh {" + join(axes, ", ") + "}";
}

void respell_meshes(Respelt& line) {
  // `Mesh('X': 4, 'Y': 2, axis_types=(Explicit, Explicit))`
  static const std::regex printed(
      R"((?:Abstract)?Mesh\(('\w+': \d+(?:, '\w+': \d+)*)(?:[^()]|\([^()]*\))*\))");
  line.replace_all(printed, [](const auto& match) { return printed_mesh(match.str(1)); });
  static const std::regex sharding_pattern(R"(NamedSharding\(mesh=(mesh \{[^{}]*\}).*\))");
  line.replace_all(sharding_pattern, [](const auto& match) { return match.str(1); });
  // `sdy.mesh @mesh = <["x"=1, "y"=2]>`, `mesh:|x=2,y=2|*GPU`, `create_mesh([("x", 2), ("y", 4)])`
  static const std::regex other(
      R"(sdy\.mesh\s+@\w+\s*=\s*<\[([^\]]*)\]>|\bmesh:\|([\w=,]+)\|(?:\*\w+)?|(?:\w+\.)*create_mesh\(\[((?:\("\w+", \d+\),? ?)+)\]\))");
  line.replace_all(other, [](const auto& match) {
    return printed_mesh(match.str(1) + match.str(2) + match.str(3));
  });
  // `init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))`, `xs.Mesh(ids, (4, 2), ('x', 'y'))`
  static const std::regex sized(
      R"((?:\w+\s*=\s*)?(?:\w+\.)*(?:init_device_mesh|Mesh|ProcessMesh)\(["'\w.]*,?\s*(?:\w+=)?\(([\d, ]+)\),\s*(?:\w+=)?[(\[]\s*((?:['"]\w+['"],?\s*)+)[)\]]\s*\))");
  line.replace_all(sized, [](const auto& match) { return sized_mesh(match.str(1), match.str(2)); });
  static const std::regex set_pattern(
      R"((?:with\s+)?(?:\w+\.)*(?:set_mesh|use_mesh)\(((?:\w+\.)*(?:make_mesh|Mesh)\(.*\))\):?)");
  line.replace_all(set_pattern, [](const auto& match) { return match.str(1); });
  // `Mesh = {X: 4, Y: 8}`
  static const std::regex equal_pattern(R"(\bMesh\s*=\s*\{([^{}]*\d[^{}]*)\})");
  line.replace_all(equal_pattern, [](const auto& match) { return printed_mesh(match.str(1)); });
}

}  // namespace

bool respell_jax(Respelt& line) {
  const auto has = [&](std::string_view word) {
    return line.text().find(word) != std::string::npos;
  };
  if (has("ShapeDtypeStruct(")) respell_structs(line);
  if (has("mesh") || has("Mesh")) respell_meshes(line);
  static const std::regex split(R"((\d)@\(([A-Za-z]\w*(?:, ?[A-Za-z]\w*)*)\))");
  if (has("@(")) {
    line.replace_all(
        split, [](const auto& match) { return match.str(1) + "@" + joined_letters(match.str(2)); });
  }
  const bool wrapped = has("ShapedArray(");
  if (wrapped || has("Traced<") || has("type")) respell_wrapped_types(line);
  if (has("{")) respell_marks(line);
  return wrapped && !has("ShapedArray(");
}

}  // namespace shard
