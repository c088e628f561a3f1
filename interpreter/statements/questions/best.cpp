// `best 5 { … }`: finds layouts for the holes of a block, says what they take, and runs the block with the first.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "base/format.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/holes/equal_axes.h"
#include "interpreter/holes/mesh_sizes.h"
#include "interpreter/holes/untaken_sides.h"
#include "interpreter/holes/walk_block.h"
#include "interpreter/solve/absent_size.h"
#include "interpreter/statements/questions/decided_sides.h"
#include "interpreter/statements/questions/layout_search.h"
#include "interpreter/statements/questions/strategies.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

constexpr std::int64_t kMostLayoutsShown = 100;

// A block with one mesh, and what was found for it.
struct TriedBlock {
  std::vector<OpenAxis> axes = {};
  // As written, and the holes of it that stand in sides of branches that are not taken: in `block` these are unsplit.
  std::vector<ast::Statement> body = {};
  std::set<std::size_t> untaken = {};
  std::unique_ptr<OpenBlock> block = nullptr;
  std::unique_ptr<BlockPricer> pricer = nullptr;
  FoundLayouts found = {};
  std::vector<BestEntry::Strategy> strategies = {};
};

class BestLayouts {
 public:
  BestLayouts(const std::vector<ast::Statement>& body, std::size_t count, Span span,
              RunContext& context)
      : body_(body), count_(count), span_(span), context_(context) {
    const auto& hbm = context.scope.hardware().chip.hbm;
    if (hbm) limit_ = hbm->to_double();
  }

  void run() {
    if (!search() || tried_.empty()) return;
    const TriedBlock& winner = tried_.front();
    if (winner.found.best.empty()) return report_too_large();
    add_entry();
    const auto body = filled(winner, winner.found.best.front().rows);
    for (const auto& [key, function] : winner.block->functions())
      context_.scope.names.functions[key] = function;
    run_here(body, context_);
  }

 private:
  bool fail(DiagnosticKind kind, std::string message, std::vector<std::string> help) {
    report(context_.check, kind, span_, std::move(message), std::move(help));
    return false;
  }

  bool search() {
    std::vector<ast::Statement> body = body_;
    const ast::Mesh* open = mesh_of(body);
    const bool is_open =
        open != nullptr && std::any_of(open->axes.begin(), open->axes.end(),
                                       [](const auto& axis) { return is_hole(axis); });
    if (!is_open) return search_in(body, context_.options.plan_time, true);
    const auto meshes = meshes_for(*open, context_.scope);
    if (meshes.empty()) {
      const bool cut = context_.scope.machine.slice.has_value();
      return fail(DiagnosticKind::BadMesh,
                  cut ? "no sizes of the slice come to those of the mesh that are written"
                      : "the sizes of the mesh are open, and so is the number of chips",
                  {cut ? "leave more sizes open" : "give the slice before: hardware TPUv5p 4x4x4"});
    }
    for (const ast::Mesh& mesh : meshes) {
      body = body_;
      *mesh_of(body) = mesh;
      const double seconds = context_.options.plan_time / static_cast<double>(meshes.size());
      if (!search_in(body, seconds, meshes.size() == 1)) return false;
    }
    const auto rank = [](const TriedBlock& tried) {
      return tried.found.best.empty() ? std::pair(planning_end(), 0.0)
                                      : rank_of(tried.found.best.front().priced);
    };
    std::stable_sort(
        tried_.begin(), tried_.end(),
        [&](const TriedBlock& one, const TriedBlock& other) { return rank(one) < rank(other); });
    return true;
  }
  static double planning_end() { return std::numeric_limits<double>::infinity(); }

  // The axes that the body may split over; nullopt after a report.
  std::optional<std::vector<OpenAxis>> axes_of(std::vector<ast::Statement>& body) {
    std::vector<OpenAxis> axes;
    const auto add = [&](const std::string& name, std::optional<std::int64_t> size) {
      if (size != 1) axes.push_back({name, size});
    };
    if (const ast::Mesh* own = mesh_of(body)) {
      for (const ast::MeshAxis& axis : own->axes) {
        std::int64_t size = 1;
        for (const ast::Number& part : axis.sizes) size *= part.value.to_int64().value_or(1);
        add(axis.name.text, size);
      }
      return axes;
    }
    if (!context_.scope.machine.mesh_known()) {
      fail(DiagnosticKind::BadMesh, "there is no mesh, so there are no axes for the holes",
           {"declare it before: mesh {X: 4, Y: 4}"});
      return std::nullopt;
    }
    for (const MeshAxis& axis : context_.scope.mesh().axes) add(axis.name, axis.length());
    return axes;
  }

