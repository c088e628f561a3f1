// Statements and their costs as the report's JSON has them. A script may have very many of them.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grammar/source/source.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/program/program.h"
#include "interpreter/report/json/writer.h"

namespace shard {

// {"value": 23.3e-6, "unit": "s", "text": "23.30 us"}; without a value while sizes are missing.
JsonText::Json json_of(const Quantity& quantity);
JsonText::Json json_of(const Cost& cost);
JsonText::Json json_of(const Totals& totals);  // without `time`, `lower` and `upper`

// Writes the statements of a program. A cost that several of them share is turned into text once.
class StatementWriter {
 public:
  StatementWriter(const Program& program, const Figures& figures, const Scope& scope,
                  const SourceMap& sources, JsonText& json)
      : program_(program), figures_(figures), scope_(scope), sources_(sources), json_(json) {}

  void add(const StatementRecord& record);

 private:
  using CostPtr = std::shared_ptr<const Cost>;

  void add_field(std::string_view key, const JsonText::Json& value);
  void add_step(std::size_t i);
  void add_cost(const CostPtr& cost);
  void add_total(const StatementRecord& record);
  void add_ways(const StatementRecord& record);
  // The cached text, or else that of what `make` returns.
  template <class Texts, class Make>
  const std::string& remembered(Texts& texts, const typename Texts::key_type& key,
                                const Make& make);

  const Program& program_;
  const Figures& figures_;
  const Scope& scope_;
  const SourceMap& sources_;
  JsonText& json_;
  // By cost and nesting depth; by the costs of the steps; by the cost of the way.
  std::map<std::pair<CostPtr, std::size_t>, std::string> costs_;
  std::map<std::vector<CostPtr>, std::string> totals_;
  std::map<CostPtr, std::string> times_;
};

}  // namespace shard
