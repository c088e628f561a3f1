// Failures of the outside world: files, arguments, libraries. Mistakes in a user's script are diagnostics
// (grammar/diagnostics/diagnostic.h), never Results.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace shard {

struct Error {
  std::string message;  // lower case, no full stop
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

}  // namespace shard
