// What is known where a line of another language stands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/tree/foreign_array.h"

namespace shard {

class ForeignNames {
 public:
  ForeignNames() = default;
  ForeignNames(const ForeignNames&) = delete;
  ForeignNames& operator=(const ForeignNames&) = delete;
  virtual ~ForeignNames() = default;

  virtual bool is_array(std::string_view name) const = 0;
  // In the layout of its newest copy; nullopt also of an array whose dimensions are not known.
  virtual std::optional<ForeignArray> array(std::string_view name) const = 0;
  virtual bool is_scalar(std::string_view name) const = 0;
  // A number that is 0, of whatever unit.
  virtual bool is_zero(std::string_view) const { return false; }
  // A function of the script or of the language.
  virtual bool is_function(std::string_view name) const = 0;
  // Those with a size, in the order of the script.
  virtual std::vector<std::string> dimensions() const = 0;
  // The first that is so long.
  virtual std::optional<std::string> dimension_of(std::int64_t length) const = 0;
  // How long a dimension is; nullopt where that is not known.
  virtual std::optional<std::int64_t> length_of(std::string_view) const { return std::nullopt; }
  virtual std::vector<std::string> axes() const = 0;
  // What a function of the script is called with, in its order.
  virtual std::vector<std::string> parameters(std::string_view) const { return {}; }
  // The dimensions of an array that has brackets elsewhere in the script, `W1[D, F_model]`.
  virtual std::vector<std::string> written(std::string_view) const { return {}; }
};

}  // namespace shard
