// How fast programs execute, relative to what the same machine does at the same time: each ratio compares the best
// times of both sides, taken in turns within one run. README.md has the targets.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "bench/engine.h"
#include "bench/peers.h"

namespace shard::bench {
namespace {

void report(benchmark::State& state, double engine, double peer, double median_ratio) {
  state.SetIterationTime(engine);
  state.counters["peer_ms"] = peer * 1e3;
  state.counters["ratio"] = peer / engine;
  state.counters["of_medians"] = median_ratio;
}

void report(benchmark::State& state, const Sides& sides) {
  report(state, sides.engine.best, sides.peer.best, sides.peer.median / sides.engine.median);
}

// --- Products ---

// Three matrices of 16 MiB in fp32: the product is bound by arithmetic, not by memory or overhead.
constexpr std::int64_t kSize = 2048;

// Every device holds different blocks: of the result, and of the operands as far as the mesh allows.
std::string product(std::int64_t devices, const char* type) {
  const std::int64_t columns = devices == 8 ? 2 : 16;
  return fmt::format(
      "mesh {{X: {}, Y: {}}}\nI = {}, J = {}, K = {}\nA: {}[I_X, J]\nB: {}[J, K_Y]\n"
      "A[I_X, J] · B[J, K_Y] → C[I_X, K_Y]\n",
      devices / columns, columns, kSize, kSize, kSize, type, type);
}

// Against the faster of the two libraries' fp32 products of the whole matrices.
void product_against_sgemm(benchmark::State& state, const char* type) {
  const std::string text = product(state.range(0), type);
  for (auto _ : state) {
    const Sides onednn = measure(text, 48, onednn_sgemm(kSize));
    const auto openblas = openblas_sgemm(kSize);
    const Sides both = openblas ? measure(text, 48, openblas) : onednn;
    const Timing& peer = onednn.peer.best < both.peer.best ? onednn.peer : both.peer;
    const Timing engine = {std::min(onednn.engine.best, both.engine.best),
                           std::min(onednn.engine.median, both.engine.median)};
    state.counters["onednn_ms"] = onednn.peer.best * 1e3;
    state.counters["openblas_ms"] = openblas ? both.peer.best * 1e3 : 0;
    report(state, {engine, peer});
  }
}

void product_int8_against_peak(benchmark::State& state) {
  if (vnni_peak() == 0) {
    state.SkipWithError("no VNNI");
    return;
  }
  const double operations = 2.0 * kSize * kSize * kSize;
  for (auto _ : state) {
    double peak = 0;
    const Sides sides =
        measure(product(state.range(0), "int8"), 64, [&] { peak = std::max(peak, vnni_peak()); });
    const double floor = operations / peak;
    report(state, sides.engine.best, floor, floor / sides.engine.median);
  }
}

// Attention with its usual memory layout, heads within positions. The batch is split over 8 devices.
constexpr std::int64_t kBatch = 16, kPositions = 512, kHeads = 16, kHead = 64;

void attention(benchmark::State& state, const char* type, bool scores) {
  const std::string sizes = fmt::format("mesh {{X: 8}}\nB = {}, T = {}, S = {}, N = {}, H = {}\n",
                                        kBatch, kPositions, kPositions, kHeads, kHead);
  const std::string text =
      sizes + (scores ? fmt::format("Q: {}[B_X, T, N, H]\nK: {}[B_X, S, N, H]\n"
                                    "Q[B_X, T, N, H] · K[B_X, S, N, H] → P[B_X, N, T, S]\n",
                                    type, type)
                      : fmt::format("P: {}[B_X, N, T, S]\nV: {}[B_X, S, N, H]\n"
                                    "P[B_X, N, T, S] · V[B_X, S, N, H] → O[B_X, T, N, H]\n",
                                    type, type));
  const std::int64_t row = kHeads * kHead;              // of Q, K, V and O
  const std::int64_t square = kPositions * kPositions;  // of P
  const Type element = std::string(type) == "fp32" ? Type::Fp32 : Type::Bf16;
  const std::vector<std::int64_t> batch = {kBatch, kHeads};
  const Product peer = scores ? Product{batch,
                                        kPositions,
                                        kHead,
                                        kPositions,
                                        {kPositions * row, kHead, row, 1},
                                        {kPositions * row, kHead, 1, row},
                                        {kHeads * square, square, kPositions, 1},
                                        element}
                              : Product{batch,
                                        kPositions,
                                        kPositions,
                                        kHead,
                                        {kHeads * square, square, kPositions, 1},
                                        {kPositions * row, kHead, row, 1},
                                        {kPositions * row, kHead, row, 1},
                                        element};
  for (auto _ : state) report(state, measure(text, 64, onednn_product(peer)));
}

// One token, or four: the product reads the weights once and is bound by memory. Split over 8 devices, against oneDNN
// on the whole.
void thin_product(benchmark::State& state, const char* type) {
  const std::int64_t rows = state.range(0), depth = 4096, columns = 8192;
  const std::string text = fmt::format(
      "mesh {{X: 8}}\nB = {}, D = {}, F = {}\nA: {}[B, D]\nW: {}[D, F_X]\n"
      "A[B, D] · W[D, F_X] → C[B, F_X]\n",
      rows, depth, columns, type, type);
  const Product peer{{},           rows,
                     depth,        columns,
                     {depth, 1},   {columns, 1},
                     {columns, 1}, std::string(type) == "fp32" ? Type::Fp32 : Type::Bf16};
  for (auto _ : state) report(state, measure(text, 100, onednn_product(peer)));
}

// --- Collectives ---

// 128 MiB over 8 devices: the blocks of the result are all distinct and in new memory. Against a copy of as many bytes.
constexpr std::int64_t kRows = 8192;
constexpr std::int64_t kColumns = 4096;
constexpr std::size_t kBytes = std::size_t{kRows} * kColumns * 4;

// `share` of the blocks move; the others stay in place.
void moved(benchmark::State& state, const std::string& declared, const std::string& statement,
           double share = 1) {
  const std::string text = fmt::format("mesh {{X: 4, Y: 2}}\nI = {}, J = {}\nA: fp32{}\n{}\n",
                                       kRows, kColumns, declared, statement);
  const auto bytes = static_cast<std::size_t>(share * static_cast<double>(kBytes));
  for (auto _ : state) report(state, measure(text, 160, memory_copy(bytes)));
}

// AllReduce to replicas, against reading all partial sums and writing one result.
void all_reduce_to_replicas(benchmark::State& state) {
  const std::string text = fmt::format(
      "mesh {{X: {}}}\nI = 4096, J = 4096\nA: fp32[I, J]{{U_X}}\nAllReduce_X A[I, J]{{U_X}} → A[I, "
      "J]\n",
      state.range(0));
  const auto devices = static_cast<std::size_t>(state.range(0));
  for (auto _ : state)
    report(state, measure(text, 64, read_all_write_one(devices, std::size_t{64} << 20)));
}

// AllGather to replicas makes a single buffer: against one copy of the whole.
void all_gather_to_replicas(benchmark::State& state) {
  const std::string text = fmt::format(
      "mesh {{X: 8}}\nI = {}, J = {}\nA: fp32[I_X, J]\nAllGather_X A[I_X, J] → A[I, J]\n", kRows,
      kColumns);
  for (auto _ : state) report(state, measure(text, 160, memory_copy(kBytes)));
}

// --- Overhead: a step on so few bytes that nothing else remains ---

void step_on_512_devices(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    const Sides sides = measure("mesh {X: 8, Y: 8, Z: 8}\nI = 512, K = 8, L = 8\n" + text, 400);
    state.SetIterationTime(sides.engine.best);
    state.counters["median_us"] = sides.engine.median * 1e6;
  }
}

#define SHARD_ONCE ->UseManualTime()->Iterations(1)

BENCHMARK_CAPTURE(product_against_sgemm, fp32, "fp32")
    ->Arg(8)
    ->Arg(512)
    ->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(product_against_sgemm, bf16, "bf16")
    ->Arg(8)
    ->Arg(512)
    ->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK(product_int8_against_peak)->Arg(8)->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(attention, scores_fp32, "fp32", true)->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(attention, values_fp32, "fp32", false)->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(attention, scores_bf16, "bf16", true)->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(attention, values_bf16, "bf16", false)->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(thin_product, fp32, "fp32")
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(thin_product, bf16, "bf16")
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(moved, all_gather, "[I_{XY}, J]", "AllGather_Y A[I_{XY}, J] → A[I_X, J]")
    ->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(moved, all_to_all, "[I_{XY}, J]", "AllToAll_{Y} A[I_{XY}, J] → A[I_X, J_Y]")
    ->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK_CAPTURE(moved, permute, "[I_{XY}, J]",
                  "CollectivePermute_{XY} A[I_{XY}, J] → A[I_{YX}, J]", 0.75)
    ->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK(all_gather_to_replicas)->Unit(benchmark::kMillisecond) SHARD_ONCE;
BENCHMARK(all_reduce_to_replicas)->Arg(2)->Arg(8)->Unit(benchmark::kMillisecond) SHARD_ONCE;

// What is measured for each kind of step, by name.
constexpr std::pair<const char*, const char*> kSteps[] = {
    {"elementwise", "A: fp32[I_{XYZ}, K]\nB[I_{XYZ}, K] = A[I_{XYZ}, K] + A[I_{XYZ}, K]"},
    {"product", "A: fp32[I_{XYZ}, K]\nB: fp32[K, L]\nA[I_{XYZ}, K] · B[K, L] → C[I_{XYZ}, L]"},
    {"all_gather", "A: fp32[I_{XYZ}, K]\nAllGather_Z A[I_{XYZ}, K] → A[I_{XY}, K]"},
    {"all_gather_whole", "A: fp32[I_{XYZ}, K]\nAllGather_{XYZ} A[I_{XYZ}, K] → A[I, K]"},
    {"all_to_all", "A: fp32[I_{XYZ}, K]\nAllToAll_Z A[I_{XYZ}, K] → A[I_{XY}, K_Z]"},
    {"reduce_scatter",
     "A: fp32[I_{XY}, K]{U_Z}\nReduceScatter_Z A[I_{XY}, K]{U_Z} → A[I_{XYZ}, K]"},
    {"all_reduce", "A: fp32[K]{U_{XYZ}}\nAllReduce_{XYZ} A[K]{U_{XYZ}} → A[K]"},
    {"all_reduce_vector", "A: fp32[I]{U_{XYZ}}\nAllReduce_{XYZ} A[I]{U_{XYZ}} → A[I]"},
    {"all_reduce_matrix", "A: fp32[I, K]{U_{XYZ}}\nAllReduce_{XYZ} A[I, K]{U_{XYZ}} → A[I, K]"},
    {"all_reduce_along_one",
     "A: fp32[I_{XY}, K]{U_Z}\nAllReduce_Z A[I_{XY}, K]{U_Z} → A[I_{XY}, K]"},
    {"slice", "A: fp32[I_{XY}, K]\nA[I_{XY}, K] → A[I_{XYZ}, K]"}};

[[maybe_unused]] const bool kStepsAreRegistered = [] {
  for (const auto& [name, text] : kSteps)
    benchmark::RegisterBenchmark(fmt::format("step_on_512_devices/{}", name).c_str(),
                                 step_on_512_devices, text)
        ->Unit(benchmark::kMicrosecond)
        ->UseManualTime()
        ->Iterations(1);
  return true;
}();

}  // namespace
}  // namespace shard::bench
