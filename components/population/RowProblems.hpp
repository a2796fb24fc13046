#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi::population {

/// Problems of single rows, gathered: one sentence for all rows with the same problem, with their number and the first
/// keys.
class RowProblems {
 public:
  /// \param what  what the keys are of: "rows"
  explicit RowProblems(std::string what = "rows") : what_(std::move(what)) {}

  /// Adds a problem of one row.
  /// \param kind     rows of the same kind are gathered
  /// \param problem  "expected ..., found ..."; that of the first row is shown
  void Add(const std::string& key, const std::string& kind, const std::string& problem, const std::string& remedy,
           const std::string& item = {});
  /// Adds an error that the component of one row has thrown.
  void Add(const std::string& key, const std::exception& error);

  bool IsEmpty() const { return groups_.empty(); }
  /// The number of rows with a problem; a row with two of them counts twice.
  std::size_t Count() const;
  /// Throws what was gathered, if anything was.
  /// \param place  the item of a single kind of problem is added to it
  /// \throws ArgumentError  one sentence for each kind, the most frequent first
  void ThrowIfAny(Where place) const;

 private:
  struct Group {
    std::string kind, problem, remedy, item;
    std::vector<std::string> keys = {};  // the first ones
    std::size_t count = 0;
  };
  std::string SentenceOf(const Group& group) const;

  std::string what_;
  std::vector<Group> groups_;
  std::size_t others_ = 0;  // problems of further kinds
};

}  // namespace openmi::population
