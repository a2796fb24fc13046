#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace openmi::test {

/// Writes an unpacked FMU of ReactionFmu.c: its description, which declares what each derivative depends on, and its
/// library.
inline void WriteReactionFmu(const std::filesystem::path& folder, std::size_t cells, bool has_directional,
                             const std::filesystem::path& library) {
  namespace fs = std::filesystem;
  fs::create_directories(folder / "binaries" / "linux64");
  fs::copy_file(library, folder / "binaries" / "linux64" / "reaction.so", fs::copy_options::overwrite_existing);
  std::ofstream xml(folder / "modelDescription.xml");
  xml << "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Reaction\" guid=\"cells=" << cells
      << "\"><ModelExchange modelIdentifier=\"reaction\" completedIntegratorStepNotNeeded=\"true\""
      << (has_directional ? " providesDirectionalDerivative=\"true\"" : "") << "/><ModelVariables>\n";
  const std::size_t states = 2 * cells;
  for (std::size_t i = 0; i < states; ++i) {
    xml << "<ScalarVariable name=\"x[" << i + 1 << "]\" valueReference=\"" << i
        << "\" causality=\"local\" variability=\"continuous\" initial=\"calculated\"><Real/></ScalarVariable>\n";
  }
  for (std::size_t i = 0; i < states; ++i) {
    xml << "<ScalarVariable name=\"der(x[" << i + 1 << "])\" valueReference=\"" << states + i
        << "\" causality=\"local\" variability=\"continuous\" initial=\"calculated\"><Real derivative=\"" << i + 1
        << "\"/></ScalarVariable>\n";
  }
  xml << "</ModelVariables><ModelStructure><Derivatives>\n";
  for (std::size_t i = 0; i < states; ++i) {
    const std::size_t cell = i / 2;
    xml << "<Unknown index=\"" << states + i + 1 << "\" dependencies=\"";
    if (cell > 0) xml << i - 1 << ' ';
    xml << 2 * cell + 1 << ' ' << 2 * cell + 2;
    if (cell + 1 < cells) xml << ' ' << i + 3;
    xml << "\"/>\n";
  }
  xml << "</Derivatives></ModelStructure></fmiModelDescription>\n";
}

}  // namespace openmi::test