  bool search_in(std::vector<ast::Statement>& body, double seconds, bool needed) {
    const auto axes = axes_of(body);
    if (!axes) return false;
    TriedBlock tried{.axes = *axes, .body = body};
    open(tried, body);
    if (tried.block->holes() == 0 && needed) {
      return fail(DiagnosticKind::BadArgument, "nothing in this block is left open",
                  {"a hole stands for the axes of a dimension: best { A[I_?, J] ·_J B[J_?, K] → "
                   "C[I, K] }"});
    }
    const PricedBlock unsplit = tried.pricer->price_aloud(HoleRows(tried.block->holes(), 0));
    if (!unsplit.is_sound) return !context_.check.sink.has_errors() && !needed;
    if (!unsplit.is_known) {
      return report_missing(tried.pricer->missing_sizes(HoleRows(tried.block->holes(), 0)));
    }
    leave_out_untaken(tried);
    search_open(tried, seconds);
    tried_.push_back(std::move(tried));
    return true;
  }

  void open(TriedBlock& tried, const std::vector<ast::Statement>& body) {
    // Owned by a name of its own first: the analyzer loses sight of what an aggregate owns.
    auto owned = std::make_unique<OpenBlock>(body, context_.scope, tried.axes);
    tried.pricer = std::make_unique<BlockPricer>(*owned, context_);
    tried.block = std::move(owned);
  }

  // What no statement that runs depends on is decided later, and for itself.
  void leave_out_untaken(TriedBlock& tried) {
    OpenBlock& block = *tried.block;
    const HoleRows whole(block.holes(), 0);
    if (!block.functions().empty()) return;
    tried.untaken = untaken_holes(block, tried.pricer->statements_run(whole));
    if (tried.untaken.empty() || tried.untaken.size() == block.holes())
      return tried.untaken.clear();
    open(tried, open_part(tried));
  }

  void search_open(TriedBlock& tried, double seconds) {
    // As it is written: with layouts in its holes a block names axes.
    const bool is_faulty = context_.options.faults != nullptr && !context_.options.faults->empty();
    std::vector<std::vector<std::size_t>> mirrors;
    if (!is_faulty) {
      mirrors =
          mirrored_rows(OpenBlock(open_part(tried), context_.scope, tried.axes), context_.scope);
    }
    OpenBlock& block = *tried.block;
    const HoleRows whole(block.holes(), 0);
    std::vector<HoleRows> starts = {whole};
    const auto strategies = named_strategies(block, tried.axes);
    for (const NamedStrategy& strategy : strategies)
      starts.insert(starts.end(), strategy.layouts.begin(), strategy.layouts.end());
    LayoutSearch search(block, *tried.pricer, mirrors, limit_, count_, seconds);
    tried.found = search.search(starts, least_of_chips(tried, search.price(whole)));
    for (const NamedStrategy& strategy : strategies) judge(strategy, search, tried);
    if (agrees(tried)) return;
    // The passes of its loops are not even.
    tried.pricer->price_every_pass();
    tried.strategies.clear();
    LayoutSearch again(block, *tried.pricer, mirrors, limit_, count_, seconds);
    tried.found = again.search(starts, least_of_chips(tried, again.price(whole)));
    for (const NamedStrategy& strategy : strategies) judge(strategy, again, tried);
  }

  // Whether what is reported takes that with every pass of its loops.
  static bool agrees(const TriedBlock& tried) {
    const auto agrees = [&](const FoundLayouts::Found& one) {
      return tried.pricer->agrees(one.rows, one.priced);
    };
    const FoundLayouts& found = tried.found;
    return std::all_of(found.best.begin(), found.best.end(), agrees) &&
           (!found.too_large || agrees(*found.too_large)) &&
           (!found.smallest || agrees(*found.smallest));
  }

