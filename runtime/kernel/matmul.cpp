#include "runtime/kernel/matmul.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <dnnl.hpp>
#include <limits>
#include <string_view>

#include "base/check.h"
#include "base/memory_reserve.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

// oneDNN splits and blocks its work by the OpenMP threads it sees. The executor already runs several threads, and bits
// must not depend on their number, so oneDNN sees one; the caller's setting is restored afterwards.
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

// What dgemm calls the leading dimension, for a matrix of `width` columns. With a single row the stride may be
// anything.
int leading(std::int64_t stride, std::int64_t width) {
  return static_cast<int>(std::max(stride, width));
}

bool fits_blas(const MatmulShape& shape) {
  const std::size_t rank = shape.batch.size();
  const auto fits = [](std::int64_t length) { return length <= std::numeric_limits<int>::max(); };
  return (shape.left_strides[rank] == 1 || shape.left_strides[rank + 1] == 1) && fits(shape.rows) &&
         fits(shape.sum) && fits(shape.columns) && fits(shape.left_strides[rank]) &&
         fits(shape.left_strides[rank + 1]) && fits(shape.right_strides[rank]) &&
         fits(shape.result_strides[rank]);
}

void multiply_by_blas(const MatmulShape& shape, const double* left, const double* right,
                      double* result) {
  const std::size_t rank = shape.batch.size();
  const bool in_rows = shape.left_strides[rank + 1] == 1;
  const int left_leading = in_rows ? leading(shape.left_strides[rank], shape.sum)
                                   : leading(shape.left_strides[rank + 1], shape.rows);
  cblas_dgemm(CblasRowMajor, in_rows ? CblasNoTrans : CblasTrans, CblasNoTrans,
              static_cast<int>(shape.rows), static_cast<int>(shape.columns),
              static_cast<int>(shape.sum), 1.0, left, left_leading, right,
              leading(shape.right_strides[rank], shape.columns), 0.0, result,
              leading(shape.result_strides[rank], shape.columns));
}

// Calls multiply(left, right, result) for each matrix of the batch.
template <class T, class Multiply>
void for_each_matrix(const MatmulShape& shape, const std::byte* left, const std::byte* right,
                     std::byte* result, const Multiply& multiply) {
  const std::int64_t matrices = element_count(shape.batch);
  for (std::int64_t b = 0; b < matrices; ++b) {
    const MatrixOffsets offsets = offsets_of(shape, b);
    multiply(shape, reinterpret_cast<const T*>(left) + offsets.left,
             reinterpret_cast<const T*>(right) + offsets.right,
             reinterpret_cast<T*>(result) + offsets.result);
  }
}

}  // namespace

MatrixOffsets offsets_of(const MatmulShape& shape, std::int64_t matrix) {
  MatrixOffsets offsets;
  for (std::size_t d = shape.batch.size(); d-- > 0;) {
    const std::int64_t index = matrix % shape.batch[d];
    matrix /= shape.batch[d];
    offsets.left += index * shape.left_strides[d];
    offsets.right += index * shape.right_strides[d];
    offsets.result += index * shape.result_strides[d];
  }
  return offsets;
}

struct Matmul::Primitive {
  dnnl::engine engine;
  dnnl::matmul::primitive_desc desc;
  dnnl::matmul primitive;
};

MatmulSupport matmul_support() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
      return {.bf16 = true, .int8 = true, .vectors = Vectors::Avx512};
    case dnnl::cpu_isa::avx512_core_vnni:
      return {.bf16 = false, .int8 = true, .vectors = Vectors::Avx512};
    case dnnl::cpu_isa::avx512_core:
      return {.vectors = Vectors::Avx512};
    case dnnl::cpu_isa::avx2_vnni:
      return {.bf16 = false, .int8 = true, .vectors = Vectors::Avx2};
    case dnnl::cpu_isa::avx2:
      return {.vectors = Vectors::Avx2};
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

struct MatmulCall::State {
  State(const Matmul::Primitive& primitive, std::byte* scratch)
      : stream(primitive.engine),
        matmul(primitive.primitive),
        left(primitive.desc.src_desc(), primitive.engine, nullptr),
        right(primitive.desc.weights_desc(), primitive.engine, nullptr),
        result(primitive.desc.dst_desc(), primitive.engine, nullptr),
        scratchpad(primitive.desc.scratchpad_desc(), primitive.engine, scratch) {}

  SingleOpenMpThread single;
  dnnl::stream stream;
  const dnnl::matmul& matmul;
  dnnl::memory left, right, result, scratchpad;
};

MatmulCall::MatmulCall(const Matmul& matmul, std::byte* scratch) {
  try {
    state_ = std::make_unique<State>(*matmul.primitive_, scratch);
  } catch (const dnnl::error&) {
    throw std::bad_alloc();  // for a prepared primitive, nothing else can fail
  }
}
MatmulCall::~MatmulCall() = default;

void MatmulCall::execute(const std::byte* left, const std::byte* right, std::byte* result) {
  State& state = *state_;
  try {
    state.left.set_data_handle(const_cast<std::byte*>(left));
    state.right.set_data_handle(const_cast<std::byte*>(right));
    state.result.set_data_handle(result);
  } catch (const dnnl::error&) {
    throw std::bad_alloc();
  }
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, state.left.get()},
                                       {DNNL_ARG_WEIGHTS, state.right.get()},
                                       {DNNL_ARG_DST, state.result.get()},
                                       {DNNL_ARG_SCRATCHPAD, state.scratchpad.get()}};
  const dnnl_status_t status =
      dnnl_primitive_execute(state.matmul.get(), state.stream.get(), 4, arguments);
  if (status != dnnl_success) throw std::bad_alloc();
}

void plain_matmul(const MatmulShape& shape, const std::byte* left, const std::byte* right,
                  std::byte* result) {
  SHARD_CHECK(shape.operands == shape.result);
  switch (shape.result) {
    case DType::Fp64:
      require_room(kBlasRoom);
      return for_each_matrix<double>(
          shape, left, right, result,
          fits_blas(shape) ? multiply_by_blas : multiply_plainly<double>);
    case DType::Fp32:
      return for_each_matrix<float>(shape, left, right, result, multiply_plainly<float>);
    default:
      check_failed("the type is a type of sums", __FILE__, __LINE__);
  }
}

}  // namespace shard
