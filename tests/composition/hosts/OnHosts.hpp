#pragma once

#include <string>
#include <vector>

#include "composition/hosts/Placement.hpp"
#include "tests/composition/isolation/ApartFixture.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/Sanitized.hpp"

/// Compositions with groups whose workers connect over TCP.
namespace openmi::testing {

inline const bool kChildrenCrash = test::LetChildrenCrash();

inline const std::string kUp = "Group=\"up\"";
inline const std::string kDown = "Group=\"down\"";

/// \param places  "GROUP=HOST" each
/// \param launcher  by default, one that starts workers on this host, whatever the name
inline Placement PlacedAt(const std::vector<std::string>& places, const std::string& launcher = "env {command}",
                          const std::string& listen = "127.0.0.1") {
  Placement placement;
  for (const std::string& one : places) placement.Add(one);
  placement.launcher = launcher;
  placement.listen = listen;
  placement.program = OPENMI_BINARY_DIR "/bin/openmi";
  return placement;
}

inline Made MadeAt(const std::string& body, Placement placement) {
  return Made(body, [&](Composition& composition) { composition.SetPlacement(std::move(placement)); });
}

}  // namespace openmi::testing
