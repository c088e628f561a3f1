#include "bench/peers.h"

#include <dlfcn.h>
#include <immintrin.h>
#include <omp.h>

#include <chrono>
#include <cstring>
#include <dnnl.hpp>

#include "bench/engine.h"

namespace shard::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFloat = sizeof(float);

// The signature of cblas_sgemm.
using Sgemm = void(int, int, int, int, int, int, float, const float*, int, const float*, int, float,
                   float*, int);

struct Buffers {
  Buffers(std::size_t a, std::size_t b, std::size_t c) : left(a), right(b), result(c) {}
  Memory left, right, result;
};

std::size_t reach(const std::vector<std::int64_t>& extents,
                  const std::vector<std::int64_t>& strides) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) last += (extents[d] - 1) * strides[d];
  return static_cast<std::size_t>(last + 1) * kFloat;
}

// Twelve independent sums: an instruction has a latency of 4 to 5 cycles, and two issue per cycle, so ten would do.
__attribute__((target("avx512f,avx512vnni"))) double vnni_operations(std::int64_t rounds) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i x = _mm512_set1_epi8(1);
  const __m512i y = _mm512_set1_epi8(2);
  __m512i a = zero, b = zero, c = zero, d = zero, e = zero, f = zero, g = zero, h = zero, i = zero,
          j = zero, k = zero, l = zero;
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile(
        "vpdpbusd %[y], %[x], %[a]\n"
        "vpdpbusd %[y], %[x], %[b]\n"
        "vpdpbusd %[y], %[x], %[c]\n"
        "vpdpbusd %[y], %[x], %[d]\n"
        "vpdpbusd %[y], %[x], %[e]\n"
        "vpdpbusd %[y], %[x], %[f]\n"
        "vpdpbusd %[y], %[x], %[g]\n"
        "vpdpbusd %[y], %[x], %[h]\n"
        "vpdpbusd %[y], %[x], %[i]\n"
        "vpdpbusd %[y], %[x], %[j]\n"
        "vpdpbusd %[y], %[x], %[k]\n"
        "vpdpbusd %[y], %[x], %[l]\n"
        : [a] "+v"(a), [b] "+v"(b), [c] "+v"(c), [d] "+v"(d), [e] "+v"(e), [f] "+v"(f), [g] "+v"(g),
          [h] "+v"(h), [i] "+v"(i), [j] "+v"(j), [k] "+v"(k), [l] "+v"(l)
        : [x] "v"(x), [y] "v"(y));
  }
  return static_cast<double>(rounds) * 12 * 128;  // 64 products and as many additions
}

__attribute__((target("avx2"))) void read_block(const char* data, std::size_t bytes) {
  __m256i sums[4] = {};
  for (std::size_t i = 0; i + 128 <= bytes; i += 128) {
    for (std::size_t k = 0; k < 4; ++k) {
      sums[k] = _mm256_xor_si256(
          sums[k], _mm256_load_si256(reinterpret_cast<const __m256i*>(data + i + 32 * k)));
    }
  }
  for (auto& sum : sums) asm volatile("" ::"x"(sum));
}

__attribute__((target("avx2"))) void write_block(char* data, std::size_t bytes) {
  for (std::size_t i = 0; i + 32 <= bytes; i += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(data + i), _mm256_set1_epi8(1));
  _mm_sfence();
}

}  // namespace

std::function<void()> openblas_sgemm(std::int64_t n) {
  // Isolated from the BLAS of the fp64 products, which has the same symbols.
  void* library = dlopen(SHARD_THREADED_OPENBLAS, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) return nullptr;
  auto* sgemm = reinterpret_cast<Sgemm*>(dlsym(library, "cblas_sgemm"));
  auto* set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  if (sgemm == nullptr || set_threads == nullptr) return nullptr;
  set_threads(2);
  const auto bytes = static_cast<std::size_t>(n * n) * kFloat;
  const auto memory = std::make_shared<Buffers>(bytes, bytes, bytes);
  return [=] {
    constexpr int kRowMajor = 101;
    constexpr int kNoTranspose = 111;
    const int size = static_cast<int>(n);
    sgemm(kRowMajor, kNoTranspose, kNoTranspose, size, size, size, 1, memory->left.as<float>(),
          size, memory->right.as<float>(), size, 0, memory->result.as<float>(), size);
  };
}

std::function<void()> onednn_product(const Product& product) {
  const auto type =
      product.type == Type::Fp32 ? dnnl::memory::data_type::f32 : dnnl::memory::data_type::bf16;
  const auto describe = [&](std::int64_t first, std::int64_t second,
                            const std::vector<std::int64_t>& strides) {
    auto extents = product.batch;
    extents.push_back(first);
    extents.push_back(second);
    return std::pair(dnnl::memory::desc(extents, type, strides), reach(extents, strides));
  };
  const auto left = describe(product.rows, product.sum, product.left_strides);
  const auto right = describe(product.sum, product.columns, product.right_strides);
  const auto result = describe(product.rows, product.columns, product.result_strides);
  omp_set_num_threads(2);
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const dnnl::matmul primitive(
      dnnl::matmul::primitive_desc({left.first, right.first, result.first}, engine));
  const auto memory = std::make_shared<Buffers>(left.second, right.second, result.second);
  std::memset(memory->left.data(), 0, memory->left.size());
  std::memset(memory->right.data(), 0, memory->right.size());
  const dnnl::memory a(left.first, engine, memory->left.data());
  const dnnl::memory b(right.first, engine, memory->right.data());
  const dnnl::memory c(result.first, engine, memory->result.data());
  return [=] {
    omp_set_num_threads(2);
    dnnl::stream stream(engine);
    primitive.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
    stream.wait();
    (void)memory;
  };
}

std::function<void()> onednn_sgemm(std::int64_t n) {
  return onednn_product({{}, n, n, n, {n, 1}, {n, 1}, {n, 1}, Type::Fp32});
}

double vnni_peak() {
  if (!__builtin_cpu_supports("avx512vnni")) return 0;
  // Milliseconds of work: starting two threads does not show, and the best of four attempts escapes interruptions.
  constexpr std::int64_t kRounds = 400'000;
  double best = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const auto start = Clock::now();
    double done = 0;
    on_two_threads([&](int thread) {
      const double own = vnni_operations(kRounds);
      if (thread == 0) done = 2 * own;
    });
    best = std::max(best, done / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

std::function<void()> memory_copy(std::size_t bytes) {
  const auto from = std::make_shared<Memory>(bytes);
  const auto to = std::make_shared<Memory>(bytes);
  return [=] {
    on_two_threads([&](int thread) {
      const std::size_t half = bytes / 2;
      const std::size_t begin = static_cast<std::size_t>(thread) * half;
      std::memcpy(to->data() + begin, from->data() + begin, half);
    });
  };
}

std::function<void()> read_all_write_one(std::size_t count, std::size_t bytes) {
  const auto from = std::make_shared<Memory>(count * bytes);
  const auto to = std::make_shared<Memory>(bytes);
  return [=] {
    on_two_threads([&](int thread) {
      const auto t = static_cast<std::size_t>(thread);
      read_block(from->data() + t * count * bytes / 2, count * bytes / 2);
      write_block(to->data() + t * bytes / 2, bytes / 2);
    });
  };
}

}  // namespace shard::bench
