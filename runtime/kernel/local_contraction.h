// Local contractions: from labels to batched matrix products. Knows nothing about devices.
//
// In this folder:
//   local_contraction.h            labels to batched matrix products
//   contraction_planner.h          how that is done
//   matmul.h                       the products themselves: oneDNN, dgemm, plain loops
//   short_matmul.h, thin_matmul.h  products with one short extent, and of a few rows
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/array/block_copy.h"
#include "runtime/element/dtype.h"
#include "runtime/kernel/matmul.h"
#include "runtime/kernel/short_matmul.h"

namespace shard {

// result[r…] = Σ left[l…] · right[r…] over every label that is not in the result; blocks are dense and row-major. Each
// operand's labels are distinct; a label that only one operand has must be in the result. Labels agree on their
// extents.
struct ContractionProblem {
  std::vector<int> left_labels;
  std::vector<int> right_labels;
  std::vector<int> result_labels;
  Extents left_shape;
  Extents right_shape;
  DType left_type = DType::Fp32;  // of the buffers
  DType right_type = DType::Fp32;
  DType result_type = DType::Fp32;  // of the buffer
  friend auto operator<=>(const ContractionProblem&, const ContractionProblem&) = default;
};

// The type in which products of elements from such buffers are summed (cost model, "Sums and roundings"); the wider of
// the two.
DType sum_type(DType left, DType right);

enum class Side { Left, Right };

// A contraction prepared for one problem: oneDNN for fp32, bf16 and int8; dgemm for fp64 and, in fp64, for other
// integers. Sums are taken in sum_type and rounded once to the result's type. Immutable; any number of threads may use
// it at once.
class LocalContraction {
 public:
  LocalContraction(const ContractionProblem& problem, MatmulSupport support);

  // Bytes of the packed copy of an operand's block that `run` takes instead of the block, in a suitable order and type;
  // 0 if it takes the block itself.
  std::size_t packed_bytes(Side side) const;
  void pack(Side side, const std::byte* block, std::byte* packed) const;

  // Work is cut into panels, disjoint parts of the result; their number depends on the problem alone.
  std::int64_t panels() const { return panels_; }
  // The operand that is cut along with it; if both are, the one that gives the rows.
  Side panelled() const;
  // Whether panels are whole rows of the result's leading dimension, in order, and thus contiguous in its block.
  bool panels_are_rows() const;
  // Roughly how much work a panel is, in bytes that could be copied in that time.
  std::int64_t work() const;
  // Bytes of scratch that each LocalCall needs, aligned to 64.
  std::size_t scratch_bytes() const;
  // oneDNN's name for its implementation, such as "brg:avx512_core_bf16"; "thin", "short" or "plain" for our own loops.
  const char* implementation() const {
    return matmul_ ? matmul_->implementation() : is_thin_ ? "thin" : short_ ? "short" : "plain";
  }

  // Its strips, if it uses short_matmul and they give the whole result in place; else null.
  const ShortProduct* short_product() const { return result_.copied ? nullptr : short_.get(); }
  Side row_side() const { return first_side_; }  // the operand that gives the rows

 private:
  // An array's labels in the order of the matrix product; strides in its block, and in what the product works on, which
  // is the block itself unless `copied`.
  struct Part {
    Extents extents;
    Extents block_strides;
    Extents strides;
    DType block_type = DType::Fp32;
    DType type = DType::Fp32;
    bool copied = false;
    std::int64_t panel_stride = 0;        // elements between panels in what the product works on
    std::int64_t block_panel_stride = 0;  // and in the block
  };
  friend class ContractionSketch;
  friend class LocalCall;

  const Part& part(Side side) const { return side == first_side_ ? first_ : second_; }
  // The operand as strips, and their width. REQUIRES: short_.
  std::pair<const StripOperand&, std::int64_t> strips_of(Side side) const;
  std::size_t staging_bytes() const;

  Side first_side_ = Side::Left;  // the operand that gives the rows
  Part first_;
  Part second_;
  // Extents are those of one panel. If copied: computed in scratch, then stored in the block's order and type.
  Part result_;
  MatmulShape shape_;  // of one panel
  std::shared_ptr<const Matmul> matmul_;
  std::int64_t panels_ = 1;
  bool is_thin_ = false;                       // without `matmul_`: uses thin_matmul
  std::shared_ptr<const ShortProduct> short_;  // without either: uses short_matmul
  Vectors vectors_ = Vectors::Any;
  bool empty_ = false;          // some extent is 0: the result is zeros, or empty
  std::size_t zero_bytes_ = 0;  // its size
};

// Runs a contraction on one thread, block after block.
class LocalCall {
 public:
  // The contraction and the scratch must outlive it. Throws std::bad_alloc.
  LocalCall(const LocalContraction& contraction, std::byte* scratch);

  // Computes one panel of `result`. Returns how many elements were clamped.
  std::uint64_t run(std::int64_t panel, const std::byte* left, const std::byte* right,
                    std::byte* result);
  // As `run`, with `result` pointing to the start of the panel. REQUIRES: LocalContraction::panels_are_rows.
  std::uint64_t run_panel(std::int64_t panel, const std::byte* left, const std::byte* right,
                          std::byte* result);

 private:
  const LocalContraction& contraction_;
  std::byte* scratch_;
  std::optional<MatmulCall> matmul_;
  std::optional<BlockCopy> store_;  // of a panel computed in scratch
};

}  // namespace shard
