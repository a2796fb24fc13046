#pragma once

#include <string>
#include <string_view>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi::fmi {

/// The state of an FMU in a file, to start another run from.
///
/// The file begins with lines of text: `openmi FMU state 2`, then a name and a value each (`token`, `model`, `fmi`,
/// `kind`, `platform`, `mode`, `time`, `fmu-bytes`, `importer-bytes`, `sha256`), and an empty line. The bytes that the
/// FMU wrote follow, then those of the importer. The hash is that of everything else: the lines before it, and all
/// bytes.
struct StateFile {
  std::string token;     ///< guid or instantiationToken
  std::string model;     ///< modelName
  std::string version;   ///< of FMI, as the description writes it
  std::string kind;      ///< as the argument `kind`
  std::string platform;  ///< as folders of FMUs are named
  int mode = 0;          ///< Instance::Mode
  double time = 0.0;     ///< of the FMU
  std::string fmu;       ///< bytes: what the FMU serialized
  std::string importer;  ///< bytes: clocks, next events, inputs
};

/// The content of a new file.
std::string EncodeStateFile(const StateFile& state);
/// Reads the content of a file.
/// \param where  of the file, for messages
/// \throws FormatError  it is damaged, or no state of an FMU
StateFile DecodeStateFile(std::string_view content, const Where& where);
/// A state of this FMU, run in this way on this machine; without mode, time and bytes.
StateFile StateFileOf(const ModelDescription& description, InterfaceKind kind);
/// Reads a file, and checks that it is of the same FMU, kind and platform. The token says which FMU it is; where that
/// is empty, the name of the model. \param shown  the name that the user gave \param like   as StateFileOf
/// \throws FileError    the file cannot be read
/// \throws FormatError  it is damaged, or the state of another FMU
StateFile ReadStateFile(const std::string& path, const std::string& shown, const StateFile& like);
/// Writes a file; an earlier one stays until the new one is complete.
/// \throws FileError  the file cannot be written
void WriteStateFile(const std::string& path, const StateFile& state);

}  // namespace openmi::fmi
