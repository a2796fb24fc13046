#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Problem.hpp"

/// \file
/// What an FMU may hold beside its description: terminals, an icon, and manifests of layered standards.
///
/// No part of it is needed to run an FMU, so every problem is a warning.

namespace openmi::fmi {

struct TerminalMember {
  Index variable = kNowhere;  ///< in ModelDescription::variables
  std::string name;           ///< of the member in the terminal; empty if the file gives none
  std::string kind;           ///< "signal", "inflow", "outflow" or another
  int line = 0;
};

/// Variables that are connected as a whole.
///
/// Source: FMI 3.0, section 2.4.9 (terminals).
struct Terminal {
  std::string name;
  std::string rule;  ///< matchingRule: "plug", "bus", "sequence" or another
  std::string kind;  ///< may be empty
  std::string description;
  std::vector<TerminalMember> members;  ///< both variables of a stream are members
  std::vector<Terminal> terminals;      ///< inside this one
  int line = 0;
};

/// A standard that adds to FMI, as its manifest names it.
struct LayeredStandard {
  std::string name;  ///< "org.fmi-standard.fmi-ls-bus", ...
  std::string version;
  std::string description;
};

/// The picture of an FMU.
struct FmuIcon {
  std::string file;  ///< its name in the FMU
  std::string bytes;
};

/// Reads a terminalsAndIcons.xml; drawings are ignored.
/// \param bytes  the file
/// \param file   file name for messages
std::vector<Terminal> ReadTerminals(std::string_view bytes, const std::string& file,
                                    const ModelDescription& description, Problems& problems);
/// Reads an fmi-ls-manifest.xml; what the standard itself adds to it is ignored.
/// \param bytes  the file
/// \param file   file name for messages
LayeredStandard ReadManifest(std::string_view bytes, const std::string& file, Problems& problems);

/// The names of all files of an FMU, an archive or an unpacked folder, in the form of an archive.
std::vector<std::string> FilesOf(const std::filesystem::path& fmu);
/// The terminals of an FMU, an archive or an unpacked folder.
/// \param files  the names of its files, in the form of an archive
std::vector<Terminal> TerminalsOf(const std::filesystem::path& fmu, const std::vector<std::string>& files,
                                  const ModelDescription& description, Problems& problems);
/// The icon of an FMU: the first of terminalsAndIcons/icon.svg, terminalsAndIcons/icon.png and model.png that is fit to
/// be shown (IconType). The others are warnings.
/// \param files  as above
///
/// Source: FMI 3.0, section 2.5 (structure of the archive); FMI 1.0 and 2.0 have model.png.
std::optional<FmuIcon> IconOf(const std::filesystem::path& fmu, const std::vector<std::string>& files,
                              Problems& problems);
/// The layered standards of an FMU.
/// \param files  as above
std::vector<LayeredStandard> LayeredStandardsOf(const std::filesystem::path& fmu, const std::vector<std::string>& files,
                                                Problems& problems);

}  // namespace openmi::fmi
