// Memory and totals of random programs with placed arrays, against a recomputation device by device and step by step from
// the times on the timeline. It shares nothing with what it checks but the plan, its prices and its times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// ------------------------------------------------------------ programs

class Writer {
 public:
  explicit Writer(std::mt19937& random) : random_(random) {}

  std::string script() {
    std::string text = "hardware TPUv5p\nmesh {Z: 3, X: 2, Y: 2}\n";
    const int rows = size();
    const int columns = size();
    text += fmt::format("I = {}, J = {}, K = {}, M = {}\n", rows, columns, size(), rows * columns);
    if (one_of(6) == 0) text += fmt::format("fault link X[0] at {} us\n", 1 + one_of(40));
    if (one_of(6) == 0) text += fmt::format("slow device {} by 3\n", one_of(12));
    const int count = 2 + one_of(12);
    for (int i = 0; i < count; ++i) text += statement();
    return text;
  }

 private:
  int one_of(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  int size() { return 16 << (2 * one_of(4)); }
  std::string fresh() { return fmt::format("N{}", next_++); }
  std::string place() { return fmt::format("{{Z={}}}", one_of(3)); }
  // An array on dimensions I, J whose layout is known.
  std::string& known() {
    return arrays_[static_cast<std::size_t>(one_of(static_cast<int>(arrays_.size())))];
  }

  std::string statement() {
    const int kind = arrays_.empty() ? one_of(3) : one_of(12);
    const std::string name = fresh();
    if (kind == 0)
      return fmt::format("{0}[I, J] = AllGather_X {0}[I_X, J]\n", name) + note(name + "[I, J]");
    if (kind == 1) {
      const std::string at = place();
      return fmt::format("{0}[I, J]{1} = AllGather_Y {0}[I_Y, J]{1}\n", name, at) +
             note(name + "[I, J]" + at);
    }
    if (kind == 2) {
      const std::string at = one_of(2) == 0 ? "" : place();
      return fmt::format("{0}[I, J]{1} = L{0}[I, K]{1} · R{0}[K, J]{1}\n", name, at) +
             note(name + "[I, J]" + at);
    }
    const std::string from = known();
    const std::string bare = from.substr(0, from.find('['));
    const auto brace = from.find('{');
    const std::string at = brace == std::string::npos ? "" : from.substr(brace);
    switch (kind) {
      case 3:  // in place, perhaps
        return fmt::format("{0}[I, J]{1} = {0}[I, J]{1} + 1\n", bare, at);
      case 4:
        return fmt::format("{0}[I, J]{1} = relu({2})\n", name, at, from) +
               note(name + "[I, J]" + at);
      case 5:  // to another stage
        return move_to(name, from, at);
      case 6:  // a result that nothing uses, again and again
        return fmt::format("AllGather_X U[I_X, J] → U[I, J]\n");
      case 7:
        return fmt::format("{0}[M]{1} = Reshape({2})\n", name, at, from);
      case 8:
        return fmt::format("{0}[I, K]{1} = {2} ·_J M{0}[J, K]{1}\n", name, at, from);
      case 9:
        return fmt::format("{0}[I_X, J]{1} = {2} ⊙ 2\n", name, at, from);
      case 10:
        return fmt::format("G = {0} + 1\n", from);
      default:
        return fmt::format(
            "for i in 0..{0} {{ AllGather_Y V[I_Y, J] → V[I, J]; P[I, K] = V[I, J] · Q[J, K] }}\n",
            1 + one_of(3));
    }
  }

  std::string move_to(const std::string& name, const std::string& from, const std::string& at) {
    const std::string to = place();
    if (at == to) return "";
    return fmt::format("{0}[I, J]{1} = {2}\n", name, to, from) + note(name + "[I, J]" + to);
  }

  std::string note(std::string array) {
    arrays_.push_back(std::move(array));
    return "";
  }

  std::mt19937& random_;
  std::vector<std::string> arrays_;
  int next_ = 0;
};

// ------------------------------------------------------------ the recomputation

double plain(const Formula& formula) {
  const auto number = formula.constant();
  EXPECT_TRUE(number.has_value());
  return number ? number->to_double() : 0;
}

// What one device holds and does, from the plan and from when its steps run.
class Device {
 public:
  Device(const Program& program, const Figures& figures, std::vector<std::int64_t> coordinates)
      : program_(program), figures_(figures), coordinates_(std::move(coordinates)) {
    find_uses();
  }

