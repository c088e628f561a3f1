#include "bench/engine.h"

#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "interpreter/session/session.h"
#include "runtime/execute/emulator.h"

namespace shard::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Executions in a row before the peer's turn. The first of a group finds threads asleep and caches cold, for the peer
// too; six leave each side enough calls that do not, and turns short enough for both to meet the same load on the
// machine.
constexpr std::size_t kGroup = 6;
// How long to wait after the peer: OpenMP's threads may spin that long for more work, occupying a processor each.
constexpr auto kPeerEnds = std::chrono::milliseconds(40);

Timing summary(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

bool is_input(const Step& step) { return std::holds_alternative<InputStep>(step.action); }

Program planned(const std::string& text) {
  SessionOptions options;
  options.execution.estimate = true;
  Session session(options);
  const Outcome outcome = session.run("bench", text);
  if (outcome.status != ExitStatus::Fine || session.state().programs.size() != 1) {
    for (const Diagnostic& diagnostic : outcome.diagnostics)
      std::fprintf(stderr, "%s\n", diagnostic.message.c_str());
    std::fprintf(stderr, "not one program without errors:\n%s\n", text.c_str());
    std::abort();
  }
  return session.state().programs.front();
}

// The inputs once, then everything else `times` times; what an execution makes is freed each time, the inputs are not.
Plan repeated(const Program& program, int times) {
  const Plan once = finished_plan(program, {});
  Plan plan{.copies = once.copies};
  std::vector<CopyId> inputs;
  std::vector<Step> body;
  std::vector<CopyId> alive;
  for (const Step& step : once.steps) {
    if (is_input(step)) {
      plan.steps.push_back(step);
      inputs.push_back(result_of(step));
      continue;
    }
    if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      if (std::count(inputs.begin(), inputs.end(), free->copy) != 0) continue;
      std::erase(alive, free->copy);
    } else {
      alive.push_back(result_of(step));
    }
    body.push_back(step);
  }
  for (const CopyId copy : alive) body.push_back({FreeStep{copy}});
  for (int i = 0; i < times; ++i) plan.steps.insert(plan.steps.end(), body.begin(), body.end());
  return plan;
}

}  // namespace

void execute_repeatedly(const std::string& text, int most,
                        const std::function<bool(double)>& another) {
  const auto begin = Clock::now();
  const Program program = planned(text);
  const Plan plan = repeated(program, most);
  CopyId last;
  int inputs = 0;
  for (const Step& step : plan.steps) {
    if (result_of(step).valid()) last = result_of(step);
    inputs += is_input(step) ? 1 : 0;
  }
  double before_inputs = -1;  // reading, planning, preparing
  bool ended = false;
  int made = 0;
  Clock::time_point start;
  RunOptions options{.threads = 2};
  // Called before the first step, so it takes the time at which preparation ends.
  options.cancelled = [&] {
    if (before_inputs < 0) before_inputs = seconds_since(begin);
    return ended;
  };
  options.observe = [&](CopyId copy, const DeviceArray&) {
    const double taken = seconds_since(start);
    if (++made < inputs || (made > inputs && copy != last)) return;
    if (made > inputs) {
      ended = !another(taken + before_inputs);
      before_inputs = 0;
    }
    start = Clock::now();
  };
  options.is_observed = [&](CopyId copy) { return copy == last; };
  const RunReport report = run(program.machine, plan, options);
  if (report.fault) {
    std::fprintf(stderr, "%s\n", report.fault->message.c_str());
    std::abort();
  }
}

Sides measure(const std::string& text, int rounds, const std::function<void()>& peer) {
  std::vector<double> engine_times;
  std::vector<double> peer_times;
  execute_repeatedly(text, rounds, [&](double seconds) {
    engine_times.push_back(seconds);
    if (engine_times.size() % kGroup != 0 || !peer) return true;
    for (std::size_t i = 0; i < kGroup; ++i) {
      const auto start = Clock::now();
      peer();
      peer_times.push_back(seconds_since(start));
    }
    std::this_thread::sleep_for(kPeerEnds);
    return true;
  });
  return {summary(engine_times), peer ? summary(peer_times) : Timing{}};
}

void on_two_threads(const std::function<void(int)>& body) {
#pragma omp parallel num_threads(2)
  body(omp_get_thread_num());
}

Memory::Memory(std::size_t bytes) : size_(bytes) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const std::size_t rounded = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  data_ = static_cast<char*>(std::aligned_alloc(kHugePage, rounded));
  madvise(data_, rounded, MADV_HUGEPAGE);
  std::memset(data_, 1, rounded);
}
Memory::~Memory() { std::free(data_); }

}  // namespace shard::bench
