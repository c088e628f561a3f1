// Random programs with arrays that one place of the mesh holds.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

namespace shard::testing {

class PlacedProgram {
 public:
  explicit PlacedProgram(std::mt19937& random) : random_(random) {}

  std::string script() {
    std::string text = "hardware TPUv5p\nmesh {Z: 3, X: 2, Y: 2}\n";
    const int rows = size();
    const int columns = size();
    text += fmt::format("I = {}, J = {}, K = {}, M = {}\n", rows, columns, size(), rows * columns);
    if (one_of(6) == 0) text += fmt::format("fault link X[0] at {} us\n", 1 + one_of(40));
    if (one_of(6) == 0) text += fmt::format("slow device {} by 3\n", one_of(12));
    const int count = 2 + one_of(12);
    for (int i = 0; i < count; ++i) text += statement();
    return text;
  }

 private:
  int one_of(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  int size() { return 16 << (2 * one_of(4)); }
  std::string fresh() { return fmt::format("N{}", next_++); }
  std::string place() { return fmt::format("{{Z={}}}", one_of(3)); }
  // An array on dimensions I, J whose layout is known.
  std::string& known() {
    return arrays_[static_cast<std::size_t>(one_of(static_cast<int>(arrays_.size())))];
  }

  std::string statement() {
    const int kind = arrays_.empty() ? one_of(3) : one_of(12);
    const std::string name = fresh();
    if (kind == 0)
      return fmt::format("{0}[I, J] = AllGather_X {0}[I_X, J]\n", name) + note(name + "[I, J]");
    if (kind == 1) {
      const std::string at = place();
      return fmt::format("{0}[I, J]{1} = AllGather_Y {0}[I_Y, J]{1}\n", name, at) +
             note(name + "[I, J]" + at);
    }
    if (kind == 2) {
      const std::string at = one_of(2) == 0 ? "" : place();
      return fmt::format("{0}[I, J]{1} = L{0}[I, K]{1} · R{0}[K, J]{1}\n", name, at) +
             note(name + "[I, J]" + at);
    }
    const std::string from = known();
    const std::string bare = from.substr(0, from.find('['));
    const auto brace = from.find('{');
    const std::string at = brace == std::string::npos ? "" : from.substr(brace);
    switch (kind) {
      case 3:  // in place, perhaps
        return fmt::format("{0}[I, J]{1} = {0}[I, J]{1} + 1\n", bare, at);
      case 4:
        return fmt::format("{0}[I, J]{1} = relu({2})\n", name, at, from) +
               note(name + "[I, J]" + at);
      case 5:  // to another stage
        return move_to(name, from, at);
      case 6:  // a result that nothing uses, again and again
        return fmt::format("AllGather_X U[I_X, J] → U[I, J]\n");
      case 7:
        return fmt::format("{0}[M]{1} = Reshape({2})\n", name, at, from);
      case 8:
        return fmt::format("{0}[I, K]{1} = {2} ·_J M{0}[J, K]{1}\n", name, at, from);
      case 9:
        return fmt::format("{0}[I_X, J]{1} = {2} ⊙ 2\n", name, at, from);
      case 10:
        return fmt::format("G = {0} + 1\n", from);
      default:
        return fmt::format(
            "for i in 0..{0} {{ AllGather_Y V[I_Y, J] → V[I, J]; P[I, K] = V[I, J] · Q[J, K] }}\n",
            1 + one_of(3));
    }
  }

  std::string move_to(const std::string& name, const std::string& from, const std::string& at) {
    const std::string to = place();
    if (at == to) return "";
    return fmt::format("{0}[I, J]{1} = {2}\n", name, to, from) + note(name + "[I, J]" + to);
  }

  std::string note(std::string array) {
    arrays_.push_back(std::move(array));
    return "";
  }

  std::mt19937& random_;
  std::vector<std::string> arrays_;
  int next_ = 0;
};

}  // namespace shard::testing
