// Plans written step by step, and what a run of them makes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/execute/emulator.h"
#include "tests/runtime/support/meshes.h"

namespace shard::testing {

// A plan written step by step.
struct WrittenPlan {
  Machine machine;
  Plan plan;

  explicit WrittenPlan(const std::vector<std::int64_t>& sizes) { machine.mesh = mesh_of(sizes); }

  CopyId copy(std::string name, const std::vector<std::int64_t>& shape, Layout layout,
              DType dtype = DType::Fp32) {
    Copy copy{.name = std::move(name), .dtype = dtype, .layout = std::move(layout)};
    for (std::int64_t extent : shape) {
      copy.dimensions.edit().push_back("D");
      copy.shape.edit().push_back(Amount(extent));
    }
    return plan.copies.add(copy);
  }
  CopyId input(const std::string& seed, const std::vector<std::int64_t>& shape,
               const Layout& layout, DType dtype = DType::Fp32) {
    const CopyId result = copy(seed, shape, layout, dtype);
    plan.steps.push_back({InputStep{result, seed}});
    return result;
  }
  // ik = Σ_j ij · jk.
  void multiply(CopyId left, CopyId right, CopyId result) {
    plan.steps.push_back({ContractStep{left, right, result, {0, 1}, {1, 2}, {0, 2}}});
  }
  void collective(CollectiveKind kind, std::vector<AxisId> axes, CopyId operand, CopyId result,
                  int shift = 0) {
    plan.steps.push_back({CollectiveStep{kind, std::move(axes), operand, result, shift}});
  }
};

// All copies of a run, as they were made.
struct Observed {
  RunReport report;
  std::vector<CopyId> order;
  std::map<CopyId, DeviceArray> arrays;
  std::map<CopyId, Numbers> values;
};

inline Observed observed(const WrittenPlan& script, int threads = 2,
                         InputValues inputs = InputValues::Integers) {
  Observed seen;
  RunOptions options{.threads = threads, .inputs = inputs};
  options.observe = [&](CopyId copy, const DeviceArray& array) {
    seen.order.push_back(copy);
    seen.arrays[copy] = array;
    seen.values[copy] = assemble(array, script.machine.mesh).values;
  };
  seen.report = run(script.machine, script.plan, options);
  return seen;
}

}  // namespace shard::testing
