#include "interpreter/report/json/statement.h"

#include "interpreter/lower/alternatives.h"
#include "interpreter/program/step_text.h"

namespace shard {

namespace {

using Json = JsonText::Json;

// When a step runs, in seconds from the start of the program.
Json when(const TimedStep& step) {
  return {{"start", step.start}, {"end", step.end}, {"critical", step.is_critical()}};
}

}  // namespace

Json json_of(const Quantity& quantity) {
  Json json;
  if (const auto number = quantity.value.constant()) json["value"] = number->to_double();
  json["unit"] = to_string(quantity.unit);
  json["text"] = to_text(quantity);
  return json;
}

Json json_of(const Cost& cost) { return json_of(totals_of(cost)); }

Json json_of(const Totals& totals) {
  return {{"flops", json_of(Quantity{totals.flops, kFlops})},
          {"comm_bytes", json_of(Quantity{totals.comm_bytes, kBytes})},
          {"hbm_bytes", json_of(Quantity{totals.hbm_bytes, kBytes})},
          {"math", json_of(Quantity{totals.math, kSeconds})},
          {"hbm", json_of(Quantity{totals.hbm, kSeconds})},
          {"comms", json_of(Quantity{totals.comms, kSeconds})},
          {"bound", std::string(name_of(bound_of(totals)))}};
}

void StatementWriter::add(const StatementRecord& record) {
  json_.open('{');
  add_field("text", *record.text);
  if (record.span.valid()) {
    add_field("file", sources_.name(record.span.file));
    add_field("line", sources_.position(record.span.file, record.span.begin).line);
  }
  json_.open_key("steps", '[');
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    if (is_shown(program_.plan.steps[i])) add_step(i);
  }
  json_.close(']');
  if (!record.remark.empty()) add_field("remark", record.remark);
  add_total(record);
  add_ways(record);
  if (record.parts > 1) {
    const auto together = overlapped_time(program_, record);
    add_field("overlap", {{"parts", record.parts},
                          {"time", together ? Json(*together) : Json()},
                          {"time_apart", json_of(Quantity{record.time_apart, kSeconds})}});
  }
  json_.close('}');
}

void StatementWriter::add_field(std::string_view key, const Json& value) {
  json_.key(key);
  json_.add(value);
}

template <class Texts, class Make>
const std::string& StatementWriter::remembered(Texts& texts, const typename Texts::key_type& key,
                                               const Make& make) {
  const auto [known, is_new] = texts.try_emplace(key);
  if (is_new) known->second = json_.written(make());
  return known->second;
}

void StatementWriter::add_step(std::size_t i) {
  const StepRecord& step = program_.steps[i];
  json_.open_item('{');
  add_field("text", step_text(program_, i));
  add_field("inferred", step.inferred);
  add_cost(step.cost);
  // Steps that would start after a failure are not on the timeline.
  if (figures_.timeline && !figures_.timeline->steps[i].streams.empty()) {
    Json times = when(figures_.timeline->steps[i]);
    const auto& delays = figures_.faults.delays;
    if (i < delays.size() && delays[i] > 0) times["delay"] = delays[i];
    add_field("timeline", times);
  }
  json_.close('}');
}

void StatementWriter::add_cost(const CostPtr& cost) {
  json_.key("cost");
  json_.add_written(
      remembered(costs_, std::pair(cost, json_.depth()), [&] { return json_of(*cost); }));
}

void StatementWriter::add_total(const StatementRecord& record) {
  std::vector<CostPtr> parts;
  for (std::size_t i = record.first_step; i < record.end_step; ++i)
    parts.push_back(program_.steps[i].cost);
  json_.key("cost");
  json_.add_written(remembered(totals_, parts, [&] {
    return json_of(total_cost(program_, record.first_step, record.end_step));
  }));
}

void StatementWriter::add_ways(const StatementRecord& record) {
  json_.open_key("ways", '[');
  for (const WeighedWay& way : weighed_ways(record, program_, scope_)) {
    json_.open_item('{');
    add_field("steps", way.steps);
    json_.key("time");
    json_.add_written(remembered(times_, way.cost, [&] {
      return json_of(Quantity{way.time, kSeconds});
    }));
    add_cost(way.cost);
    json_.close('}');
  }
  json_.close(']');
}

}  // namespace shard
