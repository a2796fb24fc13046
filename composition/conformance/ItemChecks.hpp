#pragma once

#include <set>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"
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

/// Checks the items of an initialized component before anything is linked: 2.1 and 2.2, 3.1 to 3.6, 4.1 to 4.3, 5.1 and
/// 5.2, 9.1, 9.4.
void CheckItems(Findings& findings, Trial& trial);

/// Runs tests 9.2 and 9.6 in its own trial: inputs accept a provider and values, and release them again.
void CheckInputs(Findings& findings, const Subject& subject);

/// Runs tests 10.1 to 10.3 on the factories that the component offers. Makes its own trials.
void CheckAdaptedOutputs(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