  // All chips at once cannot do the work faster.
  static double least_of_chips(const TriedBlock& tried, const PricedBlock& unsplit) {
    double chips = 1;
    for (const OpenAxis& axis : tried.axes) chips *= static_cast<double>(axis.size.value_or(1));
    const HoleRows whole(tried.block->holes(), 0);
    return tried.pricer->seconds_on_one_chip(whole).value_or(unsplit.math) / chips;
  }

  // As written, but for unsplit arrays in the sides that are not taken.
  std::vector<ast::Statement> open_part(const TriedBlock& tried) const {
    OpenBlock part(tried.body, context_.scope, tried.axes);
    part.fill(HoleRows(part.holes(), 0), tried.untaken);
    return part.body();
  }

  // The whole block with these layouts, and what goes best with them in the sides that are not taken.
  std::vector<ast::Statement> filled(const TriedBlock& tried, const HoleRows& rows) const {
    tried.block->fill(rows);
    if (tried.untaken.empty()) return tried.block->body();
    OpenBlock all(tried.body, context_.scope, tried.axes);
    HoleRows every(all.holes(), 0);
    std::set<std::size_t> taken;
    for (std::size_t hole = 0; hole < all.holes(); ++hole) {
      if (tried.untaken.contains(hole)) continue;
      every[hole] = rows[taken.size()];
      taken.insert(hole);
    }
    all.fill(every, taken);
    return with_decided_sides(all.body(), tried.axes, limit_, context_.options.plan_time, context_);
  }

  bool report_missing(const std::vector<std::string>& sizes) {
    return fail(DiagnosticKind::Undecidable,
                fmt::format("which layout takes the least time depends on {}, which {} no value",
                            join_words(sizes), sizes.size() == 1 ? "has" : "have"),
                {values_help(sizes, context_.scope)});
  }

  // The best way to write the strategy.
  void judge(const NamedStrategy& strategy, LayoutSearch& search, TriedBlock& tried) {
    const HoleRows* best = nullptr;
    std::pair<bool, double> least;
    if (strategy.name.empty()) return;
    for (const HoleRows& rows : strategy.layouts) {
      const PricedBlock& priced = search.price(rows);
      if (!priced.is_sound || !priced.is_known) continue;
      const bool fits = priced.memory <= limit_;
      const std::pair rank(!fits, priced.time);
      if (best != nullptr && rank >= least) continue;
      best = &rows;
      least = rank;
    }
    if (best == nullptr) return;
    const PricedBlock& priced = search.price(*best);
    tried.strategies.push_back(
        {strategy.name, row_of(tried, {*best, priced}, true), priced.memory <= limit_});
  }

  void report_too_large() {
    const FoundLayouts& found = tried_.front().found;
    const TriedBlock* least = &tried_.front();
    for (const TriedBlock& tried : tried_) {
      if (tried.found.smallest &&
          (!least->found.smallest ||
           tried.found.smallest->priced.memory < least->found.smallest->priced.memory))
        least = &tried;
    }
    std::vector<std::string> help;
    std::string message =
        fmt::format("no layout {} fits the {} of a chip",
                    found.proven ? "of these holes" : "that was priced", format_bytes(limit_));
    if (least->found.smallest) {
      const auto row = row_of(*least, *least->found.smallest, false);
      const bool is_least = static_cast<double>(least->found.priced) >= least->found.candidates;
      message += fmt::format("; the smallest {}takes {}", is_least ? "" : "that was priced ",
                             format_bytes(row.memory));
      help = {join(row.lines, "\n")};
    }
    fail(DiagnosticKind::NoLayoutFits, std::move(message), std::move(help));
  }

  // `apart`: with the arrays that are split in the place of statements, where these are many.
  BestEntry::Row row_of(const TriedBlock& tried, const FoundLayouts::Found& found,
                        bool apart) const {
    const BlockDetails details = tried.pricer->details(found.rows);
    BestEntry::Row row{.lines = lines_of(tried, found.rows),
                       .is_list = false,
                       .time = found.priced.time,
                       .bound = details.bound,
                       .memory = found.priced.memory,
                       .dearest = details.dearest,
                       .dearest_time = details.dearest_time,
                       .alike = static_cast<std::int64_t>(found.alike)};
    constexpr std::size_t kFewLines = 2;
    row.is_list = apart && row.lines.size() > kFewLines;
    if (row.is_list) row.lines = arrays_of(tried, found.rows);
    return row;
  }

