// What a script says, in the order in which it says it: statements, values, tables, pictures, expectations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/match.h"
#include "interpreter/ir/value.h"
#include "interpreter/lower/alternatives.h"
#include "interpreter/solve/curves.h"

namespace shard {

// A printed value. `number` is in base units: bytes, seconds, FLOPs; none while it is a formula, and for words.
struct PrintedCell {
  std::string text;
  std::optional<double> number;
  Unit unit;
  // What `solve`, `minimize` and `when` found, if that is no single number: several, a word, or ranges of a size.
  std::shared_ptr<const Value> found = nullptr;
  std::vector<double> elements = {};  // of an array that has several, once it was run
};

// The table that `print` makes inside a loop.
struct PrintedTable {
  std::vector<std::string> columns;  // as written, canonical
  std::vector<std::vector<PrintedCell>> rows;
};

PrintedCell printed_cell(const Value& value);

// The devices that hold one block of the dimensions that are drawn.
struct PictureCell {
  std::vector<std::int64_t> devices;  // the first ones
  std::int64_t count = 0;             // all of them
  std::int64_t last = 0;              // of all
};

// One dimension that is drawn: its blocks, first to last.
struct PictureSide {
  std::string name;  // "I_X"
  std::vector<std::string>
      blocks;  // of those that are drawn: "0:16", or their number while the length is unknown
  std::int64_t count = 1;  // all of them
};

// `show A[I_X, J_Y]`: which device holds which block.
struct Picture {
  std::string array;  // "A[I_X, J_Y]"
  std::string dtype;
  std::string mesh;  // "{X: 4, Y: 2}"
  std::vector<std::string> shape;
  std::vector<std::string> local_shape;
  Amount bytes;  // per device
  std::int64_t devices = 1;
  std::int64_t copies = 1;  // devices that hold the same
  std::optional<PictureSide> rows;
  std::optional<PictureSide> columns;
  std::vector<std::vector<PictureCell>> cells;  // by row and column
  std::vector<std::string> remarks;
};

struct PlannedEntry {  // a statement of a program
  std::size_t program = 0;
  std::size_t statement = 0;
  std::int64_t times = 1;    // passes of a loop that do the same
  bool is_repeated = false;  // by a pass that is counted in the `times` of another
  bool fused = false;        // within a kernel
  bool in_pass = false;      // of a loop over a range
  std::size_t last = 0;      // with several `times`: the statement of the last of these passes
  // Which passes these are, "l = 0, 2, …", where others lie between them; else empty.
  SharedValue<std::string> passes = {};
};
struct PrintedEntry {
  std::vector<std::string> names;  // as written, canonical
  std::vector<std::string> values;
  std::vector<PrintedCell> cells = {};  // the same values; none of an array's
  bool beside_array = false;            // of a `print` in a loop that has an array as well
};
struct ExpectedEntry {
  std::string text;
  std::optional<bool> holds;
  std::string left;  // values of both sides of a comparison, empty otherwise
  std::string right;
  std::string difference;  // of the left side from the right one
  bool pending = false;  // of arrays: judged when the run is over, and not at all if there is none
  std::size_t program = 0;  // of a pending one
};
// `save A "a.npy"`.
struct SavedEntry {
  std::size_t program = 0;
  std::string array;
  std::string path;
  bool written = false;
};
// Another way would be chosen for a size below, or from that one on.
struct WayFlip {
  std::string size;
  std::int64_t at = 0;
  bool larger = false;             // from it on; else below it
  std::vector<std::string> steps;  // of that way, in the notation
};
struct WhyEntry {
  std::string statement;
  std::int64_t times = 1;  // equal ones, as of the passes of a loop
  std::vector<WeighedWay> ways;
  std::vector<WayFlip> flips;
  bool reference_sizes = false;
  bool fused = false;  // of a kernel: the ways are weighed as those of the statement outside of it
};
// `print c` of a cost block: all its figures.
struct FiguresEntry {
  struct Row {
    std::string name;  // "c.flops"
    PrintedCell value;
    std::string meaning;
  };
  std::string block;  // as written, canonical
  std::vector<Row> rows;
};
// `why c`, `print c.steps`: the steps of a cost block, or `why` of calls of functions, dearest first, or as they come while their times are formulas.
struct StepsEntry {
  struct Row {
    std::string text;  // in the notation, without the result
    bool inferred = false;
    std::int64_t times = 1;            // steps with the same text and cost
    std::shared_ptr<const Cost> cost;  // of all of them together; never null
    Formula time;                      // likewise
    std::optional<double> share;       // of the time of the block
  };
  std::string block;
  Formula time;  // of all steps
  std::vector<Row> rows;
};
// What `best { … }` found.
struct BestEntry {
  // The layouts of the holes, and what the block comes to with them.
  struct Row {
    std::vector<std::string> lines;  // with the layouts in the place of the holes, to be pasted
    bool is_list = false;            // these are arrays, and not statements
    double time = 0;                 // seconds: max(math, hbm) + comms, statement by statement
    std::string bound;               // "compute", "memory", "communication", "latency"
    double memory = 0;               // bytes of a device at the peak
    std::string dearest;             // the collective that takes longest; empty if nothing is moved
    double dearest_time = 0;         // seconds
    std::int64_t alike = 0;          // layouts that take as long and as much memory
  };
  // A strategy that is known by a name, as far as these holes can say it.
  struct Strategy {
    std::string name;
    Row row;
    bool fits = true;
  };
  std::vector<Row> rows;  // that fit the memory, best first
  std::vector<Strategy> strategies = {};
  std::optional<Row> too_large = {};  // the fastest of those that were priced and do not fit
  std::int64_t too_large_count = 0;
  double limit = 0;                // bytes of a device
  double candidates = 0;           // layouts that the holes allow
  std::int64_t priced = 0;         // of them, with the whole block
  bool proven = false;             // none is better
  std::optional<double> at_least;  // seconds: no layout takes less
  bool out_of_work = false;        // the search stopped where --plan-time ended
  double plan_time_for_all = 0;    // seconds of --plan-time that price all; 0: not known
};
// `print A`: what an array holds, or its edges if it is large.
struct ArrayEntry {
  std::size_t program = 0;
  std::string array;  // as written, canonical
  std::string type;   // "fp32[I_X, J]"
  std::vector<std::int64_t> shape;
  // By dimension: the indices that are shown, in order; empty until the array is there.
  std::vector<std::vector<std::int64_t>> shown = {};
  std::vector<double> values = {};  // of these indices, row-major
  bool is_there = false;
};
// `plot`. A file that it names is written with the report, which alone knows how it is drawn.
struct PlotEntry {
  Curves curves;
  std::string path = {};  // empty: it is saved nowhere
  bool written = false;
};
// Nearly all are statements: what is larger stands in a box.
using Entry = std::variant<PlannedEntry, Box<PrintedEntry>, Box<ExpectedEntry>, Box<SavedEntry>,
                           Box<WhyEntry>, Box<PrintedTable>, Box<Picture>, Box<FiguresEntry>,
                           Box<StepsEntry>, Box<ArrayEntry>, Box<BestEntry>, Box<PlotEntry>>;
// What stands in the box; null if the entry is of another kind.
template <class Boxed>
const Boxed* boxed_in(const Entry& entry) {
  const auto* box = std::get_if<Box<Boxed>>(&entry);
  return box == nullptr ? nullptr : &**box;
}

}  // namespace shard
