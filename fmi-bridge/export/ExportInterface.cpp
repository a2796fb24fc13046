#include "fmi-bridge/export/ExportInterface.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <limits>

#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::exported {
namespace {

constexpr char kForm[] = "openmi-fmu-interface 3";

std::uint32_t ReadSmall(StateReader& reader, std::int64_t most) {
  const std::int64_t number = reader.ReadInteger();
  if (number < 0 || number > most) {
    throw FormatError({}, "expected a small number in the description of an exported FMU, found another",
                      "export the FMU again");
  }
  return static_cast<std::uint32_t>(number);
}

void Write(StateWriter& writer, const ExportedVariable& variable) {
  for (const std::string* text : {&variable.name, &variable.description, &variable.component, &variable.item,
                                  &variable.unit, &variable.start_text}) {
    writer.Write(std::string_view(*text));
  }
  writer.Write(static_cast<std::int64_t>(variable.type));
  writer.Write(static_cast<std::int64_t>(variable.role));
  writer.Write(static_cast<std::int64_t>(variable.first));
  writer.Write(static_cast<std::int64_t>(variable.reference));
  writer.Write(static_cast<std::int64_t>(variable.count));
  writer.Write(variable.is_array);
  writer.Write(variable.missing);
  writer.Write(variable.start);
}

ExportedVariable ReadVariable(StateReader& reader) {
  ExportedVariable variable;
  for (std::string* text : {&variable.name, &variable.description, &variable.component, &variable.item, &variable.unit,
                            &variable.start_text}) {
    *text = reader.ReadText();
  }
  variable.type = static_cast<VariableType>(ReadSmall(reader, static_cast<std::int64_t>(VariableType::String)));
  variable.role = static_cast<VariableRole>(ReadSmall(reader, static_cast<std::int64_t>(VariableRole::Output)));
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  variable.first = ReadSmall(reader, kMost);
  variable.reference = ReadSmall(reader, kByOrder);
  variable.count = ReadSmall(reader, kMost);
  variable.is_array = reader.ReadBool();
  variable.missing = reader.ReadDouble();
  variable.start = reader.ReadDouble();
  return variable;
}

}  // namespace

std::string ModelIdentifier(const std::string& text) {
  std::string identifier;
  for (const char sign : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(sign)) != 0 && static_cast<unsigned char>(sign) < 128;
    identifier.push_back(is_plain ? sign : '_');
  }
  if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier.front())) != 0) {
    identifier.insert(0, "model_");
  }
  return identifier;
}

ExportedVariable TimeVariable() {
  ExportedVariable time;
  time.name = "time";
  time.description = "Time since the begin of the composition";
  time.role = VariableRole::Time;
  time.unit = "s";
  time.has_base = true;
  time.exponents = {0, 0, 1, 0, 0, 0, 0};
  return time;
}

void ExportInterface::Number() {
  slots = texts = 0;
  for (ExportedVariable& variable : variables) {
    if (variable.type == VariableType::String) continue;
    variable.first = slots;
    slots += variable.count;
  }
  for (ExportedVariable& variable : variables) {
    if (variable.type == VariableType::String) variable.first = slots + texts++;
    if (variable.reference == kByOrder) variable.reference = variable.first;
  }
}

void WriteExportInterface(const ExportInterface& interface, const std::filesystem::path& path) {
  StateWriter writer;
  writer.Write(kForm);
  for (const std::string* text : {&interface.model_name, &interface.description, &interface.token,
                                  &interface.composition, &interface.description_argument}) {
    writer.Write(std::string_view(*text));
  }
  writer.Write(interface.from.mjd);
  writer.Write(interface.stop_seconds);
  writer.Write(interface.step_seconds);
  writer.Write(interface.time_limit_seconds);
  writer.Write(interface.keeps_state);
  writer.Write(static_cast<std::int64_t>(interface.slots));
  writer.Write(static_cast<std::int64_t>(interface.texts));
  writer.Write(static_cast<std::int64_t>(interface.variables.size()));
  for (const ExportedVariable& variable : interface.variables) Write(writer, variable);
  std::ofstream file(path, std::ios::binary);
  const auto bytes = writer.Bytes();
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) {
    throw FileError({.file = path.string()}, "expected a file that can be written, found that it cannot");
  }
}

ExportInterface ReadExportInterface(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw FileError({.file = path.string()}, "expected the description of an exported FMU, found no file",
                    "unpack the whole FMU, and keep it as long as there are instances");
  }
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  StateReader reader(std::as_bytes(std::span(bytes)));
  ExportInterface interface;
  if (reader.ReadText() != kForm) {
    throw FormatError({.file = path.string()}, "expected the description of an exported FMU, found another file",
                      "export the FMU again");
  }
  for (std::string* text : {&interface.model_name, &interface.description, &interface.token, &interface.composition,
                            &interface.description_argument}) {
    *text = reader.ReadText();
  }
  interface.from.mjd = reader.ReadDouble();
  interface.stop_seconds = reader.ReadDouble();
  interface.step_seconds = reader.ReadDouble();
  interface.time_limit_seconds = reader.ReadDouble();
  interface.keeps_state = reader.ReadBool();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  interface.slots = ReadSmall(reader, kMost);
  interface.texts = ReadSmall(reader, kMost);
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    ExportedVariable variable = ReadVariable(reader);
    const std::uint64_t end = std::uint64_t{variable.first} + variable.count;
    if (end > std::uint64_t{interface.slots} + interface.texts) {
      throw FormatError({.file = path.string()}, "expected variables within the slots, found one beyond",
                        "export the FMU again");
    }
    interface.variables.push_back(std::move(variable));
  }
  reader.RequireEnd();
  return interface;
}

}  // namespace openmi::exported
