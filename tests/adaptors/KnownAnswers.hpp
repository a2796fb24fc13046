#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/adaptors/Chain.hpp"

namespace openmi::testing {

/// A question to one adaptor whose answer is known without the code under test: worked out by hand, or from a formula.
struct KnownAnswer {
  std::string adaptor;  ///< id in the standard factory
  std::string why;      ///< where the expected numbers come from, in a few words
  std::vector<double> expected;
  double tolerance;  ///< absolute; 0 for exact. NaN is expected where NaN stands
  /// Builds its own chain, with the adaptor in it made by the factory, and returns what it answers.
  std::function<std::vector<double>()> ask;
};

/// The table of all known answers. Each file adds its rows with one object at namespace scope:
///
/// ```cpp
/// const KnownAnswers kRows{{"linear", "half-way between 10 and 20", {15}, 1e-8, [] { ... }}};
/// ```
/// KnownAnswersTest asks every row, and fails for an adaptor of the factory that has none.
class KnownAnswers {
 public:
  KnownAnswers(std::initializer_list<KnownAnswer> rows) { All().insert(All().end(), rows.begin(), rows.end()); }
  static std::vector<KnownAnswer>& All() {
    static std::vector<KnownAnswer> all;
    return all;
  }
};

}  // namespace openmi::testing
