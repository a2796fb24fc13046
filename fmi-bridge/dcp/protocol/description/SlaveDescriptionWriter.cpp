
#include <fmt/format.h>

#include <ctime>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/dcp/protocol/description/IntegerTypes.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/omi/XmlLines.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

namespace {

namespace fs = std::filesystem;

std::string Attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, EscapeXml(value));
}
std::string Optional(std::string_view name, const std::string& value) {
  return value.empty() ? std::string() : Attribute(name, value);
}
template <class Number>
std::string Optional(std::string_view name, const std::optional<Number>& value) {
  return value ? fmt::format(" {}=\"{}\"", name, *value) : std::string();
}
std::string Flag(std::string_view name, bool value, bool otherwise) {
  return value == otherwise ? std::string() : fmt::format(" {}=\"{}\"", name, value ? "true" : "false");
}
template <class Number>
std::string Unless(std::string_view name, Number value, Number otherwise) {
  return value == otherwise ? std::string() : fmt::format(" {}=\"{}\"", name, value);
}

std::string Steps(const StepRange& steps) {
  return Unless("defaultSteps", steps.standard, 1U) + Flag("fixedSteps", steps.is_fixed, true) +
         Optional("minSteps", steps.fewest) + Optional("maxSteps", steps.most);
}

std::string Start(const Variable& variable) {
  return variable.start.is_given ? Attribute("start", StartText(variable)) : std::string();
}

std::string TypeText(const SlaveDescription& description, const TypeAttributes& type) {
  std::string text;
  if (IsText(type.type)) {
    if (type.type == DataType::binary && type.mime_type != "application/octet-stream") {
      text += Optional("mimeType", type.mime_type);
    }
    return text + Optional("maxSize", type.max_size);
  }
  const Limits& limits = type.limits;
  if (IsFloat(type.type)) {
    text += Optional("min", limits.minimum) + Optional("max", limits.maximum) + Optional("gradient", limits.gradient) +
            Optional("nominal", type.nominal) + Optional("quantity", type.quantity);
    if (type.unit != kNowhere) {
      const UnitDefinition& unit = description.units[static_cast<std::size_t>(type.unit)];
      text += Attribute("unit", unit.name);
      if (type.display_unit != kNowhere) {
        text += Attribute("displayUnit", unit.display_units[static_cast<std::size_t>(type.display_unit)].name);
      }
    }
    return text;
  }
  if (limits.minimum) text += Attribute("min", IntegerText(type.type, limits.integer_minimum));
  if (limits.maximum) text += Attribute("max", IntegerText(type.type, limits.integer_maximum));
  if (limits.gradient) text += fmt::format(" gradient=\"{:.0f}\"", *limits.gradient);
  return text;
}

void WriteAnnotations(XmlLines& lines, std::string_view element, const std::vector<Annotation>& annotations) {
  if (annotations.empty()) return;
  lines.Open(element);
  for (const Annotation& one : annotations) {
    lines.Add(fmt::format("<Tool{}>{}</Tool>", Attribute("name", one.type), one.content));
  }
  lines.Close(element);
}

void WriteUnits(XmlLines& lines, const SlaveDescription& description) {
  if (description.units.empty()) return;
  lines.Open("UnitDefinitions");
  for (const UnitDefinition& unit : description.units) {
    lines.Open("Unit" + Attribute("name", unit.name));
    if (unit.has_base) {
      std::string base = "BaseUnit";
      for (std::size_t i = 0; i < described::kBaseUnits.size(); ++i)
        base += Unless(described::kBaseUnits[i], unit.exponents[i], 0);
      lines.Empty(base + Unless("factor", unit.factor, 1.0) + Unless("offset", unit.offset, 0.0));
    }
    for (const DisplayUnit& display : unit.display_units) {
      lines.Empty("DisplayUnit" + Attribute("name", display.name) + Unless("factor", display.factor, 1.0) +
                  Unless("offset", display.offset, 0.0));
    }
    lines.Close("Unit");
  }
  lines.Close("UnitDefinitions");
}

void WriteTypes(XmlLines& lines, const SlaveDescription& description) {
  if (description.types.empty()) return;
  lines.Open("TypeDefinitions");
  for (const TypeDefinition& type : description.types) {
    lines.Open("SimpleType" + Attribute("name", type.name) + Optional("description", type.description));
    lines.Empty(ElementName(type.attributes.type) + TypeText(description, type.attributes));
    lines.Close("SimpleType");
  }
  lines.Close("TypeDefinitions");
}

void WriteTimes(XmlLines& lines, const SlaveDescription& description) {
  lines.Open("OpMode");
  if (description.hard_real_time) lines.Empty("HardRealTime");
  if (description.soft_real_time) lines.Empty("SoftRealTime");
  if (description.non_real_time) lines.Empty("NonRealTime" + Steps(*description.non_real_time));
  lines.Close("OpMode");
}

