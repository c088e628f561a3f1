// A random script whose gradients are held against finite differences: its inputs in random layouts, its statements as they are
// written, and the comparison.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/words.h"
#include "tests/interpreter/properties/random_program/random.h"

namespace shard::random_program {

using Dims = std::vector<std::string>;

// All lengths divide by both axes at once; L and T alone are never split.
inline constexpr const char* kSizes =
    "B = 4, D = 8, F = 4, H = 4, N = 2, M = 4, L = 3, V = 8, E = 12";

struct Array {
  std::string
      name;  // "@a1@": what stands between the signs has a suffix in the two other computations
  Dims dims;
};

inline bool has(const Dims& dims, const std::string& name) {
  return std::find(dims.begin(), dims.end(), name) != dims.end();
}

inline Dims without(Dims dims, const std::string& name) {
  std::erase(dims, name);
  return dims;
}

class GradientScript {
 public:
  explicit GradientScript(std::uint64_t seed) : random_(seed) {
    const auto size = [&] { return std::size_t{1} << random_.below(2); };
    head_ = fmt::format("mesh {{X: {}, Y: {}}}\n{}\n", size(), size(), kSizes);
  }

  const std::string& text() const { return text_; }
  const std::map<std::string, int>& hits() const { return hits_; }

 protected:
  std::string brackets(const Dims& dims) {
    std::vector<std::string> axes(dims.size());
    for (const char* axis : {"X", "Y"}) {
      if (dims.empty() || random_.chance(35)) continue;
      const std::size_t place = random_.below(dims.size());
      if (dims[place] == "L") continue;
      // N has two elements.
      if (dims[place] == "N" && !axes[place].empty()) continue;
      axes[place] += axis;
    }
    std::vector<std::string> written;
    for (std::size_t i = 0; i < dims.size(); ++i)
      written.push_back(dims[i] + (axes[i].empty() ? "" : "_{" + axes[i] + "}"));
    return "[" + join(written, ", ") + "]";
  }

  // In fp32 an input meets results in fp64: where it is moved by a step, it is in fp64 as well.
  Array input(Dims dims, const char* dtype = "fp64") {
    const std::string name = "p" + std::to_string(inputs_.size() + 1);
    const std::string written = brackets(dims);
    const std::size_t number = inputs_.size() + 1;
    head_ += fmt::format("{}: {}{} = random({})\n", name, dtype, written, number);
    head_ += fmt::format("v{}: fp64{} = random({})\n", name, written, number + 100);
    inputs_.push_back({name, written, dims});
    return {"@" + name + "@", std::move(dims)};
  }

  // Its dimensions without an axis.
  static std::string whole(const Dims& dims) { return "[" + join(dims, ", ") + "]"; }

  // The same array, made anew and not split: parts of it are cut where nothing moves.
  Array unsplit(const Array& x) {
    make(x.name, x.dims);
    lines_.back() = arrays_.back().name + whole(x.dims) + " = " + x.name;
    return arrays_.back();
  }

  // With elements `from` up to `to` of a dimension.
  static std::string part(const Array& x, const std::string& dim, std::size_t from,
                          std::size_t to) {
    Dims written = x.dims;
    std::replace(written.begin(), written.end(), dim, fmt::format("{}:{}", from, to));
    return x.name + whole(written);
  }

  // An array with at least these dimensions, or a new input.
  Array any() { return random_.pick(arrays_); }
  Array with(const std::string& dim) {
    std::vector<Array> fitting;
    std::copy_if(arrays_.begin(), arrays_.end(), std::back_inserter(fitting),
                 [&](const Array& array) { return has(array.dims, dim); });
    if (fitting.empty()) return input({"B", dim == "B" ? "D" : dim});
    return random_.pick(fitting);
  }

  // Some of the dimensions, at least one of them; of a scalar, which has none, none.
  Dims some(const Dims& dims) {
    Dims kept;
    for (const std::string& dim : dims) {
      if (random_.chance(60)) kept.push_back(dim);
    }
    if (kept.empty() && !dims.empty()) kept.push_back(dims.front());
    return kept;
  }

  void make(const std::string& value, Dims dims, const std::string& sign = " = ") {
    const std::string name = "@a" + std::to_string(++made_) + "@";
    lines_.push_back(name + brackets(dims) + sign + value);
    arrays_.push_back({name, std::move(dims)});
  }

  static std::string named(const std::string& line, const std::string& suffix) {
    std::string text;
    bool inside = false;
    for (const char c : line) {
      if (c != '@') {
        text += c;
        continue;
      }
      if (inside) text += suffix;
      inside = !inside;
    }
    return text;
  }

  static std::string summed(const Dims& dims, const std::string& value) {
    return dims.empty() ? value : fmt::format("sum_{{{}}}({})", join(dims, ","), value);
  }

  void finish() {
    const Array last = arrays_.back();
    const std::string out = named(last.name, "");
    head_ += fmt::format("d{}: fp64{} = random(77)\n", out, brackets(last.dims));
    text_ = head_;
    for (const std::string& line : lines_) text_ += named(line, "") + "\n";
    text_ += "backward " + out + "\n";
    std::string back = "scale";
    for (const auto& [name, brackets, dims] : inputs_) {
      text_ += fmt::format("{0}m: fp64{1} = {0} - 1e-7 ⊙ v{0}\n{0}q: fp64{1} = {0} + 1e-7 ⊙ v{0}\n",
                           name, brackets);
    }
    for (const char* suffix : {"m", "q"}) {
      for (const std::string& line : lines_) text_ += named(line, suffix) + "\n";
    }
    text_ += fmt::format("scale: fp64[] = {}\n",
                         summed(last.dims, fmt::format("abs({0}) + abs({0} ⊙ d{0})", out)));
    text_ += fmt::format("differences: fp64[] = scale + {}\n",
                         summed(last.dims, fmt::format("({0}q - {0}m) ⊙ d{0} / 2e-7", out)));
    text_ += "gradients: fp64[] = scale";
    for (const auto& [name, brackets, dims] : inputs_) {
      // What did not lead to the result has none.
      if (reaches(name)) text_ += " + " + summed(dims, fmt::format("d{0} ⊙ v{0}", name));
    }
    text_ += "\nexpect equal(differences, gradients, 1e-6)\n";
  }

  // Whether the last line depends on the input.
  bool reaches(const std::string& input) const {
    std::vector<std::string> wanted = {arrays_.back().name};
    for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
      const bool is_block = line->starts_with("for") || line->starts_with("fused");
      const std::size_t begin = is_block ? line->find('@') : 0;
      const std::string target = line->substr(begin, line->find('@', begin + 1) + 1 - begin);
      if (!has(wanted, target)) continue;
      for (std::size_t at = line->find('@'); at != std::string::npos;) {
        const std::size_t end = line->find('@', at + 1);
        wanted.push_back(line->substr(at, end + 1 - at));
        at = line->find('@', end + 1);
      }
    }
    return has(wanted, "@" + input + "@");
  }

  struct Input {
    std::string name;
    std::string brackets;
    Dims dims;
  };

  Random random_;
  std::string head_;
  std::string text_;
  std::vector<std::string> lines_;
  std::vector<Input> inputs_;
  std::vector<Array> arrays_;
  std::map<std::string, int> hits_;
  int made_ = 0;
  int indices_ = 0;
  int functions_ = 0;
};

}  // namespace shard::random_program
