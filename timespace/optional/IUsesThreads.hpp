#pragma once

#include <cstddef>

namespace openmi {

/// A component that can divide the work of one step among several threads, with the same results for any number.
///
/// Optional interface. The run states before `Prepare` how many threads it has.
class IUsesThreads {
 public:
  virtual ~IUsesThreads() = default;
  /// \param threads  the calling one included; at least 1
  virtual void SetThreads(std::size_t threads) = 0;
};

}  // namespace openmi
