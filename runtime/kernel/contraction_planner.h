// How a contraction over labels becomes a batched matrix product: an implementation detail of local_contraction.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/kernel/local_contraction.h"

namespace shard {

// The operand that gives the rows, the one that gives the columns, and the result.
enum Tensor : std::size_t { First, Second, Contracted };

// Labels sorted into the groups of a matrix product, with their strides in the three arrays. Labels of extent 1 are
// left out. Groups keep the result's order; `sum` has that of the first operand.
class ContractionSketch {
 public:
  ContractionSketch(const ContractionProblem& problem, MatmulSupport support);
  // Stores everything chosen into the LocalContraction.
  void fill(LocalContraction& contraction);

  // A label in one array.
  struct Place {
    std::int64_t extent;
    std::int64_t stride;
  };

 private:
  struct Label {
    std::int64_t extent = 1;
    std::int64_t taken = 1;  // the part of the extent in one panel
    std::array<std::int64_t, 3> block_strides{};
    std::array<std::int64_t, 3> strides{};
  };
  using Group = std::vector<Label*>;
  struct Run {  // consecutive labels, if they can be treated as one
    std::int64_t extent = 1;
    std::int64_t stride = 1;
    bool whole = true;  // they can
  };

  void collect_labels(const ContractionProblem& problem);
  void add_label(const Place* first, const Place* second,
                 const Place* result);  // null if the label is not in the array
  void choose_panels(const ContractionProblem& problem);
  void choose_types(const ContractionProblem& problem, MatmulSupport support);
  void choose_product();
  bool has_short_extent(const ContractionProblem& problem) const;
  void use_strips();
  void use_plain_loops();
  void copy_where_needed();
  void copy_all();
  void copy(Tensor tensor);
  bool fits(Tensor tensor) const;
  MatmulShape shape() const;
  LocalContraction::Part part(Tensor tensor) const;
  static std::vector<std::int64_t> offsets(const Group& group, Tensor tensor);
  StripOperand strip_operand(Tensor tensor) const;
  std::shared_ptr<const ShortProduct> short_product() const;

  std::int64_t behind(Tensor tensor) const;  // the extent in memory of one panel, in elements
  Group order(Tensor tensor) const;
  std::array<const Group*, 2> matrix(Tensor tensor) const;
  static Run run_of(const Group& group, Tensor tensor);
  static std::int64_t taken(const Group& group);

  std::vector<Label> labels_;
  Group batch_, rows_, sum_, columns_;
  Side first_side_ = Side::Left;
  Vectors vectors_ = Vectors::Any;
  bool is_thin_ = false;
  bool is_short_ = false;         // operands are cut into strips
  bool multiplies_bf16_ = false;  // as bf16
  Label* panel_label_ = nullptr;
  std::int64_t panels_ = 1;
  std::array<DType, 3> block_types_{};
  std::array<DType, 3> types_{};
  std::array<bool, 3> copied_{};
  DType sum_type_ = DType::Fp32;
  bool empty_ = false;
  std::size_t result_bytes_ = 0;
  std::shared_ptr<const Matmul> matmul_;
};

}  // namespace shard
