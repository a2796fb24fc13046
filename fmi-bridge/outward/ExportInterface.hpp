#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fmi-bridge/outward/VariableKind.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi::outward {

/// One variable of an exported FMU.
struct ExportedVariable {
  std::string name;
  std::string description;
  std::string component;  ///< id in the composition; empty for time
  std::string item;       ///< id of the exchange item, or key of the argument
  VariableType type = VariableType::Float64;
  VariableRole role = VariableRole::Output;
  std::uint32_t first = 0;             ///< its first slot, or beyond all slots for a text
  std::uint32_t reference = kByOrder;  ///< value reference of the first element
  std::uint32_t count = 1;             ///< elements
  bool is_array = false;
  double missing = 0.0;                     ///< what stands for "no value" in the item
  std::string unit;                         ///< name; empty: none
  bool has_base = false;                    ///< whether the dimension can be told in whole powers
  std::array<std::int32_t, 7> exponents{};  ///< of kg m s A K mol cd
  double factor = 1.0;                      ///< SI value = factor * value + offset
  double offset = 0.0;
  double start = 0.0;                  ///< of inputs and parameters; for all elements
  double start_missing = kNotANumber;  ///< of an output: what it shows where it has no value
  std::string start_text;
  std::vector<std::string> elements;  ///< ids
};

/// What an exported FMU offers: written among its resources, read by the process behind it.
struct ExportInterface {
  std::string model_name;
  std::string description;
  std::string token;                        ///< GUID of FMI 2.0, instantiation token of FMI 3.0
  std::string composition;                  ///< file, relative to the resources
  double from_mjd = 0.0;                    ///< UTC; second 0 of the FMU
  double stop_seconds = 0.0;                ///< of the composition's run; 0: it has no end
  double step_seconds = 0.0;                ///< preferred; 0: none
  double time_limit_seconds = 0.0;          ///< the longest that a call may take; 0: for ever
  bool keeps_state = false;                 ///< whether every component can
  std::string description_argument;         ///< FmuForm::description_argument; empty: no form of its own
  std::vector<ExportedVariable> variables;  ///< the first is time
  std::uint32_t slots = 0;                  ///< of numbers
  std::uint32_t texts = 0;

  /// Gives each variable its slot, by order: numbers from 0 on, then texts; and its value reference likewise, where it
  /// has none yet.
  void Number();
  /// Whether the FMU reads its variables from its own description.
  bool HasForm() const { return !description_argument.empty(); }
};

/// The time since the begin of the composition, which comes first.
ExportedVariable TimeVariable();

/// A name for libraries and components: `text` with everything but letters, digits and underscores replaced.
std::string ModelIdentifier(const std::string& text);

/// \throws FileError  it cannot be written
void WriteExportInterface(const ExportInterface& interface, const std::filesystem::path& path);
/// \throws FileError, FormatError
ExportInterface ReadExportInterface(const std::filesystem::path& path);

/// Its name among the resources.
inline constexpr char kInterfaceFile[] = "interface.bin";

}  // namespace openmi::outward
