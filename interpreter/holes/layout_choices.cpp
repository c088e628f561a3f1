#include "interpreter/holes/layout_choices.h"

#include <algorithm>

#include "base/cancellation.h"
#include "base/contains.h"

namespace shard {

namespace {

using HoleSet = std::vector<std::size_t>;

// Of the arrays, those sets that are part of no other one.
std::vector<HoleSet> largest_sets(const OpenBlock& block) {
  std::vector<HoleSet> sets;
  for (const OpenArray& array : block.arrays()) {
    const HoleSet holes = array.holes();
    const bool covered = std::any_of(sets.begin(), sets.end(),
                                     [&](const HoleSet& set) { return contains_all(set, holes); });
    if (covered) continue;
    std::erase_if(sets, [&](const HoleSet& set) { return contains_all(holes, set); });
    sets.push_back(holes);
  }
  return sets;
}

// All rows for the holes with which every array that has no other hole is allowed.
void add_values(const OpenBlock& block, const std::vector<const OpenArray*>& arrays,
                std::size_t next, HoleRows& rows, OpenVariable& variable) {
  if (next == variable.holes.size()) {
    std::vector<std::size_t> value;
    for (const std::size_t hole : variable.holes) value.push_back(rows[hole]);
    variable.values.push_back(std::move(value));
    return;
  }
  const std::size_t hole = variable.holes[next];
  for (std::size_t row = 0; row < block.rows().size(); ++row) {
    rows[hole] = row;
    // Those after it are unsplit so far: more axes are allowed nowhere where these are not.
    const bool fine = std::all_of(arrays.begin(), arrays.end(), [&](const OpenArray* array) {
      return block.allows(*array, rows);
    });
    if (fine) add_values(block, arrays, next + 1, rows, variable);
  }
  rows[hole] = 0;
}

OpenVariable variable_of(const OpenBlock& block, const HoleSet& holes) {
  OpenVariable variable{holes, {}};
  std::vector<const OpenArray*> arrays;
  for (const OpenArray& array : block.arrays()) {
    if (contains_all(holes, array.holes())) arrays.push_back(&array);
  }
  HoleRows rows(block.holes(), 0);
  add_values(block, arrays, 0, rows, variable);
  return variable;
}

// Variables that have all of the holes together, those with the most first.
std::vector<std::size_t> covering(const std::vector<OpenVariable>& variables, HoleSet left) {
  std::vector<std::size_t> chosen;
  while (!left.empty()) {
    std::size_t best = variables.size();
    std::size_t most = 0;
    for (std::size_t v = 0; v < variables.size(); ++v) {
      const auto count =
          static_cast<std::size_t>(std::count_if(left.begin(), left.end(), [&](std::size_t hole) {
            return contains(variables[v].holes, hole);
          }));
      // A hole of its own has fewer values than an array with it.
      const bool smaller = best < variables.size() && count == most && count > 0 &&
                           variables[v].values.size() < variables[best].values.size();
      if (count > most || smaller) {
        best = v;
        most = count;
      }
    }
    if (best == variables.size()) break;
    chosen.push_back(best);
    std::erase_if(left, [&](std::size_t hole) { return contains(variables[best].holes, hole); });
  }
  return chosen;
}

// The arrays that each hole stands in.
using ArraysOfHoles = std::vector<std::vector<const OpenArray*>>;

// `rows` is allowed, with nothing split by the holes from this one on.
bool visit_rows(const OpenBlock& block, const ArraysOfHoles& having, HoleRows& rows,
                std::size_t hole, const std::function<bool(const HoleRows&)>& visit) {
  throw_if_cancelled();
  if (hole == rows.size()) return visit(rows);
  for (std::size_t row = 0; row < block.rows().size(); ++row) {
    rows[hole] = row;
    const bool fine =
        std::all_of(having[hole].begin(), having[hole].end(),
                    [&](const OpenArray* array) { return block.allows(*array, rows); });
    if (fine && !visit_rows(block, having, rows, hole + 1, visit)) return false;
  }
  rows[hole] = 0;
  return true;
}

}  // namespace

std::vector<OpenVariable> variables_of(const OpenBlock& block) {
  std::vector<OpenVariable> variables;
  const auto sets = largest_sets(block);
  for (const HoleSet& set : sets) variables.push_back(variable_of(block, set));
  for (std::size_t hole = 0; hole < block.holes(); ++hole) {
    const auto having = std::count_if(sets.begin(), sets.end(),
                                      [&](const HoleSet& set) { return contains(set, hole); });
    // One that stands in no array's brackets, but in those of an expression.
    if (having != 1) variables.push_back(variable_of(block, {hole}));
  }
  return variables;
}

bool for_each_layout(const OpenBlock& block, const std::function<bool(const HoleRows&)>& visit) {
  HoleRows rows(block.holes(), 0);
  if (!block.allows(rows)) return true;
  ArraysOfHoles having(block.holes());
  for (const OpenArray& array : block.arrays()) {
    for (const std::size_t hole : array.holes()) {
      if (!contains(having[hole], &array)) having[hole].push_back(&array);
    }
  }
  return visit_rows(block, having, rows, 0, visit);
}

double combinations(const std::vector<OpenVariable>& variables,
                    const std::vector<std::size_t>& holes) {
  double product = 1;
  for (const std::size_t v : covering(variables, holes))
    product *= static_cast<double>(variables[v].values.size());
  return product;
}

DecidedHoles decided_by(const std::vector<OpenVariable>& variables,
                        const std::vector<std::size_t>& holes) {
  DecidedHoles decided{covering(variables, holes), holes, {}};
  std::vector<std::size_t> values(decided.variables.size(), 0);
  constexpr std::size_t kOpen = static_cast<std::size_t>(-1);
  const auto count = static_cast<std::size_t>(combinations(variables, holes));
  for (std::size_t entry = 0; entry < count; ++entry) {
    std::size_t rest = entry;
    for (std::size_t i = values.size(); i-- > 0;) {
      const std::size_t length = variables[decided.variables[i]].values.size();
      values[i] = rest % length;
      rest /= length;
    }
    std::vector<std::size_t> rows(holes.size(), kOpen);
    bool agree = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const OpenVariable& variable = variables[decided.variables[i]];
      for (std::size_t h = 0; h < variable.holes.size(); ++h) {
        const auto at = std::find(holes.begin(), holes.end(), variable.holes[h]);
        if (at == holes.end()) continue;
        std::size_t& row = rows[static_cast<std::size_t>(at - holes.begin())];
        const std::size_t wanted = variable.values[values[i]][h];
        agree = agree && (row == kOpen || row == wanted);
        row = wanted;
      }
    }
    decided.rows.push_back(agree ? rows : std::vector<std::size_t>());
  }
  return decided;
}

HoleRows rows_of_choice(const std::vector<OpenVariable>& variables,
                        const std::vector<std::size_t>& values, std::size_t holes) {
  HoleRows rows(holes, 0);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    for (std::size_t h = 0; h < variables[v].holes.size(); ++h)
      rows[variables[v].holes[h]] = variables[v].values[values[v]][h];
  }
  return rows;
}

}  // namespace shard
