#pragma once

#include <memory>
#include <string>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

/// A composition of two components that keep their state, types of this program, with an adaptor between them, loaded
/// and linked, for a month.
inline std::unique_ptr<Composition> SmallComposition() {
  Problems problems;
  CompositionFile file = ReadCompositionText(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"small\">"
      "<Component Id=\"walk\" Type=\"test.Walk\" Assembly=\"here\"/>"
      "<Component Id=\"pond\" Type=\"test.Pond\" Assembly=\"here\"/>"
      "<Link From=\"walk.flow\" To=\"pond.inflow\"><Adaptor Id=\"mean-over-span\"/></Link>"
      "<Observe Item=\"pond.level\"/><Run From=\"2015-12-01T00:00Z\" To=\"2016-01-01T00:00Z\"/></Composition>",
      "small.xml", problems);
  for (ComponentSpec& component : file.components) component.assembly.clear();  // types of this program have none
  auto composition = std::make_unique<Composition>(std::move(file));
  composition->Load(problems);
  composition->Connect(problems);
  CheckComposition(*composition, problems);
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) std::fprintf(stderr, "%s\n", FormatProblem(problem).c_str());
  }
  Require(!HasErrors(problems));
  return composition;
}

/// A run that writes no files.
inline RunOptions InMemory() {
  RunOptions options;
  options.write_results = false;
  return options;
}

}  // namespace openmi::fuzz
