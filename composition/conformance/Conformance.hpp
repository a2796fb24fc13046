#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "composition/conformance/ConformanceReport.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

/// How far the harness drives a component, and what it reports meanwhile.
struct ConformanceOptions {
  int max_updates = 1000;  ///< a component that is not Done after as many updates is finished in the status it has
  std::string ends_after_updates = {};  ///< why no further updates are possible, which is a failure; empty: they are
  std::string begin = "2000-01-01T00:00Z";  ///< start of the run for a component without times; ISO 8601, UTC
  std::string end = "2000-01-03T00:00Z";
  /// Steps that are not taken ("12.1 Finish", as on_check gets them), each with the reason: an earlier process ended
  /// there.
  ///
  /// Each is a failure of its number, with the reason as its sentence; what does not depend on the step is still
  /// checked.
  std::map<std::string, std::string, std::less<>> skipped = {};
  /// Called before each check with its number and the step ("12.1 Prepare"). May be empty.
  ///
  /// A process that supervises this one learns from it which test a crash or a hang belongs to.
  std::function<void(std::string_view number, std::string_view what)> on_check = {};
  /// Makes values for an input without times and places; returns null for an input it does not know. May be empty.
  ///
  /// An input without such values gets a set of the shape it holds, or of one index and one value.
  std::function<std::unique_ptr<IBaseValueSet>(const IBaseInput& input)> core_values = {};
};

/// Makes one new component in the status Created, with the arguments it needs. Called several times.
using ComponentMaker = std::function<std::unique_ptr<IBaseLinkableComponent>()>;

/// Runs everything in Annex A that can fail at run time on a component.
///
/// Makes several components, so that a call at a wrong time affects nothing else: one runs from Initialize to Finish
/// with constant values for every input, others serve the tests of call order, adapted outputs and states. If the
/// component has arguments `start-time` and `end-time` and they are empty, they are set to the times of `options`,
/// unless the component already has times.
///
/// An exception of the component is a failure of one test, and its text becomes part of the sentence; it is not passed
/// on. A crash or a hang of the component takes the calling process with it: run third-party components in a child
/// process.
///
/// \returns all 36 tests; 1.1 is not applicable
ConformanceReport CheckConformance(const ComponentMaker& make, const ConformanceOptions& options = {});

/// The same for the component of an OMI file, and for the file (1.1).
///
/// The file at `omi.path` is checked against LinkableComponent.xsd; if there is no such file, the text that OmiText()
/// writes.
ConformanceReport CheckConformance(ComponentLoader& loader, const OmiFile& omi, const ConformanceOptions& options = {});

}  // namespace openmi
