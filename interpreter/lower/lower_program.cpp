#include "interpreter/lower/lower_program.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"
#include "interpreter/lower/events.h"
#include "interpreter/lower/fuse.h"
#include "interpreter/lower/lower.h"
#include "interpreter/program/ended_copies.h"

namespace shard {

namespace {

class ProgramLowering {
 public:
  ProgramLowering(const Scope& tables, Holdings held, std::vector<Program>& programs,
                  DiagnosticSink& sink)
      : scope_(tables), held_(std::move(held)), programs_(programs), sink_(sink) {}

  // The tables are those of the end: arrays that get another name have their first one until then.
  void run_all(const std::vector<checked::Item>& items) {
    std::set<ArrayId> renamed;
    put_first_names(items, renamed);
    run(items);
  }

 private:
  void run(const std::vector<checked::Item>& items) {
    for (const checked::Item& item : items)
      match(item.node, [&](const auto& node) { carry_out(node); });
  }

  void put_first_names(const std::vector<checked::Item>& items, std::set<ArrayId>& renamed) {
    for (const checked::Item& item : items) {
      if (const auto* region = std::get_if<checked::Region>(&item.node))
        put_first_names(region->items, renamed);
      const auto* rename = std::get_if<checked::Rename>(&item.node);
      if (rename != nullptr && renamed.insert(rename->array).second)
        scope_.store.arrays[rename->array].name = rename->before;
    }
  }

  Program& program() { return programs_[current_]; }
  std::size_t last_statement() { return program().statements.size() - 1; }

  void carry_out(const checked::Assignment& assignment) {
    scope_.rule = assignment.rule;
    scope_.strict = assignment.strict;
    lower(assignment.flow.get(), assignment.text, scope_, held_, program(), sink_);
  }

  void carry_out(const checked::Argument& argument) {
    pass_argument(argument, scope_, held_, program());
  }

  void carry_out(const checked::Part& part) { name_part(part, scope_, held_, program()); }

  void carry_out(const checked::Drop& item) { drop(item, held_, program()); }

  void carry_out(const checked::Request& item) { request(item, scope_, held_, program()); }

  void carry_out(const checked::Rename& item) {
    scope_.store.arrays[item.array].name = item.name;
    rename(item, held_, program());
  }

  void carry_out(const checked::End& end) {
    end_array(end.array, end.with_last_assignment ? last_statement() : last_statement() + 1, held_,
              program());
  }

  void carry_out(const checked::Hold& hold) {
    LiveCopies copies;
    // Those that an earlier one has set aside may come back, as behind `backward`; what is held now goes first.
    LiveCopies there = held_.of(hold.array);
    LiveCopies& aside = set_aside_[hold.array];
    there.insert(there.end(), aside.begin(), aside.end());
    for (const checked::Hold::HeldCopy& one : hold.copies) {
      const auto found = std::find_if(there.begin(), there.end(), [&](const LiveCopy& copy) {
        return copy.layout == one.layout;
      });
      const bool stays = one.planned && found != there.end();
      LiveCopy copy = stays ? *found : LiveCopy{.layout = one.layout};
      copy.made = one.made;
      copy.inferred = one.inferred;
      copies.push_back(std::move(copy));
    }
    std::erase_if(there, [&](const LiveCopy& copy) {
      return std::any_of(copies.begin(), copies.end(),
                         [&](const LiveCopy& one) { return one.layout == copy.layout; });
    });
    aside = std::move(there);
    held_.change(hold.array) = std::move(copies);
  }

  void carry_out(const checked::OnMachine& on) {
    scope_.machine.machine = on.machine;
    if (on.grown) return set_machine(program(), on.machine);
    end_plans();
    current_ = programs_.size();
    programs_.push_back({.machine = on.machine});
  }

  void carry_out(const checked::Region& region) {
    const bool begun = current_ < programs_.size();
    const std::size_t first = begun ? program().statements.size() : 0;
    run(region.items);
    if (region.kind == checked::RegionKind::Fused && current_ < programs_.size())
      fuse(program(), first);
  }

  void carry_out(const checked::Apart& apart) {
    ProgramLowering(apart.program->tables, held_, programs_, sink_).run_all(apart.program->items);
  }

  // No copy is in the plan that begins.
  void end_plans() {
    set_aside_.clear();
    for (std::size_t i = 0; i < scope_.store.arrays.size(); ++i)
      held_.end_plan(ArrayId{static_cast<std::int32_t>(i)});
  }

  Scope scope_;  // the tables, and the machine in force
  Holdings held_;
  std::map<ArrayId, LiveCopies> set_aside_;  // that no name means for a while
  std::vector<Program>& programs_;
  DiagnosticSink& sink_;
  std::size_t current_ = 0;
};

}  // namespace

std::vector<Program> lower_all(const checked::Program& program, DiagnosticSink& sink) {
  std::vector<Program> programs;
  ProgramLowering(program.tables, {}, programs, sink).run_all(program.items);
  return programs;
}

}  // namespace shard
