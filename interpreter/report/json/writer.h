// JSON written piece by piece, for output whose tree would be large. The text is what nlohmann::json writes with an
// indent of 2, and every character in it is visible.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace shard {

class JsonText {
 public:
  using Json = nlohmann::ordered_json;

  // `{` or `[`, and its counterpart.
  void open(char bracket);
  void close(char bracket);
  // What follows is an item of a list, or the value of a key.
  void item();
  void key(std::string_view name);
  void open_item(char bracket) {
    item();
    open(bracket);
  }
  void open_key(std::string_view name, char bracket) {
    key(name);
    open(bracket);
  }
  // Adds a small value.
  void add(const Json& value) { text_ += written(value); }
  // Adds a value that `written` returned at this depth.
  void add_written(std::string_view value) { text_ += value; }
  // The text of a value at this depth.
  std::string written(const Json& value) const;
  // How many brackets are open.
  std::size_t depth() const { return depth_; }

  std::string take() { return std::move(text_); }

 private:
  void begin_line();

  std::string text_;
  std::size_t depth_ = 0;
  bool empty_ = true;  // the innermost bracket has no content yet
};

}  // namespace shard
