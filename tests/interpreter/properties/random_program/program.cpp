#include "tests/interpreter/properties/random_program/program.h"

#include <array>

#include "tests/interpreter/properties/random_program/mistake.h"

namespace shard::random_program {

namespace {

using Kind = DiagnosticKind;

constexpr std::int64_t kMostDevices = 32;

constexpr std::array kMistakes = {
    Kind::AxisReused,          Kind::UnknownAxis,         Kind::NotDivisible,
    Kind::NoSuchCopy,          Kind::RankMismatch,        Kind::TransposedUse,
    Kind::SizeMismatch,        Kind::DimensionReused,     Kind::DroppedDimension,
    Kind::TargetMismatch,      Kind::LocalNeedsUnreduced, Kind::LocalNeedsCommunication,
    Kind::ResultUnreduced,     Kind::UnreducedOperand,    Kind::AmbiguousContraction,
    Kind::BadContraction,      Kind::UnknownDimension,    Kind::NoSharedDimension,
    Kind::NotSharded,          Kind::NotUnreduced,        Kind::WrongCollective,
    Kind::AmbiguousCollective, Kind::UnknownName};

std::optional<Statement> propose_for(Kind kind, Proposer& proposer, Random& random) {
  switch (kind) {
    case Kind::NotSharded:
    case Kind::NotUnreduced:
    case Kind::WrongCollective:
    case Kind::AmbiguousCollective:
      return proposer.collective();
    case Kind::LocalNeedsUnreduced:
      return proposer.local_product();
    case Kind::AmbiguousContraction:
    case Kind::BadContraction:
    case Kind::NoSharedDimension:
    case Kind::DroppedDimension:
    case Kind::LocalNeedsCommunication:
    case Kind::UnreducedOperand:
      return proposer.product();
    case Kind::UnknownDimension:
      return random.chance(50) ? proposer.product() : proposer.collective();
    default:
      return proposer.propose();
  }
}

class Generator {
 public:
  explicit Generator(Random& random)
      : random_(random), draft_{random_header(random, random.chance(35)), Model(Script{})} {
    draft_.model = Model(draft_.script);
    dtype_ = random_.pick(
        std::vector<DType>{DType::Bf16, DType::Bf16, DType::Fp32, DType::Fp32, DType::Int8});
  }

  RandomProgram generate() {
    const std::size_t count = 1 + random_.below(4);
    const bool spoiled = random_.chance(27);
    for (std::size_t i = 0; i < count; ++i) add_legal();
    if (spoiled) add_mistake();
    return {draft_.script,
            {.ascii = random_.chance(30),
             .commas = random_.chance(25),
             .unbraced = random_.chance(25)}};
  }

 private:
  void add_legal() {
    for (int attempt = 0; attempt < 30; ++attempt) {
      Draft trial = draft_;
      Proposer proposer(random_, trial, random_.chance(15) ? other_type() : dtype_);
      const auto statement = proposer.propose();
      if (!statement) continue;
      const Verdict verdict = trial.model.judge(*statement);
      if (!verdict.known || !verdict.errors.empty()) continue;
      trial.script.statements.push_back(*statement);
      draft_ = std::move(trial);
      return;
    }
  }

  void add_mistake() {
    for (int choice = 0; choice < 6; ++choice) {
      const Kind kind = kMistakes[random_.below(kMistakes.size())];
      for (int attempt = 0; attempt < 25; ++attempt) {
        if (try_mistake(kind)) return;
      }
    }
  }

  // What goes with the arrays that are there: integers and both of these do.
  DType other_type() const { return dtype_ == DType::Bf16 ? DType::Fp32 : DType::Bf16; }

  bool try_mistake(Kind kind) {
    Draft trial = draft_;
    Proposer proposer(random_, trial, dtype_);
    auto statement = propose_for(kind, proposer, random_);
    if (!statement) return false;
    Spoiler(random_, trial, *statement).spoil(kind);
    Model judge = trial.model;
    const Verdict verdict = judge.judge(*statement);
    if (!verdict.known || verdict.errors.count(kind) == 0) return false;
    trial.script.statements.push_back(*statement);
    draft_ = std::move(trial);
    return true;
  }

  Random& random_;
  Draft draft_;
  DType dtype_ = DType::Bf16;
};

}  // namespace

Script random_header(Random& random, bool hardware) {
  static const std::vector<std::int64_t> kLengths = {2, 2, 2, 2, 4, 4, 4, 3, 3, 1};
  static const std::vector<std::int64_t> kDimensions = {4, 8, 8, 12, 12, 16, 24, 6, 3, 5};
  Script script{.axes = {}, .hardware = hardware};
  static const Names kLetters = {"X", "Y", "Z", "W"};
  static const Names kWords = {"data", "model", "seq", "pipe"};
  const Names& names = hardware || random.chance(75) ? kLetters : kWords;
  const std::size_t count = hardware ? 3 : 1 + random.below(4);
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t length = random.pick(kLengths);
    // A slice does not name an axis of length 1.
    if (hardware && (length == 1 || devices * length > kMostDevices)) length = 2;
    if (devices * length > kMostDevices) length = 1;
    devices *= length;
    script.axes.push_back({names[i], length});
  }
  for (const char* name : {"I", "J", "K", "L", "M", "N", "D"})
    script.dimensions.push_back({name, random.pick(kDimensions)});
  // Twins, for brackets that rename.
  script.dimensions[4].length = script.dimensions[0].length;
  script.dimensions[5].length = script.dimensions[1].length;
  return script;
}

RandomProgram random_program(Random& random) { return Generator(random).generate(); }

bool add_random_product(Random& random, Script& script) {
  Draft draft{script, Model(script)};
  Proposer proposer(random, draft, DType::Bf16);
  auto statement = proposer.product();
  if (!statement || !statement->target || statement->target->bare) return false;
  for (const Expr& operand : statement->value.operands) {
    if (operand.kind != Expr::Kind::Use || operand.use.bare) return false;
  }
  const Verdict verdict = draft.model.judge(*statement);
  if (!verdict.known || !verdict.errors.empty()) return false;
  script = std::move(draft.script);
  script.statements.push_back(std::move(*statement));
  return true;
}

Brackets random_layout(Random& random, const Script& script, const Brackets& array) {
  Draft draft{script, Model(script)};
  return Proposer(random, draft, DType::Bf16).placed(array.name, array.dims, 0);
}

std::vector<DiagnosticKind> mistakes() { return {kMistakes.begin(), kMistakes.end()}; }

}  // namespace shard::random_program
