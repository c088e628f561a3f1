// Contractions of arrays on devices: each distinct result shard from the shards of the operands.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/array.h"
#include "runtime/executor.h"
#include "runtime/kernels.h"

namespace shard {

// Prepared contractions by problem, and memory for threads to work in. One thread asks for
// contractions; any may borrow scratch.
class Kernels {
 public:
  explicit Kernels(MatmulSupport support = matmul_support()) : support_(support) {}

  std::shared_ptr<const LocalContraction> contraction(const ContractionProblem& problem);

  // Makes sure that `count` threads can borrow `bytes` each without waiting. Throws std::bad_alloc.
  void reserve_scratch(std::size_t count, std::size_t bytes);
  std::unique_ptr<Buffer> borrow_scratch();
  void return_scratch(std::unique_ptr<Buffer> scratch);

 private:
  MatmulSupport support_;
  std::map<ContractionProblem, std::shared_ptr<const LocalContraction>> prepared_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> scratch_;
};

struct ContractionLabels {
  std::vector<int> left;
  std::vector<int> right;
  std::vector<int> result;
};

// Fills `result`, an outline in the layout that follows from the operands': it splits each label as
// they do and is unreduced over the axes that split summed labels, so each of its shards needs one
// shard of each operand (SHARD_CHECK). Returns how many elements were clamped. Throws
// std::bad_alloc.
std::uint64_t contract(const DeviceArray& left, const DeviceArray& right,
                       const ContractionLabels& labels, const Mesh& mesh, const Executor& executor,
                       Kernels& kernels, DeviceArray& result);

}  // namespace shard
