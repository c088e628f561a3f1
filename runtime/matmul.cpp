#include "runtime/matmul.h"

#include <omp.h>

#include <algorithm>
#include <dnnl.hpp>
#include <string_view>
#include <unordered_map>

#include "base/check.h"
#include "runtime/number.h"

namespace shard {
namespace {

// oneDNN splits and blocks its work by the OpenMP threads it sees. Parallelism is the executor's,
// and bits must not depend on threads, so it sees one; the caller's setting comes back afterwards.
class SingleOpenMpThread {
 public:
  SingleOpenMpThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~SingleOpenMpThread() { omp_set_num_threads(before_); }
  SingleOpenMpThread(const SingleOpenMpThread&) = delete;
  SingleOpenMpThread& operator=(const SingleOpenMpThread&) = delete;

 private:
  int before_;
};

dnnl::memory::data_type library_type(DType dtype) {
  switch (dtype) {
    case DType::Fp32:
      return dnnl::memory::data_type::f32;
    case DType::Bf16:
      return dnnl::memory::data_type::bf16;
    case DType::Int8:
      return dnnl::memory::data_type::s8;
    case DType::Int32:
      return dnnl::memory::data_type::s32;
    default:
      check_failed("oneDNN multiplies this dtype", __FILE__, __LINE__);
  }
}

dnnl::memory::desc describe(const MatmulShape& shape, std::int64_t first, std::int64_t second,
                            DType dtype, const Extents& strides) {
  dnnl::memory::dims extents = shape.batch;
  extents.push_back(first);
  extents.push_back(second);
  return {extents, library_type(dtype), strides};
}

dnnl::matmul::primitive_desc primitive_desc_of(const MatmulShape& shape,
                                               const dnnl::engine& engine) {
  dnnl::primitive_attr attributes;
  // The default scratchpad belongs to the primitive, which threads share.
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::matmul::desc desc(
      describe(shape, shape.rows, shape.sum, shape.operands, shape.left_strides),
      describe(shape, shape.sum, shape.columns, shape.operands, shape.right_strides),
      describe(shape, shape.rows, shape.columns, shape.result, shape.result_strides));
  constexpr bool kAllowEmpty = true;
  return {desc, attributes, engine, kAllowEmpty};
}

bool is_optimised(const dnnl::matmul::primitive_desc& desc) {
  return static_cast<bool>(desc) &&
         std::string_view(desc.impl_info_str()).find("ref") == std::string_view::npos;
}

// Offsets of one matrix of a batch.
struct Offsets {
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::int64_t result = 0;
};

Offsets offsets_of(const MatmulShape& shape, std::int64_t matrix) {
  Offsets offsets;
  for (std::size_t d = shape.batch.size(); d-- > 0;) {
    const std::int64_t index = matrix % shape.batch[d];
    matrix /= shape.batch[d];
    offsets.left += index * shape.left_strides[d];
    offsets.right += index * shape.right_strides[d];
    offsets.result += index * shape.result_strides[d];
  }
  return offsets;
}

template <class T>
void multiply_plainly(const MatmulShape& shape, const T* left, const T* right, T* result) {
  const std::size_t rank = shape.batch.size();
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    T* row = result + i * shape.result_strides[rank];
    std::fill_n(row, shape.columns, T{0});
    for (std::int64_t k = 0; k < shape.sum; ++k) {
      const T factor = left[i * shape.left_strides[rank] + k * shape.left_strides[rank + 1]];
      const T* line = right + k * shape.right_strides[rank];
      for (std::int64_t j = 0; j < shape.columns; ++j) row[j] += factor * line[j];
    }
  }
}

template <class T>
void multiply_batch_plainly(const MatmulShape& shape, const std::byte* left, const std::byte* right,
                            std::byte* result) {
  const std::int64_t matrices = element_count(shape.batch);
  for (std::int64_t b = 0; b < matrices; ++b) {
    const Offsets offsets = offsets_of(shape, b);
    multiply_plainly(shape, reinterpret_cast<const T*>(left) + offsets.left,
                     reinterpret_cast<const T*>(right) + offsets.right,
                     reinterpret_cast<T*>(result) + offsets.result);
  }
}

}  // namespace

struct Matmul::Primitive {
  dnnl::engine engine;
  dnnl::matmul::primitive_desc desc;
  dnnl::matmul primitive;
};

MatmulSupport matmul_support() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
      return {.bf16 = true, .int8 = true};
    case dnnl::cpu_isa::avx512_core_vnni:
    case dnnl::cpu_isa::avx2_vnni:
      return {.bf16 = false, .int8 = true};
    default:
      return {};
  }
}

Matmul::Matmul(std::unique_ptr<Primitive> primitive) : primitive_(std::move(primitive)) {}
Matmul::~Matmul() = default;

std::shared_ptr<const Matmul> Matmul::create(const MatmulShape& shape) {
  const SingleOpenMpThread single;
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const dnnl::matmul::primitive_desc desc = primitive_desc_of(shape, engine);
    if (!is_optimised(desc)) return nullptr;
    return std::shared_ptr<const Matmul>(
        new Matmul(std::make_unique<Primitive>(Primitive{engine, desc, dnnl::matmul(desc)})));
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw std::bad_alloc();
    return nullptr;
  }
}

std::size_t Matmul::scratch_bytes() const { return primitive_->desc.scratchpad_desc().get_size(); }

const char* Matmul::implementation() const { return primitive_->desc.impl_info_str(); }

void Matmul::execute(const std::byte* left, const std::byte* right, std::byte* result,
                     std::byte* scratch) const {
  const SingleOpenMpThread single;
  const dnnl::engine& engine = primitive_->engine;
  const auto& desc = primitive_->desc;
  const auto memory = [&](const dnnl::memory::desc& layout, const std::byte* data) {
    return dnnl::memory(layout, engine, const_cast<std::byte*>(data));
  };
  try {
    dnnl::stream stream(engine);
    primitive_->primitive.execute(stream,
                                  {{DNNL_ARG_SRC, memory(desc.src_desc(), left)},
                                   {DNNL_ARG_WEIGHTS, memory(desc.weights_desc(), right)},
                                   {DNNL_ARG_DST, memory(desc.dst_desc(), result)},
                                   {DNNL_ARG_SCRATCHPAD, memory(desc.scratchpad_desc(), scratch)}});
    stream.wait();
  } catch (const dnnl::error&) {
    throw std::bad_alloc();  // of a prepared primitive, nothing else is left to fail
  }
}

void plain_matmul(const MatmulShape& shape, const std::byte* left, const std::byte* right,
                  std::byte* result) {
  SHARD_CHECK(shape.operands == shape.result);
  switch (shape.result) {
    case DType::Fp64:
      return multiply_batch_plainly<double>(shape, left, right, result);
    case DType::Fp32:
      return multiply_batch_plainly<float>(shape, left, right, result);
    default:
      check_failed("the type is a type of sums", __FILE__, __LINE__);
  }
}

}  // namespace shard
