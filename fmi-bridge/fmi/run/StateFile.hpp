#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/IStepper.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
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
/// \param is_for_windows  its library is, as Wine runs it
StateFile StateFileOf(const ModelDescription& description, InterfaceKind kind, bool is_for_windows);
/// Reads a file, and checks that it is of the same FMU, kind and platform. The token says which FMU it is; where that
/// is empty, the name of the model. \param shown  the name that the user gave \param like   as StateFileOf
/// \throws FileError    the file cannot be read
/// \throws FormatError  it is damaged, or the state of another FMU
StateFile ReadStateFile(const std::string& path, const std::string& shown, const StateFile& like);
/// Writes a file; an earlier one stays until the new one is complete.
/// \throws FileError  the file cannot be written
void WriteStateFile(const std::string& path, const StateFile& state);
/// Tries whether a file can be written, before a run computes what it is to hold.
/// \throws FileError  it cannot
void ExpectWritableState(const std::string& path);
/// \throws ArgumentError  a start was given that is not, to a microsecond, the time of the state
void ExpectStart(const StateFile& state, std::optional<double> start, const Where& where, const std::string& remedy);
/// \throws ArgumentError  the FMU does not offer its state as bytes when it is run in this way
void ExpectStateAsBytes(const ModelDescription& description, InterfaceKind kind, Where where);
/// Fills in the mode and the bytes, of the FMU and of the importer.
/// \param more  writes what the importer keeps after the stepper's data: lists of inputs, of texts and of clocks
void KeepState(StateFile& state, Instance& instance, IStepper& stepper, const std::function<void(StateWriter&)>& more);
/// Writes what an importer without items keeps after the stepper's data: these lists, empty.
void SaveNoItems(StateWriter& writer);
/// Reads the bytes of the importer.
/// \param more   reads what follows the stepper's data; it need not
/// \param where  of the file, for messages
/// \throws FormatError  they are not those of such a file, or have a clock that should have ticked before its time
void LoadImporter(const StateFile& state, IStepper& stepper, const Where& where,
                  const std::function<void(StateReader&)>& more);
/// Tries in a child process, for at most 30 s, whether an instance takes the bytes of the FMU: native code may crash on
/// bytes that it did not write, or hang. Of no use for a library for Windows, whose host the child would share. An FMU
/// that answers kServesNoCopy there, as those that we export do, is not tried: its bytes go to a process of its own.
/// \param read  reads outputs, which an FMU may compute from its state only then
/// \throws StateError  it does not; the instance is as before
void TryStateInChild(Instance& instance, ByteView bytes, Instance::Mode mode, const std::function<void()>& read,
                     const Where& where, const std::string& remedy);
/// The longest time in which a state is tried.
inline constexpr std::chrono::seconds kLongestTrial{30};
/// Sets an instance to the bytes of the FMU.
void RestoreInstance(Instance& instance, ByteView bytes, Instance::Mode mode);

}  // namespace openmi::fmi