  bool holds(CopyId id) const {
    for (const Placement& place : program_.plan.copies[id].layout.placed) {
      if (coordinates_[static_cast<std::size_t>(place.axis.value)] != place.coordinate)
        return false;
    }
    return true;
  }

  bool takes_part(const Step& step) const {
    if (!result_of(step).valid()) return false;
    const auto* collective = std::get_if<CollectiveStep>(&step.action);
    return holds(result_of(step)) || (collective != nullptr && holds(collective->operand));
  }

  // Of the steps that it takes part in.
  template <class Of>
  double sum(const Of& of) const {
    double total = 0;
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      if (takes_part(program_.plan.steps[i])) total += of(i);
    }
    return total;
  }

  // The most at any start of a step. Between two starts nothing comes.
  double peak(bool overlapped) const {
    double most = 0;
    for (std::size_t i = 0; i < steps().size(); ++i) {
      if (!result_of(steps()[i]).valid() || start(i, overlapped) == kNever) continue;
      most = std::max(most, held_at(i, overlapped));
    }
    return most;
  }

 private:
  struct Use {
    std::size_t maker = 0;
    std::vector<std::size_t> readers;
    int ended_by = -1;  // statement; only if nothing reads it
    std::size_t dropped = 0;
    bool is_dropped = false;
  };

  const std::vector<Step>& steps() const { return program_.plan.steps; }
  bool is_input(std::size_t i) const {
    return std::holds_alternative<InputStep>(steps()[i].action);
  }

  void find_uses() {
    for (std::size_t i = 0; i < steps().size(); ++i) {
      if (const auto* free = std::get_if<FreeStep>(&steps()[i].action)) {
        uses_[free->copy].is_dropped = true;
        uses_[free->copy].dropped = i;
        continue;
      }
      uses_[result_of(steps()[i])].maker = i;
      for (const CopyId operand : operands_of(steps()[i])) uses_[operand].readers.push_back(i);
    }
    for (auto& [copy, use] : uses_) {
      if (const int* end = program_.ended.find(copy); end != nullptr && use.readers.empty())
        use.ended_by = *end;
    }
  }

  // In the script's order the number of a step is its time. Inputs are there from the beginning.
  bool never_runs(std::size_t i) const {
    const auto& failure = figures_.faults.failure;
    return !is_input(i) && failure && i >= failure->step &&
           figures_.timeline->steps[i].start >= failure->at;
  }
  double start(std::size_t i, bool overlapped) const {
    if (is_input(i)) return overlapped ? 0 : -1;
    if (never_runs(i)) return kNever;
    return overlapped ? figures_.timeline->steps[i].start : static_cast<double>(i);
  }
  double end(std::size_t i, bool overlapped) const {
    if (is_input(i)) return overlapped ? 0 : -1;
    if (never_runs(i)) return kNever;
    return overlapped ? figures_.timeline->steps[i].end : static_cast<double>(i) + 0.5;
  }

  // Inputs, and then the steps of the script.
  std::size_t rank(std::size_t i) const { return is_input(i) ? i : i + steps().size(); }

