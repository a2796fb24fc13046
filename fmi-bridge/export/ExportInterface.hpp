#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fmi-bridge/export/VariableKind.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::exported {

/// One variable of an exported FMU.
struct ExportedVariable {
  std::string name;
  std::string description;
  std::string component;  ///< id in the composition; empty for time
  std::string item;       ///< id of the exchange item, or key of the argument
  VariableType type = VariableType::Float64;
  VariableRole role = VariableRole::Output;
  std::uint32_t first = 0;             ///< its first slot; for a text a number after all slots
  std::uint32_t reference = kByOrder;  ///< value reference of the first element
  std::uint32_t count = 1;             ///< number of elements
  bool is_array = false;
  double missing = 0.0;                     ///< number that means "no value" in the item
  std::string unit;                         ///< name; empty: none
  bool has_base = false;                    ///< whether the dimension can be expressed in whole powers
  std::array<std::int32_t, 7> exponents{};  ///< of kg m s A K mol cd
  double factor = 1.0;                      ///< SI value = factor * value + offset
  double offset = 0.0;
  double start = 0.0;                  ///< of inputs and parameters; for all elements
  double start_missing = kNotANumber;  ///< of an output: its value if it has none
  std::string start_text;
  std::vector<std::string> elements;  ///< ids
};

/// The variables and properties of an exported FMU; stored in its resources and read by the process of the FMU.
struct ExportInterface {
  std::string model_name;
  std::string description;
  std::string token;                        ///< GUID of FMI 2.0, instantiation token of FMI 3.0
  std::string composition;                  ///< file, relative to the resources
  Stamp from;                               ///< UTC; second 0 of the FMU
  double stop_seconds = 0.0;                ///< of the run of the composition; 0: no end
  double step_seconds = 0.0;                ///< preferred; 0: none
  double time_limit_seconds = 0.0;          ///< longest duration of a call; 0: no limit
  bool keeps_state = false;                 ///< whether every component can keep its state
  std::string description_argument;         ///< FmuForm::description_argument; empty: no special form
  std::vector<ExportedVariable> variables;  ///< the first is time
  std::uint32_t slots = 0;                  ///< number of numeric values
  std::uint32_t texts = 0;

  /// Assigns slots by order, to numbers from 0 on and then to texts, and value references to variables without one.
  void Number();
  /// Whether the FMU reads its variables from its own description.
  bool HasForm() const { return !description_argument.empty(); }
};

/// The time since the start of the composition; it is the first variable.
ExportedVariable TimeVariable();

/// A name for libraries and components: `text` with everything replaced but letters, digits and underscores.
std::string ModelIdentifier(const std::string& text);

/// Writes the interface to a file.
/// \throws FileError  it cannot be written
void WriteExportInterface(const ExportInterface& interface, const std::filesystem::path& path);
/// Reads an interface from a file.
/// \throws FileError    the file does not exist
/// \throws FormatError  the file is damaged, or not an interface
ExportInterface ReadExportInterface(const std::filesystem::path& path);

/// The name of the file in the resources.
inline constexpr char kInterfaceFile[] = "interface.bin";

}  // namespace openmi::exported
