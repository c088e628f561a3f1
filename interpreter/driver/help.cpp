#include "interpreter/driver/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/collective.h"
#include "base/format.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/diagnostics/render.h"
#include "grammar/tree/keyword.h"
#include "grammar/tree/operator.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/estimate/figures.h"
#include "runtime/machine/chip_figure.h"
#include "stdlib/library.h"

namespace shard {

namespace {

using Topic = std::pair<std::string_view, std::string_view>;

constexpr std::array<Topic, 17> kTopics = {{
    {"statements", ""},
    {"notation",
     R"(A[I_X, J]        dimension I is split over the mesh axis X, J is whole on every device
A[I_{XY}, J]     I is split over X first, then over Y
C[I, K]{U_X}     unreduced: the devices along X hold partial sums of C
A ·_J B          contracts J; `·` alone contracts what both have and the target lacks
A ·LOCAL B       multiplies what is there and leaves {U_X}
→  ·  I_X        may be written ->  *  I_X; `shard fmt --ascii` prints it so
)"},
    {"operators", ""},
    {"functions",
     R"(fn mlp(x[B_X, D], W[D, F], V[F, D]) {     x must be split over one axis, called X inside
  h = x ·_D W
  return h ·_F V
}
Out[B_X, D] = mlp(In, Win, Wout)          names in the pattern are bound by position
fn any(x[B_{Y…}, D]) { … }                x may be split over any axes or none, all together called Y
fn area(a, b) { return a * b }            without brackets a parameter is a scalar
q, k[B_X, D] = both(x)                    of a function that ends with `return a, b`
use mlp                                   reads mlp.shard beside the script
)"},
    {"loops",
     R"(for i in 0..L { … }                       L passes, all executed
for B in [1Ki, 4Ki, 16Ki] { print B, c.math, c.comms, c.bound }
                                          each pass priced anew; `print` makes one table (--csv)
for mesh in [{X: 4x4x4}, {X: 4x4, Y: 4}] { print c.time }
for hardware in [TPUv5e 4x4, TPUv5p 4x4x4] { print c.time }
if c.comms > c.math { … } else { … }
{ … }                                     a group: names inside are its own
show A[I_X, J_Y]                          draws which device holds which block
)"},
    {"collectives", ""},
    {"cost",
     R"(Of placed arrays each figure is that of the busiest place.
time { … }, flops { … } and bytes(A[I_X]) are short for one figure. Without sizes they are formulas.
)"},
    {"solve",
     R"(solve B { c.math = c.comms }     the B at which both are equal, or `never` with both sides
solve B { c.math >= c.comms }    the whole B from which on it holds: a multiple of what the mesh cuts
when { c.math > c.comms }        for which sizes it holds: B / X > C / W, or always, or never
when B { c.math > c.comms }      the same with B alone on the left; B is open there if it has a value
minimize c.time over X           of mesh {X: 4x4, Y: 4}: tries the meshes of as many devices
mesh {X: 8, Y: 8} place best c.time
                                 of the ways to lay it over the slice, the one where that is least
minimize c.comms over X with Y = N / X
                                 without a mesh, from the formula: sqrt(B·N / F)
x = solve B { … }                a number with no unit; several are a list: for b in x { … }
expect when { … } = (B / X > C / W)
                                 for the same sizes; also = always, = never
Inside of a question a name without a value is an open size, and T_math is the last block's.
)"},
    {"best",
     R"(best { A[I_?, J_?] ·_J B[J_?, K_?] → C[I, K] }
                                 the layouts in the place of `?` that take the least time
best 5 { … }                     and the next four; the script goes on with the first
W[D_?, F_?]                      the same layout of W wherever it stands so
In[B_?b, D] … Out[B_?b, D]       a hole with a name: the same axes everywhere
mesh {X: ?, Y: ?}                in the block: each way to lay the axes over the slice
Layouts have to fit the chip's memory: hardware TPUv5e 2x2 {HBM: 300 MB}. What takes long is
searched for with a budget, --plan-time N, and the answer then says how far off it may be.
)"},
    {"backward",
     R"(backward Out                     the gradients of all that made Out, from dOut: dWout[F_Y, D_X], dTmp, dWin, dIn
dOut[B_X, D_Y] = Out - Target    before it says what dOut is; otherwise it is an input
backward Out keep In[B_X, D]     what the forward pass gathered stays, and is not gathered again
backward mlp(In, W)              the same of a function's result, called mlp here
cost { backward Out }            also in time { … }, expect comms { … } is { … }, functions and loops
Each gradient has the layout of its array; what is communicated for that is found as for any statement. Derived statements
are in the report: `why dWout` explains one. Integers, comparisons and `top` have no gradient.
)"},
    {"plot",
     R"(plot c.time, d.time against B from 1Ki to 1Mi
                                 curves in the terminal, with the sizes at which two of them are equal
plot c.comms, c.math against B from 1Ki to 1Mi save "times.svg"
                                 and as a picture in a file; so does shard run --svg FILE
plot c.comms / c.math against X from 1 to 64
                                 any values of one unit; c.math is drawn as the bound
Both axes are logarithmic where the last size is ten times the first one or more. Sizes are whole, and
multiples of what the mesh cuts; each is priced anew.
)"},
    {"chip", R"(chip Mine = TPUv5p {HBM: 128 GB}    takes from TPUv5p what is not written
hardware Mine 4x4 {T_launch: 14 us, efficiency: 0.8}
print chip.HBM                      each is read so, but `pod`, `host` and `wrap`
mesh {X: 2x2, C: 2 core}            an axis over the cores of a chip, as TPU7x has two: devices are cores
)"},
    {"fault",
     R"(fault link X[3]            the link from place 3 of X to place 4 is missing, in every ring along X
fault link X[3] at 2 us    it fails at that time of the timeline
fault device 5             a device, by its number or as (1,1); also with `at 2 us`
slow link X[3] by 10       it carries a tenth; to 1e9 B/s: so much
slow device 5 by 2         it computes and reads its memory at half the pace
send A[I, J] from (0,0) to (3,3)
                           moves what the first device holds to the second one
They stand after `mesh` and before the first statement; or for a whole run: --fault "link X[3] at 2 us",
--slow "device 5 by 2". A ring without a link is a line, and data goes the other way round. What no way is left for is
LinkFailed, a step on a device that has failed DeviceFailed: the run ends there with status 3.
`--timeline` shows when things fail and how much longer steps take; cost { send … } has c.latency, until the first byte.
)"},
    {"test",
     R"(shard test tests                every script in the folder, and in folders below, each in a process of its own
x.shard with x.out, x.err       must print these bytes on standard output and standard error; one of them alone: nothing
                                on the other
x.shard alone                   must end well: what it is to show stands in its `expect` lines
x.in with x.out, x.err          is standard input of `shard`
x.md                            a document: each fence named `shard` is a script, and a fence `text` or `output` beneath holds
                                what it prints; `shard run --verify`, `shard check`, `shard error AxisReused`, `shard fmt`,
                                `shard read`, `shard session`, `shard help WORD`, `shard fragment` say what is done with it
# exit: 1                       at the very top: the exit status that it must have, else 0
# args: run --verify            likewise: the arguments that it is run with, else `run`
test.options                    for a folder and those below it, one a line: `args: check`, `from: ..` (where scripts are
                                run, else in their own folder), `strict: yes` (without .out and .err nothing is printed),
                                `canonical: yes` (scripts are as `shard fmt` writes them), `skip: yes`
--threads 1,4,2,7 (default)     `run` prints the same bytes with each count
--update                        writes .out and .err where they exist or are `strict`, and for scripts that are named; and
                                into documents, where a fence for it stands
--filter WORD --timeout SECONDS --jobs N --junit FILE --tap
Exit status: 0 all passed, 3 something differs, failed or was not run, 2 wrong usage, or no script.
)"},
    {"read",
     R"(shard read notes.md             an article as it stands: prose is passed over, notation in lines, formulas, inline code,
                                cells of tables and sentences is checked, statement by statement
--preamble FILE                 a script that declares what the article takes for granted: a mesh, sizes, a chip
--with "mesh {X: 4}; B = 1Ki"   such declarations themselves; both also say how words without underscores are split
checked, skipped, error         it holds; too little is said, as of `A · B` alone; it is notation, and wrong
```shard                        a fence that is run; what it declares holds for the text below. With `run --verify` behind
                                `shard` these are its arguments
```text                         right below, or ```json: what it prints, compared as `shard test` does; --update writes it
BM_x × M_xE = BE → RS over x → BE_x, E_xM → AG x → EM: arrays without brackets
--json --model links
Exit status: 0 all holds, 1 a statement is wrong, 2 wrong usage, 3 an `expect` fails or an output differs.
)"},
    {"repl",
     R"(A line is run when it is complete; an open bracket or a trailing operator asks for more.
NAME? says what a name is. `_` is the last value. `\to` Tab gives →, `\cdot` Tab ·, `\alpha` Tab α.
Ctrl-C drops the line or stops what runs. Tab completes. Up and Ctrl-R recall, also what earlier sessions had.
A line with an error leaves everything as it was.
)"},
    {"errors", ""},
}};

// An example and its meaning, which goes on the next line if the example is too long.
std::string help_line(std::string_view example, std::string_view meaning, std::size_t width) {
  const std::string left = pad_right(example, width);
  const bool fits = left.back() == ' ';
  return (fits ? left : std::string(example) + "\n" + std::string(width, ' ')) +
         std::string(meaning) + "\n";
}

constexpr std::string_view kStatementsWithoutAWord =
    R"(B = 512, D = 256               sizes of dimensions, and scalars
Win: bf16[D_X, F]              declares an array; undeclared ones are inputs in bf16
A[I_X, J] ·_J B[J, K] → C[I_X, K]
                               computes C; the collectives that it needs are found
C[I_X, K] = A[I_X, J] · B[J, K]
                               the same, written as an assignment
A[I_X, J] → A[I, J_X]          asks for another layout
c = cost { … }                 what a block would cost; it never executes
)";

std::string statement_list() {
  // Here and below, the width of the column of examples: wide enough for nearly all of its table. Longer ones get two
  // lines.
  constexpr std::size_t kWidth = 31;
  std::string text;
  bool acts = false;
  for (const Keyword& keyword : keywords()) {
    if (!is_listed(keyword)) continue;
    if (!acts && keyword.does == Does::Acts) text += kStatementsWithoutAWord;
    acts = acts || keyword.does == Does::Acts;
    text += help_line(keyword.example, keyword.meaning, kWidth);
    if (keyword.word == "expect")
      text += help_line("expect comms { … } is { … }",
                        "a test: the block's collectives; `expect plan`: all of its steps", kWidth);
  }
  return text + help_line("# …", "a comment", kWidth);
}

std::string operator_list() {
  constexpr std::size_t kWidth = 31;
  std::string text;
  for (const Operator& one : notation_signs()) text += help_line(one.example, one.meaning, kWidth);
  return text;
}

std::string collective_list() {
  constexpr std::size_t kWidth = 46;
  std::string text;
  for (const CollectiveInfo& collective : collectives())
    text += help_line(collective.example, collective.meaning, kWidth);
  return text +
         "A call, AllGather_X(A[I_X]), is the same; axes that the target shows may be left out.\n"
         "Onto several dimensions: ReduceScatter_{X→I,Y→J}, AllToAll_{X→J,Y→K}.\n";
}

std::string function_list(std::string_view of_scripts) {
  constexpr std::size_t kWidth = 42;
  std::string text(of_scripts);
  text += "The functions of the language:\n";
  for (const FunctionInfo& function : functions()) {
    if (is_listed(function)) text += help_line(function.example, function.meaning, kWidth);
  }
  return text;
}

std::string figure_list(std::string_view rest) {
  constexpr std::size_t kWidth = 24;
  std::string text = "c = cost { … } has, per device:\n";
  for (const BlockFigure& figure : block_figures())
    text += help_line("c." + std::string(figure.name), figure.meaning, kWidth);
  return text + std::string(rest);
}

std::string chip_figure_list(std::string_view example) {
  constexpr std::size_t kWidth = 11;
  std::string text(example);
  text += "The figures of a chip:\n";
  for (const ChipFigure& figure : chip_figures())
    text += help_line(figure.name, meaning_of(figure), kWidth);
  return text;
}

std::string error_list() {
  std::string text;
  for (const DiagnosticInfo& kind : diagnostic_catalogue()) {
    constexpr std::size_t kNameWidth = 26;
    text += pad_right(kind.name, kNameWidth) + std::string(kind.summary) + "\n";
  }
  return text + "\nshard help KIND explains one of them.\n";
}

std::string kind_text(const DiagnosticInfo& kind) {
  return fmt::format("{} ({}): {}\n\n{}\n\nExample:\n{}\n", kind.name, name_of(kind.severity),
                     kind.summary, kind.explanation, kind.example);
}

// "hardware, transformer, …, models".
std::string library_folders() {
  std::vector<std::string> names;
  for (const std::string_view module : library_modules()) {
    const std::string folder(module.substr(0, module.find('.')));
    if (names.empty() || names.back() != folder) names.push_back(folder);
  }
  return join(names, ", ");
}

}  // namespace

std::string help_overview() {
  return fmt::format(
      R"(shard                    a session at the terminal; other input is run as a script
shard -i FILE            runs it, and goes on as a session
shard run FILE…          checks, executes on emulated devices, reports
shard check FILE…        diagnostics only
shard fmt FILE…          canonical text; --ascii, --latex, --check
shard read FILE…         the notation in articles: place, canonical form, verdict, price; --preamble FILE, --with TEXT
shard test PATH…         runs scripts, and those in documents, and compares what they print with what is expected
shard help [TOPIC]       {}, or a kind such as AxisReused
shard help MODULE        what a module of the library has: {}
shard help NAME          a function of the library; with --source its text
shard --version

Options of run: --estimate --verify --json --csv --verbose --threads N --inputs integers|normal
                --scale PART --set B=N --memory SIZE --max-flops N --execute --hops --per-device --model book|links
                --plan RULE --plan-time N --timeline --memory-profile --trace FILE
                --svg FILE --fault WHAT --slow WHAT
                shard run --help says what each does; shard --help those that a session takes
Exit status: 0 fine, 1 the script has errors, 2 wrong usage or unreadable file, 3 it failed while running.
)",
      join(help_topics(), ", "), library_folders());
}

std::vector<std::string> help_topics() { return words_of(kTopics, &Topic::first); }

std::optional<std::string> help_topic(std::string_view topic) {
  if (topic == "statements") return statement_list();
  if (topic == "operators") return operator_list();
  if (topic == "collectives") return collective_list();
  if (topic == "errors") return error_list();
  for (const Topic& one : kTopics) {
    if (one.first != topic) continue;
    if (topic == "functions") return function_list(one.second);
    if (topic == "chip") return chip_figure_list(one.second);
    if (topic == "cost") return figure_list(one.second);
    if (topic == "repl") return session_command_list() + std::string(one.second);
    return std::string(one.second);
  }
  for (const DiagnosticInfo& kind : diagnostic_catalogue()) {
    if (kind.name == topic) return kind_text(kind);
  }
  return std::nullopt;
}

}  // namespace shard