  // Whether the copy is there while step i starts.
  bool is_there(CopyId copy, std::size_t i, bool overlapped) const {
    const Use& use = uses_.at(copy);
    const double now = start(i, overlapped);
    const double made = start(use.maker, overlapped);
    if (made == kNever || std::pair(made, rank(use.maker)) > std::pair(now, rank(i))) return false;
    if (taken_over_by(copy, overlapped)) {
      const std::size_t taker = *taken_over_by(copy, overlapped);
      return std::pair(start(taker, overlapped), rank(taker)) > std::pair(now, rank(i));
    }
    double over = end(use.maker, overlapped);
    for (const std::size_t reader : use.readers) over = std::max(over, end(reader, overlapped));
    if (use.readers.empty()) {
      if (!use.is_dropped && use.ended_by < 0) return true;
      const auto next = next_step(use);
      if (!next) return true;
      if (start(*next, overlapped) >= over)
        return std::pair(start(*next, overlapped), rank(*next)) > std::pair(now, rank(i));
    }
    if (now < over) return true;
    if (now > over) return false;
    // Of the steps without a duration that need it now, the last.
    std::vector<std::size_t> all = use.readers;
    all.push_back(use.maker);
    return std::any_of(all.begin(), all.end(), [&](std::size_t one) {
      return start(one, overlapped) == over && end(one, overlapped) == over && rank(one) >= rank(i);
    });
  }

  // What it makes room for: behind its being dropped, or of the statement that makes another in its place.
  std::optional<std::size_t> next_step(const Use& use) const {
    for (std::size_t i = use.is_dropped ? use.dropped : 0; i < steps().size(); ++i) {
      if (is_input(i) || !result_of(steps()[i]).valid()) continue;
      if (use.is_dropped || steps()[i].statement >= use.ended_by) return i;
    }
    return std::nullopt;
  }

  // The step that changes it in place: the last one that reads it, when all others are through.
  std::optional<std::size_t> taken_over_by(CopyId copy, bool overlapped) const {
    const Use& use = uses_.at(copy);
    if (use.readers.empty() || use.is_dropped) return std::nullopt;
    const std::size_t last = use.readers.back();
    const auto* elements = std::get_if<ElementwiseStep>(&steps()[last].action);
    if (elements == nullptr || elements->in_place != copy || never_runs(last)) return std::nullopt;
    const double begin = start(last, overlapped);
    if (end(use.maker, overlapped) > begin) return std::nullopt;
    for (const std::size_t reader : use.readers) {
      if (reader != last && end(reader, overlapped) > begin) return std::nullopt;
    }
    return last;
  }

  // Where its elements lie: a Reshape is its operand, if that is there.
  CopyId memory_of(CopyId copy) const {
    const auto* reshape = std::get_if<SelectionStep>(&steps()[uses_.at(copy).maker].action);
    if (reshape == nullptr || reshape->kind != SelectionKind::Reshape) return copy;
    return memory_of(reshape->operands.front());
  }

  double held_at(std::size_t i, bool overlapped) const {
    std::map<CopyId, double> memories;
    for (const auto& [copy, use] : uses_) {
      if (!holds(copy) || !is_there(copy, i, overlapped)) continue;
      const Copy& info = program_.plan.copies[copy];
      EXPECT_EQ(info.dtype, DType::Bf16);
      double bytes = 2;
      for (std::size_t d = 0; d < info.shape.size(); ++d) {
        bytes *= plain(Formula(info.shape[d]));
        for (const AxisId axis : info.layout.dims[d])
          bytes /= static_cast<double>(*program_.machine.mesh.axes[axis].length());
      }
      memories[memory_of(copy)] = bytes;
    }
    double total = 0;
    for (const auto& [memory, bytes] : memories) total += bytes;
    return total;
  }

  const Program& program_;
  const Figures& figures_;
  std::vector<std::int64_t> coordinates_;
  std::map<CopyId, Use> uses_;
};

// One for each place on Z, which is all that arrays are placed on.
std::vector<Device> devices_of(const Program& program, const Figures& figures) {
  std::vector<Device> devices;
  for (std::int64_t z = 0; z < 3; ++z)
    devices.emplace_back(program, figures, std::vector<std::int64_t>{z, 0, 0});
  return devices;
}

void expect_near(double said, double own, const char* what) {
  EXPECT_NEAR(said, own, 1e-9 * own) << what;
}

template <class Of>
double most(const std::vector<Device>& devices, const Of& of) {
  double highest = 0;
  for (const Device& device : devices) highest = std::max(highest, of(device));
  return highest;
}

