#pragma once

#include <set>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IDescribable.hpp"
#include "openmi/standard/IIdentifiable.hpp"

namespace openmi::conformance {

/// Runs test 2.1 on one object. Afterwards the object has the caption and the description that it had before.
void CheckDescribable(Findings& findings, IDescribable& object, const std::string& who);

/// Runs test 2.2 on the members of one list: each has an id, and no id occurs twice.
class IdList {
 public:
  /// \param kind   kind of the members as the report names it: "input"
  /// \param whose  owner of the list as the report names it: "the component"
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
