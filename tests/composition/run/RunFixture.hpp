#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"
#include "tests/composition/run/TestComponents.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::testing {

inline constexpr double kDayOne = 57357.0;  // 2015-12-01

/// A composition made of the elements in `body`, with the namespace and the root put around it.
class Made {
 public:
  /// \param before_load  what is done to the composition first
  explicit Made(const std::string& body, const std::function<void(Composition&)>& before_load = {}) {
    const std::string text =
        "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"made\">\n" + body + "\n</Composition>\n";
    CompositionFile file = ReadCompositionText(text, "made.xml", problems);
    // The schema wants an assembly with a type; types of this program have none.
    for (ComponentSpec& component : file.components) {
      if (component.assembly == "here") component.assembly.clear();
    }
    composition = std::make_unique<Composition>(std::move(file));
    if (before_load) before_load(*composition);
    composition->Load(problems);
    composition->Connect(problems);
    CheckComposition(*composition, problems);
  }

  /// All problems of a severity, one a line.
  std::string Text(Problem::Severity severity = Problem::Error) const {
    std::string text;
    for (const Problem& problem : problems) {
      if (problem.severity == severity) text += FormatProblem(problem) + "\n";
    }
    return text;
  }

  template <class Component>
  Component& Get(const std::string& id) {
    return dynamic_cast<Component&>(composition->Instances().at(*composition->IndexOf(id)).Component());
  }

  /// Runs without writing files.
  RunRecord Run(RunMode mode = RunMode::Pull, std::optional<std::size_t> threads = {}) {
    RunOptions options;
    options.write_results = false;
    options.mode = mode;
    options.threads = threads;
    return CompositionRun(*composition, problems, options).Run();
  }

  Problems problems;
  std::unique_ptr<Composition> composition;
};

/// The errors of a record, one a line; empty when all went well.
inline std::string ErrorsOf(const RunRecord& record) {
  std::string text;
  for (const Problem& problem : record.problems) {
    if (problem.severity == Problem::Error) text += FormatProblem(problem) + "\n";
  }
  return text;
}

/// `<Argument Key= Value=/>`.
inline std::string ArgumentXml(const std::string& key, const std::string& value) {
  return "<Argument Key=\"" + key + "\" Value=\"" + value + "\"/>";
}
/// `<Component>` of a type of the test program.
inline std::string ComponentXml(const std::string& id, const std::string& type, const std::string& arguments = {}) {
  return "<Component Id=\"" + id + "\" Type=\"test." + type + "\" Assembly=\"here\">" + arguments + "</Component>\n";
}
inline std::string LinkXml(const std::string& from, const std::string& to, const std::string& adaptors = {}) {
  return "<Link From=\"" + from + "\" To=\"" + to + "\">" + adaptors + "</Link>\n";
}
inline std::string AdaptorXml(const std::string& id, const std::string& arguments = {}) {
  return "<Adaptor Id=\"" + id + "\">" + arguments + "</Adaptor>";
}
/// From 2015-12-01; `more` are further attributes.
inline std::string RunXml(const std::string& to = "2015-12-02T00:00Z", const std::string& more = {}) {
  return "<Run From=\"2015-12-01T00:00Z\" To=\"" + to + "\" " + more + "/>\n";
}

using Folder = ScratchFolder;

}  // namespace openmi::testing