  // The statements and functions that have holes.
  std::vector<std::string> lines_of(const TriedBlock& tried, const HoleRows& rows) const {
    const auto body = filled(tried, rows);
    std::vector<std::string> lines;
    for (const auto& [key, function] : tried.block->functions())
      add_lines(ast::Statement{.node = *function, .at = {}}, lines);
    for (std::size_t i = 0; i < body_.size(); ++i) {
      if (print(body_[i], Spelling::Unicode).find('?') != std::string::npos)
        add_lines(body[i], lines);
    }
    return lines;
  }

  static void add_lines(const ast::Statement& statement, std::vector<std::string>& lines) {
    for (std::string& line : statement_lines(statement)) lines.push_back(std::move(line));
  }

  // Each array once, as it is first laid out.
  std::vector<std::string> arrays_of(const TriedBlock& tried, const HoleRows& rows) const {
    std::vector<std::string> texts;
    std::set<std::string> named;
    for (const OpenArray& array : tried.block->arrays()) {
      if (array.name.empty() || named.insert(array.name).second)
        texts.push_back(tried.block->text(array, rows));
    }
    return texts;
  }

  void add_entry() {
    BestEntry entry;
    entry.limit = limit_ < planning_end() ? limit_ : 0;
    std::vector<std::pair<const TriedBlock*, const FoundLayouts::Found*>> all;
    entry.proven = true;
    double at_least = planning_end();
    for (const TriedBlock& tried : tried_) {
      const FoundLayouts& found = tried.found;
      for (const auto& one : found.best) all.emplace_back(&tried, &one);
      keep_better(tried.strategies, entry.strategies);
      entry.candidates += found.candidates;
      entry.priced += static_cast<std::int64_t>(found.priced);
      entry.too_large_count += static_cast<std::int64_t>(found.too_large_count);
      entry.out_of_work = entry.out_of_work || found.out_of_work;
      entry.proven = entry.proven && found.proven;
      entry.plan_time_for_all = tried_.size() > 1 ? 0 : found.plan_time_for_all;
      at_least = std::min(at_least, found.at_least.value_or(planning_end()));
      if (found.too_large &&
          (!entry.too_large || found.too_large->priced.time < entry.too_large->time))
        entry.too_large = row_of(tried, *found.too_large, true);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& one, const auto& other) {
      return rank_of(one.second->priced) < rank_of(other.second->priced);
    });
    if (!entry.proven && at_least < planning_end()) entry.at_least = at_least;
    for (std::size_t i = 0; i < all.size() && i < count_; ++i)
      entry.rows.push_back(row_of(*all[i].first, *all[i].second, i > 0));
    context_.state.entries.emplace_back(std::move(entry));
  }

  const std::vector<ast::Statement>& body_;
  std::size_t count_;
  Span span_;
  RunContext& context_;
  double limit_ = planning_end();
  std::vector<TriedBlock> tried_;
};

// What the block would have made and read is not missed.
void leave_unknown(const ast::Statement& statement, const std::vector<ast::Statement>& body,
                   Scope& scope) {
  skip(statement, scope);
  for (const ast::Statement& inner : body) {
    const auto* flow = std::get_if<ast::Flow>(&inner.node);
    if (flow == nullptr) continue;
    any_inside(flow->value, [&](const ast::Expr& expr) {
      const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
      if (array != nullptr && array->name) scope.told.unknown.insert(name_key(array->name->text));
      return false;
    });
  }
}

}  // namespace

void run(const ast::Best& best, const ast::Statement& statement, RunContext& context) {
  std::size_t count = 1;
  if (best.count) {
    const auto number = best.count->unit.is_plain() ? best.count->value.to_int64() : std::nullopt;
    if (!number || *number < 1 || *number > kMostLayoutsShown) {
      return report(context.check, DiagnosticKind::BadArgument, best.count->at.span,
                    fmt::format("`{}` is no number of layouts from 1 to {}", best.count->text,
                                kMostLayoutsShown),
                    {"best 5 { … }"});
    }
    count = static_cast<std::size_t>(*number);
  }
  // Without the hardware, whose mistake was told, nothing can be compared.
  const bool machine_failed = context.scope.lacks_machine();
  if (!machine_failed) BestLayouts(best.body, count, statement.at.span, context).run();
  if (machine_failed) leave_unknown(statement, best.body, context.scope);
}

}  // namespace shard
