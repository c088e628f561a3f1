// Contractions of arrays on devices: each distinct result shard from the operands' shards.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/kernel/local_contraction.h"
#include "runtime/platform/executor.h"

namespace shard {

// Prepared contractions by problem, and scratch memory for threads. Only one thread may ask for contractions; any may
// borrow scratch.
class Kernels {
 public:
  explicit Kernels(MatmulSupport support = matmul_support()) : support_(support) {}

  std::shared_ptr<const LocalContraction> contraction(const ContractionProblem& problem);

  // Makes sure that `count` threads can borrow `bytes` each without waiting. Throws std::bad_alloc.
  void reserve_scratch(std::size_t count, std::size_t bytes);

  // Scratch for one thread, returned on destruction. REQUIRES: reserve_scratch made enough for all threads.
  class Scratch {
   public:
    explicit Scratch(Kernels& kernels);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::byte* data() { return buffer_->data(); }

   private:
    Kernels& kernels_;
    std::unique_ptr<Buffer> buffer_;
  };

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

// A contraction on all devices with its operands ready, packed if the kernel needs that. Any number of threads may use
// it.
class BlockProducts {
 public:
  // `result` is an outline in the layout that follows from the operands': it splits each label as they do and is
  // unreduced over the axes that split summed labels, so each of its shards needs one shard of each operand
  // (SHARD_CHECK). Afterwards the executor's threads can borrow scratch from `kernels`. Throws std::bad_alloc.
  BlockProducts(const DeviceArray& left, const DeviceArray& right, const ContractionLabels& labels,
                const DeviceArray& result, const Mesh& mesh, const Executor& executor,
                Kernels& kernels);

  const LocalContraction& contraction() const { return *contraction_; }
  // The operands' blocks for the product of one shard of the result.
  const std::byte* left(std::size_t shard) const { return left_[shard]; }
  const std::byte* right(std::size_t shard) const { return right_[shard]; }
  // Whether devices share blocks of the operand that is cut into panels: then all of them should use a panel while it
  // is in a cache.
  bool shares_panels() const;

 private:
  std::vector<const std::byte*> blocks_of(const DeviceArray& operand, Side side,
                                          const std::vector<std::int64_t>& shards,
                                          const Executor& executor);

  std::shared_ptr<const LocalContraction> contraction_;
  std::vector<std::shared_ptr<Buffer>> packed_;  // of both operands
  std::vector<const std::byte*> left_;           // by shard of the result
  std::vector<const std::byte*> right_;
};

// The problem that `contract` and others prepare.
ContractionProblem problem_of(const DeviceArray& left, const DeviceArray& right,
                              const ContractionLabels& labels, const DeviceArray& result);

// Bytes of the copies of operands that BlockProducts makes. Arrays may be outlines.
double bytes_packed(const DeviceArray& left, const DeviceArray& right,
                    const ContractionLabels& labels, const DeviceArray& result, Kernels& kernels);

// Fills `result`, an outline as for BlockProducts. Returns how many elements were clamped. Throws std::bad_alloc.
std::uint64_t contract(const DeviceArray& left, const DeviceArray& right,
                       const ContractionLabels& labels, const Mesh& mesh, const Executor& executor,
                       Kernels& kernels, DeviceArray& result);

}  // namespace shard
