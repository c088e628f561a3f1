// What a block with holes takes, with layouts in their place.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/holes/open_block.h"
#include "interpreter/statements/run_context.h"

namespace shard {

struct PricedBlock {
  bool is_sound = false;  // planned without a mistake
  bool is_known = false;  // its time and memory are numbers
  double time = 0;        // seconds: max(math, hbm) + comms, step by step
  double memory = 0;      // bytes of a device at the peak
  double math = 0;        // seconds
  double comms = 0;       // seconds
  // Of `time`, by statement of the block; empty where they do not add up to it.
  std::vector<double> by_statement = {};
  // By row and statement of the block: no row's sum is more than `memory` (certain_memory.h). Empty where nothing is known.
  std::vector<std::vector<double>> memory_rows = {};
};

// What a reader asks of one of them.
struct BlockDetails {
  std::string bound;
  std::string
      dearest;  // the collective that takes longest, without its result; empty: nothing is moved
  double dearest_time = 0;  // of all that are written and cost alike
};

class BlockPricer {
 public:
  BlockPricer(OpenBlock& block, RunContext& context) : block_(block), context_(context) {}

  // Of a loop whose passes are even, a few passes tell what all take. Throws Cancelled.
  PricedBlock price(const HoleRows& rows);
  // Whether that is so: whether with every pass the block takes what `price` said.
  bool agrees(const HoleRows& rows, const PricedBlock& priced);
  // From here on `price` runs every pass.
  void price_every_pass() { cuts_loops_ = false; }
  BlockDetails details(const HoleRows& rows);
  // As `price`; what is wrong with the block is reported.
  PricedBlock price_aloud(const HoleRows& rows);
  // The sizes that the time depends on and that have no number, at these layouts.
  std::vector<std::string> missing_sizes(const HoleRows& rows);
  // Seconds of the whole block on one chip of these, where nothing is moved: no way to share it among chips takes less than its
  // part of that. nullopt for blocks that declare a machine of their own, and where it has no number.
  std::optional<double> seconds_on_one_chip(const HoleRows& rows);
  // The statements that run, by OpenBlock::statements.
  std::set<std::size_t> statements_run(const HoleRows& rows);
  // From here on `price` says what is certain of the memory, too.
  void find_memory_rows() { finds_rows_ = true; }

  // Statements that were planned so far: the measure of work.
  std::size_t work() const { return work_; }

 private:
  std::unique_ptr<RunnerState> run(const HoleRows& rows, DiagnosticSink& sink);
  // On the machine of `read`.
  std::unique_ptr<RunnerState> run(const HoleRows& rows, const Scope& read, DiagnosticSink& sink);
  PricedBlock priced(const RunnerState& state) const;
  PricedBlock price_as_it_is(const HoleRows& rows);

  OpenBlock& block_;
  RunContext& context_;
  std::size_t work_ = 0;
  bool cuts_loops_ = true;
  bool finds_rows_ = false;
  std::shared_ptr<planning::Memo> memo_ = std::make_shared<planning::Memo>();
  std::shared_ptr<LoweringCache> lowered_;
};

}  // namespace shard
