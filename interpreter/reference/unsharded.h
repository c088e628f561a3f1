// A whole script without shards: every array in fp64, starting from the inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "interpreter/reference/reference.h"

namespace shard::oracle {

// The element of an input at a global row-major index, as the devices hold it.
using InputElement =
    std::function<double(const InputStep& input, std::uint64_t index, DType dtype)>;

class Unsharded {
 public:
  // As for Oracle. With more than one thread, any of them may call `input`.
  Unsharded(const Scope& scope, const Mesh& mesh, InputElement input, Mode mode);
  Unsharded(const Unsharded&) = delete;
  Unsharded& operator=(const Unsharded&) = delete;

  // Computes the target of a flow from the arrays before it. Named integer arrays hold values of their type; others are
  // not rounded, and if bounds are kept they carry what rounding may do to them.
  void run(const checked::Flow& flow);
  // Gives an array the value that running its flow would.
  void put(ArrayId id, std::shared_ptr<const Array> array) { arrays_[id] = std::move(array); }
  // REQUIRES: an input, or the target of a flow that was run, not forgotten since.
  std::shared_ptr<const Array> array(ArrayId id);
  void forget(ArrayId id) { arrays_.erase(id); }

 private:
  Array input(const ArrayInfo& info) const;

  const Scope& scope_;
  InputElement input_;
  Mode mode_;
  Oracle oracle_;
  std::map<ArrayId, std::shared_ptr<const Array>> arrays_;
};

}  // namespace shard::oracle
