// A product whose partial sums are summed over devices as they are made.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/execute/contract.h"
#include "runtime/plan/plan.h"
#include "runtime/platform/executor.h"

namespace shard {

// By step of a plan: whether it is a product that nothing reads but the next step, which reduces it.
std::vector<bool> products_to_reduce(const Plan& plan);

// Whether `reduce_product` can do both steps. Only outlines of the arrays are used.
bool can_reduce_product(const DeviceArray& left, const DeviceArray& right,
                        const ContractionLabels& labels, const DeviceArray& partial,
                        Kernels& kernels);

// `contract` into `partial` and `reduce` of that into `result`, with the same bits, but some rows after others: all
// devices' products for these rows are summed while they are in a cache, or in registers. `partial` stays an outline:
// with many devices its blocks take more memory than everything else, and making them takes longer than summing. Returns
// how many elements were clamped. Throws std::bad_alloc. REQUIRES: can_reduce_product; a ReduceScatter or AllReduce over
// axes longer than 1.
std::uint64_t reduce_product(const DeviceArray& left, const DeviceArray& right,
                             const ContractionLabels& labels, const CollectiveStep& step,
                             const Mesh& mesh, const Executor& executor, Kernels& kernels,
                             const DeviceArray& partial, DeviceArray& result);

}  // namespace shard