void WriteResolutions(XmlLines& lines, const SlaveDescription& description) {
  lines.Open("TimeRes");
  for (const Resolution& one : description.resolutions) {
    std::string text = "Resolution" + Unless("numerator", one.numerator, 1U) +
                       Unless("denominator", one.denominator, 1000U) + Flag("fixed", one.is_fixed, true);
    if (one.is_recommended) text += fmt::format(" recommended=\"{}\"", *one.is_recommended);
    lines.Empty(text);
  }
  for (const ResolutionRange& range : description.resolution_ranges) {
    lines.Empty(fmt::format("ResolutionRange numeratorFrom=\"{}\" numeratorTo=\"{}\" denominator=\"{}\"",
                            range.numerator_from, range.numerator_to, range.denominator));
  }
  lines.Close("TimeRes");
}

void WritePorts(XmlLines& lines, const std::string& element, const std::optional<DataPorts>& ports) {
  if (!ports) return;
  lines.Open(element + Optional("host", ports->host));
  for (const PortRange& range : ports->ranges) {
    lines.Empty(range.from == range.to ? fmt::format("AvailablePort port=\"{}\"", range.from)
                                       : fmt::format("AvailablePortRange from=\"{}\" to=\"{}\"", range.from, range.to));
  }
  lines.Close(element);
}

void WriteIpv4(XmlLines& lines, const std::string& element, const std::optional<Ipv4>& ip, std::uint32_t otherwise) {
  if (!ip) return;
  lines.Open(element + Unless("maxPduSize", ip->max_pdu_size, otherwise));
  if (ip->has_control) {
    lines.Empty("Control" + Optional("host", ip->control_host) + Optional("port", ip->control_port));
  }
  WritePorts(lines, "DAT_input_output", ip->data);
  WritePorts(lines, "DAT_parameter", ip->parameters);
  lines.Close(element);
}

void WriteTransports(XmlLines& lines, const Transports& transports) {
  lines.Open("TransportProtocols");
  WriteIpv4(lines, "UDP_IPv4", transports.udp, kMaxUdpPdu);
  if (transports.can) lines.Empty("CAN");
  if (transports.usb2) {
    lines.Open("USB2" + Unless("maxPduSize", transports.usb2->max_pdu_size, 1024U) +
               Optional("maxPower", transports.usb2->max_power));
    for (const UsbPipe& pipe : transports.usb2->pipes) {
      std::string direction;
      if (pipe.is_in) direction = *pipe.is_in ? " direction=\"In\"" : " direction=\"Out\"";
      lines.Empty(
          fmt::format("DataPipe{} endpointAddress=\"{}\" intervall=\"{}\"", direction, pipe.endpoint, pipe.interval));
    }
    lines.Close("USB2");
  }
  if (transports.bluetooth) {
    lines.Open("Bluetooth" + Unless("maxPduSize", transports.bluetooth->max_pdu_size, 1011U));
    for (const BluetoothAddress& one : transports.bluetooth->addresses) {
      lines.Empty("Address" + Attribute("bd_addr", one.address) + fmt::format(" port=\"{}\"", one.port) +
                  Optional("alias", one.alias));
    }
    lines.Close("Bluetooth");
  }
  WriteIpv4(lines, "TCP_IPv4", transports.tcp, kMaxTcpPdu);
  lines.Close("TransportProtocols");
}

void WriteDependencies(XmlLines& lines, const SlaveDescription& description, const Dependencies& dependencies) {
  if (!dependencies.initialization && !dependencies.run) return;
  lines.Open("Dependencies");
  const auto write = [&](const char* phase, const std::optional<std::vector<Dependency>>& list) {
    if (!list) return;
    lines.Open(phase);
    for (const Dependency& one : *list) {
      lines.Empty(fmt::format("Dependency vr=\"{}\" dependencyKind=\"{}\"",
                              description.At(one.variable).value_reference, one.is_linear ? "linear" : "dependent"));
    }
    lines.Close(phase);
  };
  write("Initialization", dependencies.initialization);
  write("Run", dependencies.run);
  lines.Close("Dependencies");
}

