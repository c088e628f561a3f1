// Arrays in files of NumPy's format (.npy, versions 1.0 to 3.0).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/element/dtype.h"

namespace shard {

// A whole array, row-major, whatever the order in the file was.
struct NpyArray {
  std::vector<std::int64_t> shape;
  DType dtype = DType::Fp64;
  std::vector<double> values;
};

// Reads a regular file. Element types: f8 (fp64), f4 (fp32), f2 (fp16), i4 (int32), u4 (uint32), i1 (int8), V2 (bf16,
// as the package ml_dtypes writes it), in either byte order. Fails with a reason for files that cannot be read, have
// another format or element type, end early, or continue after the last element. Allocates only the values. Throws
// std::bad_alloc.
Result<NpyArray> read_npy(const std::string& path);
// Reads only the header, and none of the values.
Result<NpyArray> read_npy_header(const std::string& path);

// Replaces the file as a whole: the old one stays until the new one is complete. bf16 and fp8, which NumPy lacks, are
// written as f4, and int4 as i1; both hold them exactly. Fails with a reason, also when `cancelled` returns true. Needs
// no memory that grows with the array.
Result<void> write_npy(const std::string& path, const std::vector<std::int64_t>& shape, DType dtype,
                       std::span<const double> values, const std::function<bool()>& cancelled = {});

// Whether an array of this type can be loaded from a file of that type: the same type; bf16, fp16 and fp8 from fp32 and
// fp64, rounded; int4 from int8.
bool may_load(DType array, DType file);

}  // namespace shard
