#pragma once

#include <set>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IDescribable.hpp"
#include "openmi/standard/IIdentifiable.hpp"

namespace openmi::conformance {

/// Test 2.1 on one object, which afterwards has the caption and the description that it had.
void CheckDescribable(Findings& findings, IDescribable& object, const std::string& who);

/// Test 2.2 on the members of one list: an id each, and none twice.
class IdList {
 public:
  /// \param kind   "input"
  /// \param whose  "the component"
  IdList(Findings& findings, std::string kind, std::string whose)
      : findings_(findings), kind_(std::move(kind)), whose_(std::move(whose)) {}
  void Add(const IIdentifiable& member);

 private:
  Findings& findings_;
  std::string kind_;
  std::string whose_;
  std::set<std::string> seen_;
};

}  // namespace openmi::conformance
