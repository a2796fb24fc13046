#include "composition/conformance/Conformance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "composition/conformance/DefinitionChecks.hpp"
#include "composition/conformance/Findings.hpp"
#include "composition/conformance/ItemChecks.hpp"
#include "composition/conformance/RunChecks.hpp"
#include "composition/conformance/Trial.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/omi/SchemaValidator.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/standard/ITimeExtension.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

using conformance::Findings;
using conformance::Subject;

/// The times for which a component is ready when no argument is set.
///
/// The far past to the far future if it gives none, or cannot be initialized that way.
std::pair<Stamp, Stamp> OwnTimes(const Subject& subject) {
  try {
    conformance::Trial trial(subject);
    trial.Component().Initialize();
    if (const auto* extension = dynamic_cast<const ITimeExtension*>(&trial.Component())) {
      const ITimeSet& extent = extension->TimeExtent();
      const Days offset = Hours(extent.OffsetFromUtcInHours());
      const ITime& horizon = extent.TimeHorizon();
      return {Stamp{horizon.StampAsModifiedJulianDay()} - offset, EndOf(horizon) - offset};
    }
  } catch (const std::exception&) {  // the component needs times, or fails again where that is judged
  }
  return {kFarPast, kFarFuture};
}

/// A component with times keeps them; one with only a start or an end gets the other.
void ChooseTimes(Subject& subject) {
  const auto [begin, end] = OwnTimes(subject);
  const Days length = ParseIsoTime(subject.options.end, 0.0) - ParseIsoTime(subject.options.begin, 0.0);
  const bool has_begin = std::isfinite(begin.mjd);
  const bool has_end = std::isfinite(end.mjd);
  if (!has_begin) subject.begin = has_end ? FormatIsoTime(end - length) : subject.options.begin;
  if (!has_end) subject.end = has_begin ? FormatIsoTime(begin + length) : subject.options.end;
}

/// Whether a second component can be prepared.
///
/// A component that writes a file and refuses to overwrite it cannot: no failure, but tests that need a second
/// component cannot run.
bool CanStartAgain(Findings& findings, const Subject& subject) {
  constexpr const char* kWhat = "Prepare of a second component";
  if (findings.Skips("12.1", kWhat)) return false;
  findings.Announce("12.1", kWhat);
  conformance::Trial trial(subject);
  bool adapts = false;
  try {
    trial.Begin();
    adapts = !trial.Component().AdaptedOutputFactories().empty();
    static_cast<void>(trial.Component().Validate());
    trial.Component().Prepare();
    return true;
  } catch (...) {
    const std::string why = "a second component could not be prepared: " + conformance::SentenceOfException();
    if (adapts) {
      for (const char* number : {"10.1", "10.2", "10.3"}) findings.Hide(number, why);
    }
    if (dynamic_cast<IManageState*>(&trial.Component()) != nullptr) findings.Hide("11.1", why);
    if (dynamic_cast<IByteStateConverter*>(&trial.Component()) != nullptr) findings.Hide("11.2", why);
    return false;
  }
}

void CheckAll(Findings& findings, Subject& subject) {
  if (!findings.Try("12.1", "making the component", [&] { conformance::Trial trial(subject); })) {
    findings.Stop("12.1");
    return;
  }
  findings.Announce("12.1", "Initialize");
  ChooseTimes(subject);
  if (!conformance::CheckRun(findings, subject)) return;
  // The component runs, so that a failure below belongs to what that test examines.
  findings.Try("9.2", "the inputs", [&] { conformance::CheckInputs(findings, subject); });
  const bool again = CanStartAgain(findings, subject);
  if (again) {
    findings.Try("10.3", "adapted outputs", [&] { conformance::CheckAdaptedOutputs(findings, subject); });
    findings.Try("11.1", "states", [&] { conformance::CheckStates(findings, subject); });
  }
  conformance::CheckCallOrder(findings, subject, again);
}

std::string Text(const Problem& problem) {
  return FormatProblem(problem);
}

/// Runs test 1.1.
/// \returns whether a component can be made
bool CheckFile(Findings& findings, ComponentLoader& loader, const OmiFile& omi) {
  const char* const number = "1.1";
  findings.Try(number, "reading the OMI file", [&] {
    std::error_code error;
    const bool there = std::filesystem::is_regular_file(omi.path, error);
    const XmlDocument document = there ? ReadXmlFile(omi.path) : ReadXml(OmiText(omi), omi.path.string());
    for (const Problem& problem : ValidateXml(document, "LinkableComponent.xsd")) findings.Fail(number, Text(problem));
    findings.See(number);
  });
  bool made = false;
  findings.Try(number, "making the component", [&] {
    Problems problems;
    const LoadedComponent loaded = LoadOmi(loader, omi, &problems);
    for (const Problem& problem : problems) {
      if (problem.severity == Problem::Error) findings.Fail(number, Text(problem));
    }
    made = loaded.component != nullptr;
  });
  return made;
}

}  // namespace

ConformanceReport CheckConformance(const ComponentMaker& make, const ConformanceOptions& options) {
  Findings findings(options.on_check, options.skipped);
  std::string id = "component";
  const auto made = [&] {
    LoadedComponent loaded(nullptr, make());
    if (loaded.component == nullptr) throw LoadError({}, "expected a component, found none");
    id = loaded.component->Id();
    return loaded;
  };
  Subject subject{made, options};
  CheckAll(findings, subject);
  return findings.Report(id);
}

ConformanceReport CheckConformance(ComponentLoader& loader, const OmiFile& omi, const ConformanceOptions& options) {
  Findings findings(options.on_check, options.skipped);
  if (CheckFile(findings, loader, omi)) {
    // Problems of single arguments were reported above; the component runs without those arguments.
    Subject subject{[&] {
                      Problems problems;
                      return LoadOmi(loader, omi, &problems);
                    },
                    options};
    CheckAll(findings, subject);
  } else {
    findings.Stop("1.1");
  }
  return findings.Report(omi.path.string());
}

}  // namespace openmi
