// What the engine is measured against, called directly, on two threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace shard::bench {

// C = A · B of n × n fp32 matrices on two threads, by the threaded OpenBLAS; null if it is not installed.
std::function<void()> openblas_sgemm(std::int64_t n);

enum class Type { Fp32, Bf16 };
// A batched product of oneDNN on two threads: extents of the batch, then rows, sum, columns; strides in elements.
struct Product {
  std::vector<std::int64_t> batch;
  std::int64_t rows, sum, columns;
  std::vector<std::int64_t> left_strides, right_strides, result_strides;
  Type type = Type::Fp32;
};
std::function<void()> onednn_product(const Product& product);
std::function<void()> onednn_sgemm(std::int64_t n);

// Operations a second of two threads that multiply and add int8 in registers alone, by VNNI; 0 without VNNI.
double vnni_peak();

// memcpy of so many bytes, half of it on each of two threads, between huge pages.
std::function<void()> memory_copy(std::size_t bytes);
// All of `count` blocks of so many bytes are read, and one is written past the caches.
std::function<void()> read_all_write_one(std::size_t count, std::size_t bytes);

}  // namespace shard::bench
