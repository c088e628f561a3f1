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

// A whole array, row-major, whatever order the file had it in.
struct NpyArray {
  std::vector<std::int64_t> shape;
  DType dtype = DType::Fp64;
  std::vector<double> values;
};

// Reads a regular file. Element types: f8 (fp64), f4 (fp32), f2 (fp16), i4 (int32), u4 (uint32), i1 (int8), V2 (bf16, as the
// package ml_dtypes writes it), in either byte order. Fails with a reason for files that cannot be read, have another format or element
// type, or end too early, or go on behind the last element. Takes no memory but that of the values. Throws std::bad_alloc.
Result<NpyArray> read_npy(const std::string& path);
// The same without the values, of which none is read.
Result<NpyArray> read_npy_header(const std::string& path);

// Writes the file as a whole: what was there before stays until the new one is complete. bf16 and fp8, which NumPy lacks,
// are written as f4, int4 as i1, which hold them exactly. Fails with a reason, and where `cancelled` says so. Takes no
// memory that grows with the array.
Result<void> write_npy(const std::string& path, const std::vector<std::int64_t>& shape, DType dtype,
                       std::span<const double> values, const std::function<bool()>& cancelled = {});

// Whether an array of this type takes elements from a file of that one: the same; bf16, fp16 and fp8 from fp32 and fp64,
// rounded; int4 from int8.
bool may_load(DType array, DType file);

}  // namespace shard
