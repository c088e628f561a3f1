// How long it takes to read and check scripts: generated layers of a design, each a training step with declarations,
// explicit collectives, a chain with inferred ones, and an expectation. For comparison, what Python's own parser takes
// for as many lines in the same run.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "grammar/parse/parser.h"
#include "interpreter/session/session.h"

namespace shard {
namespace {

const char* const kHead =
    "hardware TPUv5p 4x4x4\nmesh {X: 4x4, Y: 4}\nB = 512, D = 256, F = 1024\n";
// `#` stands for the number of the layer.
const char* const kLayer = R"(In#: bf16[B_X, D_Y]
Win#: bf16[D_X, F_Y]
Wout#: bf16[F_Y, D_X]
In#[B_X, D] = AllGather_Y In#[B_X, D_Y]
Win#[D, F_Y] = AllGather_X Win#[D_X, F_Y]
Tmp#[B_X, F_Y] = In#[B_X, D] ·_D Win#[D, F_Y]
  4. Wout#[F_Y, D] = AllGather_X Wout#[F_Y, D_X] (can be done ahead of time)
Out#[BX, D] {U.Y} = Tmp#[BX, FY] *F Wout#[FY, D]
Out#[B_X, D_Y] = ReduceScatter_Y Out#[B_X, D]{U_Y}
In#[B_X, D_Y] ·_D Win#[D_X, F_Y] ·_F Wout#[F_Y, D_X] → P#[B_X, D_Y]
n# = 2 * B * D + #
expect n# > 4
)";
constexpr int kLinesOfLayer = 12;

std::string script(std::int64_t lines) {
  std::string text = kHead;
  for (std::int64_t layer = 0; layer < lines / kLinesOfLayer; ++layer) {
    for (const char* at = kLayer; *at != '\0'; ++at) {
      if (*at == '#') {
        text += std::to_string(layer);
      } else {
        text += *at;
      }
    }
  }
  return text;
}

void count_lines(benchmark::State& state) {
  state.counters["lines/min"] = benchmark::Counter(60.0 * static_cast<double>(state.range(0)),
                                                   benchmark::Counter::kIsIterationInvariantRate);
}

void count_memory(benchmark::State& state, std::size_t bytes) {
  state.counters["bytes/line"] = static_cast<double>(bytes) / static_cast<double>(state.range(0));
}

void read_script(benchmark::State& state) {
  const std::string text = script(state.range(0));
  for (auto _ : state) {
    const std::size_t before = mallinfo2().uordblks;
    SourceMap sources;
    Names names;
    DiagnosticSink sink;
    const ast::Module module = parse(sources, sources.add("script", text), names, sink);
    if (module.statements.empty() || !sink.take_sorted().empty())
      state.SkipWithError("the script is not read");
    count_memory(state, mallinfo2().uordblks - before);
  }
  count_lines(state);
}

void check_script(benchmark::State& state) {
  const std::string text = script(state.range(0));
  for (auto _ : state) {
    const std::size_t before = mallinfo2().uordblks;
    SessionOptions options;
    options.check_only = true;
    Session session(options);
    const Outcome outcome = session.run("script", text);
    if (outcome.status != ExitStatus::Fine) state.SkipWithError("the script has errors");
    count_memory(state, mallinfo2().uordblks - before);
  }
  count_lines(state);
}

// Products and subscripts, which Python's grammar has as well.
void python_reads(benchmark::State& state) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) return state.SkipWithError("no python3");
  const std::string path = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") +
                           "/script_bench." + std::to_string(state.range(0)) + ".py";
  {
    std::ofstream file(path);
    for (std::int64_t i = 0; i < state.range(0); ++i)
      file << "Tmp" << i << "[B, X, F, Y] = In" << i << "[B, X, D] @ Win" << i << "[D, F, Y]\n";
  }
  const std::string command = "python3 -c 'import ast; ast.parse(open(\"" + path + "\").read())'";
  for (auto _ : state) {
    if (std::system(command.c_str()) != 0) state.SkipWithError("python3 failed");
  }
  std::remove(path.c_str());
  count_lines(state);
}

BENCHMARK(read_script)->Arg(12'500)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(check_script)->Arg(12'500)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(python_reads)->Arg(100'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace shard
