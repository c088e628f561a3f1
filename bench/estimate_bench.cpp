// How fast `shard run --estimate` is, from a script's text to its report, in memory. Ten statements in five sizes make
// 50 shapes, repeated: products whose collectives are inferred, explicit collectives, elementwise operations and chains
// of them, under reused and under new names. The script should take as long for 8 devices as for 8960, as nothing is
// done per device.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string>

#include "interpreter/report/text_report.h"
#include "interpreter/session/session.h"

namespace shard {
namespace {

// `#` stands for the names of a pass, `%` for its size. The lengths divide evenly on both meshes.
const std::array<const char*, 10> kStatements = {
    "AllGather_Y A#[B%_X, D%_Y] → A#[B%_X, D%]",
    "A#[B%_X, D%] ·_D% W#[D%, F%_Y] → T#[B%_X, F%_Y]",
    "R#[B%_X, F%_Y] = relu(T#[B%_X, F%_Y]) + T#[B%_X, F%_Y] / 2",
    "R#[B%_X, F%_Y] ·_F% V#[F%_Y, D%] → O#[B%_X, D%]{U_Y}",
    "O#[B%_X, D%_Y] = ReduceScatter_Y O#[B%_X, D%]{U_Y}",
    "O#[B%_X, D%_Y] ·_D% G#[D%_X, F%_Y] → P#[B%_X, F%_Y]",
    "P#[B%_X, F%_Y] ·_F% H#[F%_Y, D%_X] → Q#[B%_X, D%_Y]",
    "S#[B%_X, D%_Y] = Q#[B%_X, D%_Y] + O#[B%_X, D%_Y]",
    "N#[B%_X, D%_Y] = exp(S#[B%_X, D%_Y] * 3)",
    "N#[B%_X, D%_Y] → N#[B%, D%_Y]"};
constexpr int kSizes = 5;
// A whole TPU v5p pod of 16x20x28.
constexpr std::int64_t kDevices = 8960;

std::string head(std::int64_t devices) {
  std::string text = "chip Large = TPUv5p {HBM: 1e30 B}\n";
  text += devices == kDevices ? "hardware Large 16x20x28\nmesh {X: 16x28, Y: 20}\n"
                              : "hardware Large 4x2\nmesh {X: 4, Y: 2}\n";
  for (int i = 0; i < kSizes; ++i) {
    const auto length = [&](int times) { return std::to_string(kDevices * times); };
    const std::string size = std::to_string(i);
    text += "B" + size + " = " + length(i + 1) + ", D" + size + " = " + length(i + 2) + ", F" +
            size + " = " + length(2 * i + 2) + "\n";
  }
  return text;
}

// Every other pass has new names; the passes between reuse the names of the previous pass of their size.
std::string script(std::int64_t statements, std::int64_t devices) {
  std::string text = head(devices);
  for (std::int64_t i = 0; i < statements; ++i) {
    const std::int64_t pass = i / static_cast<std::int64_t>(kStatements.size());
    const std::string size = std::to_string(pass / 2 % kSizes);
    const bool again = pass % 2 == 1;
    // An array that already exists whole is not gathered again.
    const std::size_t which = static_cast<std::size_t>(i) % kStatements.size();
    const char* statement =
        again && which == 0 ? "A#[B%_X, D%] = A#[B%_X, D%] * 2" : kStatements[which];
    const std::string name = again ? "x" + size : std::to_string(pass);
    for (const char* at = statement; *at != '\0'; ++at) {
      if (*at == '#') {
        text += name;
      } else if (*at == '%') {
        text += size;
      } else {
        text += *at;
      }
    }
    text += "\n";
  }
  return text;
}

// As many statements in the passes of a loop over a hundred of them.
std::string loop_script(std::int64_t statements, std::int64_t devices) {
  constexpr std::int64_t kBody = 100;
  const std::string head_text = head(devices);
  const std::string body = script(kBody, devices).substr(head_text.size());
  return head_text + "for layer in 1.." + std::to_string(statements / kBody) + " {\n" + body +
         "}\n";
}

void estimate(benchmark::State& state, const std::string& text, bool as_json) {
  for (auto _ : state) {
    SessionOptions options;
    options.execution.estimate = true;
    Session session(options);
    const Outcome outcome = session.run("script", text);
    if (outcome.status != ExitStatus::Fine) state.SkipWithError("the script has errors");
    const std::string report = as_json ? json_report(outcome, session.state(), session.sources())
                                       : text_report(outcome, session.state(), {});
    benchmark::DoNotOptimize(report.data());
  }
  state.counters["statements/s"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate);
}

void estimate_text(benchmark::State& state) {
  estimate(state, script(state.range(0), state.range(1)), false);
}
void estimate_loop(benchmark::State& state) {
  estimate(state, loop_script(state.range(0), state.range(1)), false);
}
void estimate_json(benchmark::State& state) {
  estimate(state, script(state.range(0), state.range(1)), true);
}

BENCHMARK(estimate_text)
    ->Args({100'000, 8})
    ->Args({100'000, kDevices})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_loop)
    ->Args({100'000, 8})
    ->Args({100'000, kDevices})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_json)
    ->Args({10'000, 8})
    ->Args({10'000, kDevices})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace shard
