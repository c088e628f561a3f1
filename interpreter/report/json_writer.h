// JSON that is written piece by piece, where a tree of all of it would be large. Looks as nlohmann::json writes it with an
// indent of 2, with everything in it visible.
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

  // `{` or `[`, and what closes it.
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
  // A value that is small.
  void add(const Json& value) { text_ += written(value); }
  // A value as `written` gives it at this depth.
  void add_written(std::string_view value) { text_ += value; }
  // How a value is written here.
  std::string written(const Json& value) const;
  // How many brackets are open.
  std::size_t depth() const { return depth_; }

  std::string take() { return std::move(text_); }

 private:
  void begin_line();

  std::string text_;
  std::size_t depth_ = 0;
  bool empty_ = true;  // nothing stands in the innermost bracket so far
};

}  // namespace shard
