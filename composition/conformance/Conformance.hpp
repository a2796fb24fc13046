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

/// How far a component is driven.
struct ConformanceOptions {
  int max_updates = 1000;                   ///< a component that is not Done by then is finished where it stands
  std::string ends_after_updates = {};      ///< why no more updates than that can be made, a failure; empty: they can
  std::string begin = "2000-01-01T00:00Z";  ///< of the run, where the component has no times of its own
  std::string end = "2000-01-03T00:00Z";
  /// Steps ("12.1 Finish", as on_check gets them) that are not taken, and why: an earlier process ended there. Each
  /// is a failure of its number, with this sentence; what does not depend on it is checked all the same.
  std::map<std::string, std::string, std::less<>> skipped = {};
  /// Called before each check with its number and what is done ("12.1 Prepare"). A process that watches over this one
  /// knows by it which test a crash or a hang belongs to. May be empty.
  std::function<void(std::string_view number, std::string_view what)> on_check = {};
  /// Values to feed an input without times and places; null where the callback does not know it. May be empty: such
  /// inputs then get a set of the shape they hold themselves, or of one index and one value.
  std::function<std::unique_ptr<IBaseValueSet>(const IBaseInput& input)> core_values = {};
};

/// Makes one new component, Created and with the arguments it needs; called several times.
using ComponentMaker = std::function<std::unique_ptr<IBaseLinkableComponent>()>;

/// Drives a component through everything that Annex A lets fail at run time.
///
/// Several components are made, so that a call at a wrong time spoils nothing else: one runs from Initialize to Finish
/// with every input fed by constant values, others for the order of calls, adapted outputs and states. The arguments
/// `start-time` and `end-time`, where there and empty, are set to the times of `options`, unless the component has
/// times of its own.
///
/// What the component throws is a failure of one number and ends up in its sentence; nothing is thrown on. What crashes
/// or never returns takes the caller with it: strangers' components belong into a child process.
///
/// \returns all 36 tests; 1.1 is not applicable
ConformanceReport CheckConformance(const ComponentMaker& make, const ConformanceOptions& options = {});

/// The same for the component of an OMI file, and the file itself (1.1): checked against LinkableComponent.xsd as it
/// stands at `omi.path`, or as OmiText() writes it if there is no such file.
ConformanceReport CheckConformance(ComponentLoader& loader, const OmiFile& omi, const ConformanceOptions& options = {});

}  // namespace openmi
