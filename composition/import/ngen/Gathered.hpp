#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Problem.hpp"

namespace openmi::ngen {

/// Problems of single catchments, gathered: one for all with the same sentence, with their number and the first ids.
class Gathered {
 public:
  /// \param owner  the catchment; empty: the problem is that of all
  /// \param where  of the first one
  void Add(Problem::Severity severity, const std::string& owner, Where where, const std::string& problem,
           const std::string& remedy);

  /// Appends what was gathered, in the order in which it came first, and forgets it.
  void AddTo(Problems& problems);

 private:
  struct Group {
    Problem problem;
    std::vector<std::string> owners = {};  // the first ones
    std::size_t count = 0;
  };

  std::vector<Group> groups_;
  std::map<std::pair<std::string, bool>, std::size_t> places_;  // by sentence, and whether it is that of a catchment
};

}  // namespace openmi::ngen
