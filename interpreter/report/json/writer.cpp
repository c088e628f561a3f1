#include "interpreter/report/json/writer.h"

#include "base/cancellation.h"
#include "grammar/source/visible.h"

namespace shard {

namespace {

constexpr std::size_t kIndent = 2;

}  // namespace

void JsonText::begin_line() {
  text_ += '\n';
  text_.append(kIndent * depth_, ' ');
}

void JsonText::open(char bracket) {
  text_ += bracket;
  ++depth_;
  empty_ = true;
}

void JsonText::close(char bracket) {
  --depth_;
  if (!empty_) begin_line();
  text_ += bracket;
  empty_ = false;
}

void JsonText::item() {
  throw_if_cancelled();
  if (!empty_) text_ += ',';
  begin_line();
  empty_ = false;
}

void JsonText::key(std::string_view name) {
  item();
  text_ += '"';
  text_ += name;
  text_ += "\": ";
}

std::string JsonText::written(const Json& value) const {
  const std::string lines = visible_json(
      value.dump(static_cast<int>(kIndent), ' ', false, Json::error_handler_t::replace));
  // Line ends within strings are escaped, so each one here starts a line.
  std::string text;
  for (const char c : lines) {
    text += c;
    if (c == '\n') text.append(kIndent * depth_, ' ');
  }
  return text;
}

}  // namespace shard