void compare_totals(const Program& program, const Figures& figures,
                    const std::vector<Device>& devices) {
  const auto busiest = [&](const auto& figure) {
    return most(devices, [&](const Device& device) {
      return device.sum([&](std::size_t i) { return figure(*program.steps[i].cost); });
    });
  };
  const auto math = [](const Cost& cost) { return plain(cost.math); };
  const auto hbm = [](const Cost& cost) { return plain(cost.hbm); };
  const auto comms = [](const Cost& cost) { return plain(cost.comms); };
  const auto amount = [](Amount Cost::*figure) {
    return [figure](const Cost& cost) { return plain(Formula(cost.*figure)); };
  };
  const Totals& said = figures.totals.most;
  expect_near(plain(said.flops), busiest(amount(&Cost::flops)), "FLOPs");
  expect_near(plain(said.comm_bytes), busiest(amount(&Cost::comm_bytes)), "bytes moved");
  expect_near(plain(said.hbm_bytes), busiest(amount(&Cost::hbm_bytes)), "bytes of HBM");
  expect_near(plain(said.math), busiest(math), "T_math");
  expect_near(plain(said.hbm), busiest(hbm), "T_hbm");
  expect_near(plain(said.comms), busiest(comms), "T_comms");
  expect_near(plain(said.lower), std::max(busiest(math), busiest(comms)), "lower");
  expect_near(plain(said.upper),
              busiest([&](const Cost& cost) { return math(cost) + comms(cost); }), "upper");
  expect_near(plain(said.time), busiest([&](const Cost& cost) {
                return std::max(math(cost), hbm(cost)) + comms(cost);
              }),
              "time");
}

struct Hits {
  int programs = 0;
  int overlapped = 0;  // the peaks of the two schedules differ
  int lower = 0;       // that of the timeline is the lower one
  int placed = 0;
  int in_place = 0;
  int replaced = 0;
  int failed = 0;
};

void count(const Program& program, const Figures& figures, Hits& hits) {
  ++hits.programs;
  const double peak = plain(figures.memory.peak.bytes);
  const double in_order = plain(figures.memory.in_order);
  hits.overlapped += peak != in_order ? 1 : 0;
  hits.lower += peak < in_order ? 1 : 0;
  hits.placed += figures.totals.comms_by_axis.size() > 1 ? 1 : 0;
  hits.failed += figures.faults.failure ? 1 : 0;
  hits.replaced += program.ended.size() > 0 ? 1 : 0;
  for (const Step& step : program.plan.steps) {
    const auto* elements = std::get_if<ElementwiseStep>(&step.action);
    if (elements != nullptr && elements->in_place.valid()) return void(++hits.in_place);
  }
}

void check(const std::string& text, Hits& hits) {
  SCOPED_TRACE(text);
  SessionOptions options;
  options.execution.estimate = true;
  const testing::Ran ran(text, options);
  if (ran.outcome.status == ExitStatus::ProgramErrors) {
    ADD_FAILURE() << ran.outcome.diagnostics.front().message;
    return;
  }
  const Program& program = ran.session.state().programs.front();
  const Figures& figures = ran.outcome.programs.front().figures;
  ASSERT_TRUE(figures.timeline.has_value());
  const std::vector<Device> devices = devices_of(program, figures);
  compare_totals(program, figures, devices);
  expect_near(plain(figures.memory.peak.bytes),
              most(devices, [](const Device& device) { return device.peak(true); }), "peak");
  expect_near(plain(figures.memory.in_order),
              most(devices, [](const Device& device) { return device.peak(false); }),
              "peak in order");
  count(program, figures, hits);
}

TEST(Schedules, AreWhatEachDeviceDoesAndHolds) {
  Hits hits;
  std::mt19937 random(20241);
  const int cases = scaled_cases(1500);
  for (int i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    check(Writer(random).script(), hits);
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(hits.programs, 1000);
  for (const int hit : {hits.placed, hits.in_place, hits.replaced}) EXPECT_GE(hit, 50);
  for (const int hit : {hits.overlapped, hits.lower, hits.failed}) EXPECT_GE(hit, 10);
}

}  // namespace
}  // namespace shard