void WriteVariable(XmlLines& lines, const SlaveDescription& description, const Variable& variable) {
  std::string head = "Variable" + Attribute("name", variable.name) +
                     fmt::format(" valueReference=\"{}\"", variable.value_reference) +
                     Optional("description", variable.description);
  if (variable.variability != Variability::Continuous) head += Attribute("variability", Name(variable.variability));
  head += Optional("preEdge", variable.pre_edge) + Optional("postEdge", variable.post_edge) +
          Optional("maxConsecMissedPdus", variable.max_consecutive_missed_pdus);
  if (variable.declared_type != kNowhere) {
    head += Attribute("declaredType", description.types[static_cast<std::size_t>(variable.declared_type)].name);
  }
  lines.Open(head);
  std::string kind = Name(variable.kind);
  if (variable.kind == VariableKind::Output) {
    kind += Steps(variable.steps) + Flag("initialization", variable.is_constant, false);
  }
  lines.Open(kind);
  lines.Empty(ElementName(variable.Type()) + Start(variable) + TypeText(description, variable.attributes));
  if (variable.IsArray()) {
    lines.Open("Dimensions");
    for (const Dimension& one : variable.dimensions) {
      lines.Empty(one.variable == kNowhere ? fmt::format("Dimension constant=\"{}\"", one.size)
                                           : fmt::format("Dimension linkedVR=\"{}\"", one.linked));
    }
    lines.Close("Dimensions");
  }
  if (variable.kind == VariableKind::Output) WriteDependencies(lines, description, variable.dependencies);
  lines.Close(Name(variable.kind));
  WriteAnnotations(lines, "Annotations", variable.annotations);
  lines.Close("Variable");
}

void WriteLog(XmlLines& lines, const Log& log) {
  lines.Open("Log");
  lines.Open("Categories");
  for (const LogCategory& one : log.categories) {
    lines.Empty(fmt::format("Category id=\"{}\"", one.id) + Attribute("name", one.name));
  }
  lines.Close("Categories");
  lines.Open("Templates");
  for (const LogTemplate& one : log.templates) {
    lines.Empty(fmt::format("Template id=\"{}\" category=\"{}\" level=\"{}\"", one.id, one.category,
                            static_cast<int>(one.level)) +
                Attribute("msg", one.message));
  }
  lines.Close("Templates");
  lines.Close("Log");
}

}  // namespace

std::string SlaveDescriptionText(const SlaveDescription& description) {
  XmlLines lines;
  lines.Open(fmt::format("dcpSlaveDescription dcpMajorVersion=\"{}\" dcpMinorVersion=\"{}\"", description.major_version,
                         description.minor_version) +
             Attribute("dcpSlaveName", description.name) + Attribute("uuid", ToText(description.uuid)) +
             Optional("description", description.description) + Optional("author", description.author) +
             Optional("version", description.version) + Optional("copyright", description.copyright) +
             Optional("license", description.license) + Optional("generationTool", description.generation_tool) +
             Optional("generationDateAndTime", description.generation_time) +
             (description.is_structured ? Attribute("variableNamingConvention", "structured") : std::string()));
  WriteTimes(lines, description);
  WriteUnits(lines, description);
  WriteTypes(lines, description);
  WriteAnnotations(lines, "VendorAnnotations", description.annotations);
  WriteResolutions(lines, description);
  if (description.heartbeat) {
    lines.Open("Heartbeat");
    lines.Empty(fmt::format("MaximumPeriodicInterval numerator=\"{}\" denominator=\"{}\"",
                            description.heartbeat->numerator, description.heartbeat->denominator));
    lines.Close("Heartbeat");
  }
  WriteTransports(lines, description.transports);
  std::string flags = "CapabilityFlags";
  for (const auto& [name, flag] : kCapabilityFlags) flags += Flag(name, description.capabilities.*flag, false);
  lines.Empty(flags);
  lines.Open("Variables");
  for (const Variable& variable : description.variables) WriteVariable(lines, description, variable);
  lines.Close("Variables");
  if (description.log) WriteLog(lines, *description.log);
  lines.Close("dcpSlaveDescription");
  std::string text = lines.Take();
  Problems problems;
  ReadSlaveDescription(text, description.file.empty() ? std::string("slave description") : description.file, problems);
  ThrowIfErrors(problems);
  return text;
}

void WriteSlaveDescription(const SlaveDescription& description, const fs::path& path) {
  const std::string text = SlaveDescriptionText(description);
  if (path.extension() != ".dcp") {
    WriteXmlText(path, text);
    return;
  }
  const fs::path folder = path.string() + ".parts";
  std::error_code error;
  fs::create_directories((folder / kDescriptionEntry).parent_path(), error);
  if (error) {
    throw FileError({.file = path.string()},
                    fmt::format("expected a folder that can be written, found: {}", error.message()),
                    "check the folder and the room on the disk");
  }
  struct Removed {
    const fs::path& folder;
    ~Removed() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } const removed{folder};
  WriteXmlText(folder / kDescriptionEntry, text);
  WriteArchive(folder, path, static_cast<std::int64_t>(std::time(nullptr)));
}

}  // namespace openmi::dcp
