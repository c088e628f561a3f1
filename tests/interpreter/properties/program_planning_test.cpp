// Properties of planning on random products: the choice is the cheapest of the documents' cases, and more copies never
// make a statement dearer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>

#include "interpreter/planning/search/route_search.h"
#include "interpreter/session/session.h"
#include "tests/interpreter/properties/random_program/program.h"
#include "tests/property.h"

namespace shard::random_program::program_planning_test {
namespace {

using Axes = std::vector<AxisId>;

constexpr double kEqual = 1e-9;

// A script that was planned and not executed; its last statement is a product.
class Planned {
 public:
  explicit Planned(const Script& script) : text_(text_of(script, {})), session_(options()) {
    session_.run("random.shard", text_);
  }

  const std::string& text() const { return text_; }
  bool planned() const {
    return !session_.state().programs.empty() && program().statements.back().ways != nullptr;
  }
  const Program& program() const { return session_.state().programs.back(); }
  const StatementRecord& last() const { return program().statements.back(); }
  double seconds() const { return last().ways->made.front()->time.constant()->to_double(); }
  const Scope& scope() const { return session_.state().scope; }

 private:
  static SessionOptions options() {
    SessionOptions options;
    options.execution.estimate = true;
    return options;
  }

  std::string text_;
  Session session_;
};

// A script with a chip whose one statement is a product of two inputs.
Script random_problem(Random& random) {
  Script script = random_header(random, true);
  while (!add_random_product(random, script)) {
  }
  return script;
}

// Runs `check` on random problems until one of them fails it.
template <class Check>
void for_random_problems(int full, Check check) {
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  const int cases = scaled_cases(full);
  std::cout << cases << " problems, seed " << seed << "\n";
  for (int i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
    Random random(seed_of_case(seed, i));
    const Script script = random_problem(random);
    SCOPED_TRACE(fmt::format("case {} of RC_PARAMS=seed={}", i, seed));
    check(script, random);
  }
}

TEST(Planning, AnotherLiveCopyNeverMakesAProductDearer) {
  constexpr int kFull = 500;
  int cheaper = 0;
  for_random_problems(kFull, [&](const Script& script, Random& random) {
    Script richer = script;
    const Brackets left = script.statements.front().value.operands.front().use;
    Statement copy{.value = {.kind = Expr::Kind::Use, .use = left}};
    copy.target = random_layout(random, script, left);
    richer.statements.insert(richer.statements.begin(), copy);
    const Planned with_one(script);
    const Planned with_two(richer);
    ASSERT_TRUE(with_one.planned()) << with_one.text();
    ASSERT_TRUE(with_two.planned()) << with_two.text();
    EXPECT_LE(with_two.seconds(), with_one.seconds() * (1 + kEqual))
        << with_one.text() << "\nand with a copy more:\n"
        << with_two.text();
    if (with_two.seconds() < with_one.seconds() * (1 - kEqual)) ++cheaper;
  });
  std::cout << cheaper << " became cheaper\n";
  EXPECT_GE(cheaper, scaled_minimum(kFull / 10));
}

// ------------------------------------------------------------ brute force

// Every layout of an array over the mesh, nothing unreduced, axes in every order.
std::vector<Layout> all_layouts(std::size_t rank, const Mesh& mesh) {
  std::vector<Layout> layouts = {Layout{.dims = std::vector<Axes>(rank), .unreduced = {}}};
  for (std::size_t i = 0; i < mesh.axes.size(); ++i) {
    const AxisId axis{static_cast<std::int32_t>(i)};
    std::vector<Layout> more = layouts;
    for (const Layout& layout : layouts) {
      for (std::size_t dimension = 0; dimension < rank; ++dimension) {
        for (std::size_t place = 0; place <= layout.dims[dimension].size(); ++place) {
          more.push_back(layout);
          Axes& split = more.back().dims.edit()[dimension];
          split.insert(split.begin() + static_cast<std::ptrdiff_t>(place), axis);
        }
      }
    }
    layouts = std::move(more);
  }
  return layouts;
}

bool is_prefix(const Axes& part, const Axes& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

Axes without(Axes axes, const std::vector<Axes>& removed) {
  std::erase_if(axes, [&](AxisId axis) {
    return std::any_of(removed.begin(), removed.end(), [&](const Axes& split) {
      return std::find(split.begin(), split.end(), axis) != split.end();
    });
  });
  return axes;
}

struct Side {
  std::vector<DimensionId> labels;
  Layout layout;
  DType dtype = DType::Bf16;

  const Axes* split(DimensionId label, const Layout& of) const {
    const auto found = std::find(labels.begin(), labels.end(), label);
    return found == labels.end() ? nullptr
                                 : &of.dims[static_cast<std::size_t>(found - labels.begin())];
  }
};

// The documents' cases, as a rule that a pair of layouts keeps or not (sharded matrices, "Case 1" to "Case 4").
class BruteForce {
 public:
  BruteForce(const Planned& planned)  // NOLINT(google-explicit-constructor)
      : planned_(planned), machine_(planned.program().machine) {
    const checked::Flow flow = planned.last().flow.get();
    const auto& product = std::get<checked::Product>(flow.value.node);
    left_ = side(*product.left);
    right_ = side(*product.right);
    result_ = {.labels = flow.labels,
               .layout = trimmed(*flow.layout),
               .dtype = planned.scope().store.arrays[flow.target].dtype};
  }

  bool carries_sums() const {
    return !left_.layout.unreduced.empty() || !right_.layout.unreduced.empty();
  }

  double cheapest() {
    double best = HUGE_VAL;
    const auto lefts = reachable(left_);
    const auto rights = reachable(right_);
    for (const auto& [left, left_seconds] : lefts) {
      for (const auto& [right, right_seconds] : rights) {
        if (!is_allowed(left, right)) continue;
        if (const auto rest = product_seconds(left, right))
          best = std::min(best, left_seconds + right_seconds + *rest);
      }
    }
    return best;
  }

 private:
  Layout trimmed(const Layout& layout) const { return without_trivial_axes(layout, machine_.mesh); }

  Side side(const checked::Operation& operation) const {
    const auto& use = std::get<checked::Use>(operation.node);
    return {.labels = operation.labels, .layout = trimmed(use.layout), .dtype = operation.dtype};
  }

  planning::Shape shape(const Side& side) const {
    return {.lengths = planned_.scope().shape_of(side.labels), .dtype = side.dtype};
  }

  std::optional<planning::Route> way(const Layout& from, const Layout& to, const Side& side) const {
    return planning::cheapest_route({from}, to, shape(side), machine_, planning::MoveRule::Cases);
  }

  // Layouts that divide, and what it takes to get there.
  std::vector<std::pair<Layout, double>> reachable(const Side& side) const {
    std::vector<std::pair<Layout, double>> layouts;
    for (const Layout& layout : all_layouts(side.labels.size(), machine_.mesh)) {
      if (trimmed(layout) != layout || !may_be(side, layout)) continue;
      if (indivisible_dimension(shape(side).lengths, layout, machine_.mesh)) continue;
      const auto route = way(side.layout, layout, side);
      if (route) layouts.emplace_back(layout, route->weight.seconds);
    }
    return layouts;
  }

  // Whether one side alone may be so: saves pairs.
  bool may_be(const Side& side, const Layout& layout) const {
    return std::all_of(side.labels.begin(), side.labels.end(), [&](DimensionId label) {
      const Side& other = &side == &left_ ? right_ : left_;
      return other.split(label, other.layout) != nullptr ||
             is_free_choice(label, side, other, layout);
    });
  }

  bool is_allowed(const Layout& left, const Layout& right) const {
    return std::all_of(left_.labels.begin(), left_.labels.end(), [&](DimensionId label) {
      const Axes* own = left_.split(label, left_.layout);
      const Axes* other = right_.split(label, right_.layout);
      if (other == nullptr) return true;
      const Axes& chosen = *left_.split(label, left);
      if (chosen != *right_.split(label, right)) return false;
      const Axes* wanted = result_.split(label, result_.layout);
      if (wanted != nullptr) return chosen == *own || chosen == *other || chosen == *wanted;
      if (*own == *other) return chosen == *own;
      return is_prefix(chosen, *own) || is_prefix(chosen, *other);
    });
  }

  // As it is, as the target has it, or without what the other side keeps.
  bool is_free_choice(DimensionId label, const Side& side, const Side& other,
                      const Layout& layout) const {
    std::vector<Axes> kept;
    for (const DimensionId theirs : other.labels) {
      if (result_.split(theirs, result_.layout) != nullptr)
        kept.push_back(*other.split(theirs, other.layout));
    }
    const Axes& chosen = *side.split(label, layout);
    const Axes& own = *side.split(label, side.layout);
    return chosen == own || chosen == *result_.split(label, result_.layout) ||
           chosen == without(own, kept);
  }

  // The local product, and from what it leaves to the target; nullopt if an axis would be used twice.
  std::optional<double> product_seconds(const Layout& left, const Layout& right) {
    Layout natural{.dims = std::vector<Axes>(result_.labels.size()), .unreduced = {}};
    const auto place = [&](DimensionId label, const Axes& split) {
      const auto found = std::find(result_.labels.begin(), result_.labels.end(), label);
      Axes& home =
          found == result_.labels.end()
              ? natural.unreduced.edit()
              : natural.dims.edit()[static_cast<std::size_t>(found - result_.labels.begin())];
      home.insert(home.end(), split.begin(), split.end());
    };
    for (const DimensionId label : left_.labels) place(label, *left_.split(label, left));
    for (const DimensionId label : right_.labels) {
      if (left_.split(label, left) == nullptr) place(label, *right_.split(label, right));
    }
    std::sort(natural.unreduced.edit().begin(), natural.unreduced.edit().end());
    if (reused_axis(natural)) return std::nullopt;
    const auto rest = seconds_behind(natural);
    if (!rest) return std::nullopt;
    return *rest + contraction_seconds(left, right, natural);
  }

  std::optional<double> seconds_behind(const Layout& natural) {
    const auto known = behind_.find(natural);
    if (known != behind_.end()) return known->second;
    const auto route = way(natural, result_.layout, result_);
    return behind_[natural] = route ? std::optional(route->weight.seconds) : std::nullopt;
  }

  double contraction_seconds(const Layout& left, const Layout& right, const Layout& natural) const {
    const auto numbers = [](const std::vector<DimensionId>& labels) {
      std::vector<int> result;
      for (const DimensionId label : labels) result.push_back(label.value);
      return result;
    };
    const auto copy = [&](const Side& side, const Layout& layout) {
      return Copy{.shape = shape(side).lengths, .dtype = side.dtype, .layout = layout};
    };
    const ContractStep step{.left_labels = numbers(left_.labels),
                            .right_labels = numbers(right_.labels),
                            .result_labels = numbers(result_.labels)};
    const Cost cost = cost_of_contraction(step, copy(left_, left), copy(right_, right),
                                          copy(result_, natural), machine_);
    return cost.time().constant()->to_double();
  }

  const Planned& planned_;
  const Machine& machine_;
  Side left_;
  Side right_;
  Side result_;
  std::map<Layout, std::optional<double>> behind_;
};

TEST(Planning, FindsTheCheapestOfTheDocumentsCases) {
  constexpr int kFull = 200;
  int weighed = 0;
  for_random_problems(kFull, [&](const Script& script, Random&) {
    const Planned planned(script);
    ASSERT_TRUE(planned.planned()) << planned.text();
    BruteForce all(planned);
    if (all.carries_sums()) return;
    ++weighed;
    EXPECT_NEAR(planned.seconds(), all.cheapest(), kEqual * planned.seconds()) << planned.text();
  });
  EXPECT_GE(weighed, scaled_minimum(kFull / 2));
}

}  // namespace
}  // namespace shard::random_program::program_planning_test
