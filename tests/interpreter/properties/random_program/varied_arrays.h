// The arrays that a varied program has, and how they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/interpreter/properties/random_program/random.h"
#include "tests/interpreter/properties/random_program/text.h"

namespace shard::random_program {

// `A[I_X, J]{Z=0}`, as far as it is known where it lies.
struct VariedArray {
  std::string name;
  Names dims;
  std::vector<Names> axes;  // parallel to dims
  std::string place;        // "Z=0"; empty: everywhere
  std::string dtype;
  bool layout_known = true;

  bool is_integer() const { return dtype.find("int") != std::string::npos; }
  // "[I_X, J]{Z=0}"
  std::string brackets() const;
  std::string written() const { return name + brackets(); }
};

class VariedArrays {
 public:
  VariedArrays(Random& random, std::vector<Axis> axes, std::vector<Dimension> dimensions)
      : random_(random), axes_(std::move(axes)), dimensions_(std::move(dimensions)) {}

  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<VariedArray>& all() const { return all_; }
  std::int64_t length(const std::string& dimension) const;
  // Some dimensions in the order of their names, from `least` to `most`.
  Names some_dimensions(std::size_t least, std::size_t most);
  // A new array of these dimensions, laid out at random; it is not known before `add`.
  VariedArray draft(const Names& dims, const std::string& dtype);
  // The same array in another layout.
  VariedArray laid_out_anew(VariedArray array);
  // Puts it at one place of an axis that splits nothing of it; false if there is none.
  bool place(VariedArray& array);
  void add(VariedArray array);
  // A block ends: what was made in it is gone.
  void forget_all_but(std::vector<VariedArray> known) { all_ = std::move(known); }

  const VariedArray* any();
  // One for which `fits` holds; null if there is none.
  template <class Fits>
  const VariedArray* any_that(const Fits& fits) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (fits(all_[i])) found.push_back(i);
    }
    return found.empty() ? nullptr : &all_[random_.pick(found)];
  }

 private:
  Random& random_;
  std::vector<Axis> axes_;
  std::vector<Dimension> dimensions_;
  std::vector<VariedArray> all_;
  int made_ = 0;
};

}  // namespace shard::random_program
