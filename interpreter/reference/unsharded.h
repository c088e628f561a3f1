// A whole script without shards: every array in fp64, from the inputs on.
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
  // As Oracle. With more than one thread `input` is called on any of them.
  Unsharded(const Scope& scope, const Mesh& mesh, InputElement input, Mode mode);
  Unsharded(const Unsharded&) = delete;
  Unsharded& operator=(const Unsharded&) = delete;

  // Computes the target of a flow from the arrays before it. Named arrays of integers have values of their type; others are
  // not rounded, and with bounds it is carried along what rounding may make of them.
  void run(const checked::Flow& flow);
  // What running its flow would give an array.
  void put(ArrayId id, std::shared_ptr<const Array> array) { arrays_[id] = std::move(array); }
  // REQUIRES: an input, or the target of a flow that was run, and not forgotten.
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
