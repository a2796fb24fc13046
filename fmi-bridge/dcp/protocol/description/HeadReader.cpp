#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fmi-bridge/dcp/protocol/description/DescriptionParts.hpp"
#include "fmi-bridge/dcp/protocol/description/Element.hpp"
#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::dcp {

namespace {

template <class Number>
std::optional<Number> Small(described::Attributes& attributes, std::string_view name) {
  const auto number = attributes.Unsigned(name, std::numeric_limits<Number>::max());
  if (!number) return std::nullopt;
  return static_cast<Number>(*number);
}

/// A required number; reported where it is missing.
template <class Number>
std::optional<Number> Needed(described::Attributes& attributes, std::string_view name) {
  if (attributes.Required(name).empty()) return std::nullopt;
  return Small<Number>(attributes, name);
}

double Finite(described::Attributes& attributes, std::string_view name, double otherwise) {
  const double number = attributes.Double(name, otherwise);
  if (std::isfinite(number)) return number;
  attributes.Wrong(name, "a finite number", fmt::format("{}", number));
  return otherwise;
}

double Factor(described::Attributes& attributes) {
  const double factor = Finite(attributes, "factor", 1.0);
  if (factor != 0.0) return factor;
  attributes.Wrong("factor", "a number other than 0", "0");
  return 1.0;
}

}  // namespace

StepRange ReadSteps(described::Attributes& attributes, described::Report& report, std::string_view item,
                    bool needs_limits) {
  StepRange steps;
  steps.standard = attributes.Unsigned32("defaultSteps").value_or(1);
  steps.is_fixed = attributes.Boolean("fixedSteps", true);
  steps.fewest = attributes.Unsigned32("minSteps");
  steps.most = attributes.Unsigned32("maxSteps");
  const auto zero = [&](std::string_view name) { attributes.Wrong(name, "at least 1 step", "0"); };
  if (steps.standard == 0) zero("defaultSteps");
  if (steps.fewest == 0U) zero("minSteps");
  if (steps.most == 0U) zero("maxSteps");
  if (steps.is_fixed && (steps.fewest || steps.most)) {
    report.Error(attributes.Line(), item, "expected no minSteps and maxSteps where the steps are fixed, found them",
                 "write fixedSteps=\"false\", or remove them");
  } else if (!steps.is_fixed && needs_limits && (!steps.fewest || !steps.most)) {
    report.Error(attributes.Line(), item, "expected minSteps and maxSteps where fixedSteps is false, found one or none",
                 "write both, or fixedSteps=\"true\"");
  }
  if (steps.fewest && steps.most && (needs_limits ? *steps.fewest >= *steps.most : *steps.fewest > *steps.most)) {
    attributes.Wrong("maxSteps", fmt::format("a number above minSteps {}", *steps.fewest), std::to_string(*steps.most));
  } else if (!steps.is_fixed && !steps.Allows(steps.standard)) {
    report.Error(attributes.Line(), item,
                 fmt::format("expected defaultSteps from minSteps to maxSteps, found {}", steps.standard),
                 "correct one of the three");
  }
  return steps;
}

namespace {

void ReadRoot(const XmlElement& root, SlaveDescription& description, described::Report& report) {
  Element attributes(root, report);
  const std::optional<std::uint8_t> major = Needed<std::uint8_t>(*attributes, "dcpMajorVersion");
  if (major && *major != 1) {
    throw FormatError({.file = report.File(), .line = root.line},
                      fmt::format("expected dcpMajorVersion 1, found {}", *major), "describe the slave for DCP 1.0");
  }
  description.minor_version = Needed<std::uint8_t>(*attributes, "dcpMinorVersion").value_or(0);
  if (description.minor_version != 0) {
    report.Warning(root.line, {},
                   fmt::format("expected dcpMinorVersion 0, found {}; read as 1.0 is", description.minor_version),
                   "ask the slave's maker whether it answers to version 1.0");
  }
  description.name = attributes->Required("dcpSlaveName");
  if (const std::string uuid = attributes->Required("uuid"); !uuid.empty()) {
    try {
      description.uuid = UuidFromText(uuid);
    } catch (const FormatError&) {
      attributes->Wrong("uuid", "32 hexadecimal digits in groups 8-4-4-4-12", uuid);
    }
  }
  description.description = attributes->Text("description");
  description.author = attributes->Text("author");
  description.version = attributes->Text("version");
  description.copyright = attributes->Text("copyright");
  description.license = attributes->Text("license");
  description.generation_tool = attributes->Text("generationTool");
  description.generation_time = attributes->Text("generationDateAndTime");
  static constexpr EnumNames<bool> kConventions{"flat", "structured"};
  description.is_structured = attributes->OneOf("variableNamingConvention", kConventions).value_or(false);
}

void ReadModes(const XmlElement& modes, SlaveDescription& description, described::Report& report) {
  static constexpr std::array<std::string_view, 3> kModes = {"HardRealTime", "SoftRealTime", "NonRealTime"};
  CheckChildren(modes, kModes, {}, report);
  { const Element none(modes, report); }
  for (const XmlElement& mode : modes.children) {
    Element attributes(mode, report);
    if (mode.name == "HardRealTime") description.hard_real_time = true;
    if (mode.name == "SoftRealTime") description.soft_real_time = true;
    if (mode.name == "NonRealTime") description.non_real_time = ReadSteps(*attributes, report, "NonRealTime", false);
  }
  if (!description.hard_real_time && !description.soft_real_time && !description.non_real_time) {
    report.Error(modes.line, {}, "expected at least one operating mode in OpMode, found none",
                 "write HardRealTime, SoftRealTime or NonRealTime into it");
  }
}

void ReadUnit(const XmlElement& element, SlaveDescription& description, described::Report& report) {
  static constexpr std::array<std::string_view, 1> kBase = {"BaseUnit"};
  CheckChildren(element, kBase, "DisplayUnit", report);
  UnitDefinition unit;
  unit.line = element.line;
  {
    Element attributes(element, report);
    unit.name = attributes->Required("name");
  }
  for (const UnitDefinition& other : description.units) {
    if (other.name != unit.name || unit.name.empty()) continue;
    report.Twice(element.line, "unit", unit.name, other.line);
    break;
  }
  for (const XmlElement& child : element.children) {
    Element attributes(child, report, unit.name);
    if (child.name == "BaseUnit") {
      described::ReadExponents(*attributes, unit);
      unit.factor = Factor(*attributes);
      unit.offset = Finite(*attributes, "offset", 0.0);
    } else if (child.name == "DisplayUnit") {
      DisplayUnit display;
      display.name = attributes->Required("name");
      display.factor = Factor(*attributes);
      display.offset = Finite(*attributes, "offset", 0.0);
      described::AddDisplayUnit(std::move(display), child.line, unit, report);
    } else {
      attributes->IgnoreRest();
    }
  }
  description.units.push_back(std::move(unit));
}

void ReadUnits(const XmlElement& units, SlaveDescription& description, described::Report& report) {
  CheckChildren(units, {}, "Unit", report);
  if (units.children.empty()) {
    report.Error(units.line, {}, "expected a Unit in UnitDefinitions, found none", "remove the empty element");
  }
  for (const XmlElement* unit : units.Children("Unit")) ReadUnit(*unit, description, report);
}

void ReadResolutions(const XmlElement& resolutions, SlaveDescription& description, described::Report& report) {
  const XmlElement* fixed = nullptr;
  { const Element none(resolutions, report); }
  for (const XmlElement& child : resolutions.children) {
    Element attributes(child, report, "TimeRes");
    if (child.name == "Resolution") {
      Resolution one;
      one.line = child.line;
      one.numerator = attributes->Unsigned32("numerator").value_or(1);
      one.denominator = attributes->Unsigned32("denominator").value_or(1000);
      one.is_fixed = attributes->Boolean("fixed", true);
      if (attributes->Find("recommended")) one.is_recommended = attributes->Boolean("recommended", false);
      if (one.numerator == 0) attributes->Wrong("numerator", "a number above 0", "0");
      if (one.denominator == 0) {
        attributes->Wrong("denominator", "a number above 0", "0");
        one.denominator = 1;
      }
      if (one.is_fixed && fixed == nullptr) fixed = &child;
      description.resolutions.push_back(one);
    } else if (child.name == "ResolutionRange") {
      ResolutionRange range;
      range.line = child.line;
      range.numerator_from = Needed<std::uint32_t>(*attributes, "numeratorFrom").value_or(1);
      range.numerator_to = Needed<std::uint32_t>(*attributes, "numeratorTo").value_or(range.numerator_from);
      range.denominator = Needed<std::uint32_t>(*attributes, "denominator").value_or(1000);
      if (range.numerator_from == 0) attributes->Wrong("numeratorFrom", "a number above 0", "0");
      if (range.denominator == 0) {
        attributes->Wrong("denominator", "a number above 0", "0");
        range.denominator = 1;
      }
      if (range.numerator_to < range.numerator_from) {
        attributes->Wrong("numeratorTo", fmt::format("a number not below numeratorFrom {}", range.numerator_from),
                          std::to_string(range.numerator_to));
      }
      description.resolution_ranges.push_back(range);
    } else {
      attributes->IgnoreRest();
      const std::array<std::string, 2> known = {"Resolution", "ResolutionRange"};
      report.Error(child.line, {},
                   fmt::format("expected an element that is allowed in TimeRes, found {}", Quoted(child.name)),
                   Suggest(child.name, known));
    }
  }
  if (fixed != nullptr && resolutions.children.size() > 1) {
    report.Error(fixed->line, "TimeRes",
                 fmt::format("expected a fixed Resolution alone in TimeRes, found {} elements; fixed is true where it "
                             "is not written",
                             resolutions.children.size()),
                 "write fixed=\"false\" at each Resolution, or keep one");
  }
}

void ReadHeartbeat(const XmlElement& heartbeat, SlaveDescription& description, described::Report& report) {
  static constexpr std::array<std::string_view, 1> kChild = {"MaximumPeriodicInterval"};
  CheckChildren(heartbeat, kChild, {}, report);
  const XmlElement* interval = heartbeat.Child("MaximumPeriodicInterval");
  description.heartbeat.emplace();
  if (interval == nullptr) {
    report.Error(heartbeat.line, {}, "expected MaximumPeriodicInterval in Heartbeat, found none",
                 "write <MaximumPeriodicInterval numerator=\"1\" denominator=\"1\"/>");
    return;
  }
  Element attributes(*interval, report);
  Heartbeat& beat = *description.heartbeat;
  beat.numerator = attributes->Unsigned32("numerator").value_or(1);
  beat.denominator = attributes->Unsigned32("denominator").value_or(1);
  if (beat.numerator == 0) attributes->Wrong("numerator", "a number above 0", "0");
  if (beat.denominator == 0) {
    attributes->Wrong("denominator", "a number above 0", "0");
    beat.denominator = 1;
  }
}

std::optional<DataPorts> ReadPorts(const XmlElement& element, described::Report& report) {
  DataPorts ports;
  {
    Element attributes(element, report);
    ports.host = attributes->Text("host");
  }
  for (const XmlElement& child : element.children) {
    Element attributes(child, report, element.name);
    if (child.name == "AvailablePort") {
      if (const auto port = Needed<std::uint16_t>(*attributes, "port")) ports.ranges.push_back({*port, *port});
    } else if (child.name == "AvailablePortRange") {
      const auto from = Needed<std::uint16_t>(*attributes, "from"), to = Needed<std::uint16_t>(*attributes, "to");
      if (!from || !to) continue;
      if (*to < *from) {
        attributes->Wrong("to", fmt::format("a port not below from {}", *from), std::to_string(*to));
        continue;
      }
      ports.ranges.push_back({*from, *to});
    } else {
      attributes->IgnoreRest();
      const std::array<std::string, 2> known = {"AvailablePort", "AvailablePortRange"};
      report.Error(child.line, {},
                   fmt::format("expected an element that is allowed in {}, found {}", element.name, Quoted(child.name)),
                   Suggest(child.name, known));
    }
  }
  return ports;
}

void ReadIpv4(const XmlElement& element, std::uint32_t largest, std::optional<Ipv4>& into, described::Report& report) {
  static constexpr std::array<std::string_view, 3> kChildren = {"Control", "DAT_input_output", "DAT_parameter"};
  CheckChildren(element, kChildren, {}, report);
  Ipv4& ip = into.emplace();
  ip.line = element.line;
  {
    Element attributes(element, report);
    ip.max_pdu_size = attributes->Unsigned32("maxPduSize").value_or(largest);
    constexpr std::uint32_t kLeast = 24;  // size of STC_register
    if (ip.max_pdu_size > largest || ip.max_pdu_size < kLeast) {
      attributes->Wrong("maxPduSize", fmt::format("a size from {} to {} bytes", kLeast, largest),
                        std::to_string(ip.max_pdu_size));
      ip.max_pdu_size = largest;
    }
  }
  for (const XmlElement& child : element.children) {
    if (child.name == "Control") {
      Element attributes(child, report, element.name);
      ip.has_control = true;
      if (const auto host = attributes->Find("host")) ip.control_host = std::string(described::Collapsed(*host));
      ip.control_port = Small<std::uint16_t>(*attributes, "port");
    } else if (child.name == "DAT_input_output") {
      ip.data = ReadPorts(child, report);
    } else if (child.name == "DAT_parameter") {
      ip.parameters = ReadPorts(child, report);
    }
  }
}

void ReadUsb(const XmlElement& element, SlaveDescription& description, described::Report& report) {
  CheckChildren(element, {}, "DataPipe", report);
  Usb2& usb = description.transports.usb2.emplace();
  {
    Element attributes(element, report);
    usb.max_pdu_size = attributes->Unsigned32("maxPduSize").value_or(1024);
    usb.max_power = Small<std::uint8_t>(*attributes, "maxPower");
  }
  for (const XmlElement* child : element.Children("DataPipe")) {
    Element attributes(*child, report, element.name);
    static constexpr EnumNames<bool> kDirections{{"In", true}, {"Out", false}};
    UsbPipe& pipe = usb.pipes.emplace_back();
    pipe.is_in = attributes->OneOf("direction", kDirections);
    pipe.endpoint = Needed<std::uint8_t>(*attributes, "endpointAddress").value_or(0);
    pipe.interval = Needed<std::uint8_t>(*attributes, "intervall").value_or(0);  // the standard spells it so
  }
}

void ReadBluetooth(const XmlElement& element, SlaveDescription& description, described::Report& report) {
  CheckChildren(element, {}, "Address", report);
  Bluetooth& bluetooth = description.transports.bluetooth.emplace();
  {
    Element attributes(element, report);
    bluetooth.max_pdu_size = attributes->Unsigned32("maxPduSize").value_or(1011);
  }
  for (const XmlElement* child : element.Children("Address")) {
    Element attributes(*child, report, element.name);
    BluetoothAddress& address = bluetooth.addresses.emplace_back();
    address.address = attributes->Required("bd_addr");
    address.port = Needed<std::uint8_t>(*attributes, "port").value_or(1);
    address.alias = attributes->Text("alias");
    if (address.port < 1 || address.port > 30) {
      attributes->Wrong("port", "a channel from 1 to 30", std::to_string(address.port));
    }
  }
}

void ReadTransports(const XmlElement& transports, SlaveDescription& description, described::Report& report) {
  static constexpr std::array<std::string_view, 5> kNames = {"UDP_IPv4", "CAN", "USB2", "Bluetooth", "TCP_IPv4"};
  CheckChildren(transports, kNames, {}, report);
  Transports& into = description.transports;
  for (const XmlElement& child : transports.children) {
    if (child.name == "UDP_IPv4") ReadIpv4(child, kMaxUdpPdu, into.udp, report);
    if (child.name == "TCP_IPv4") ReadIpv4(child, kMaxTcpPdu, into.tcp, report);
    if (child.name == "USB2") ReadUsb(child, description, report);
    if (child.name == "Bluetooth") ReadBluetooth(child, description, report);
    if (child.name == "CAN") into.can = true;
  }
  if (!into.udp && !into.tcp && !into.usb2 && !into.bluetooth && !into.can) {
    report.Error(transports.line, {}, "expected at least one transport in TransportProtocols, found none",
                 "write <UDP_IPv4/> or <TCP_IPv4/> into it");
  }
}

void ReadCapabilities(const XmlElement& flags, SlaveDescription& description, described::Report& report) {
  Element attributes(flags, report);
  for (const auto& [name, flag] : kCapabilityFlags) description.capabilities.*flag = attributes->Boolean(name, false);
}

void ReadTemplate(const XmlElement& element, Log& log, described::Report& report) {
  Element attributes(element, report, "Log");
  LogTemplate one;
  one.line = element.line;
  const auto id = Needed<std::uint8_t>(*attributes, "id");
  one.id = id.value_or(0);
  const auto category = Needed<std::uint8_t>(*attributes, "category");
  one.category = category.value_or(1);
  if (const auto level = Needed<std::uint8_t>(*attributes, "level")) {
    if (*level > 4) {
      attributes->Wrong("level", "0 (fatal), 1 (error), 2 (warning), 3 (information) or 4 (debug)",
                        std::to_string(*level));
    } else {
      one.level = static_cast<LogLevel>(*level);
    }
  }
  one.message = attributes->Required("msg");
  if (category && std::ranges::none_of(log.categories, [&](const LogCategory& c) { return c.id == one.category; })) {
    report.Error(element.line, "Log",
                 fmt::format("expected the category of a template among the Categories, found {}", one.category),
                 "define the category, or name another");
  }
  for (const LogTemplate& other : log.templates) {
    if (!id || other.id != one.id) continue;
    report.Error(
        element.line, "Log",
        fmt::format("expected every template once, found id {} again; the first is on line {}", one.id, other.line),
        "give each its own number");
    break;
  }
  for (std::size_t at = one.message.find('%'); at != std::string::npos; at = one.message.find('%', at)) {
    const std::string_view rest = std::string_view(one.message).substr(at + 1);
    if (rest.starts_with('%')) {
      at += 2;
      continue;
    }
    if (!PlaceholderAt(rest)) {
      report.Error(
          element.line, "Log",
          fmt::format("expected a data type or a second % after % in msg, found {}", Quoted(rest.substr(0, 12))),
          "write %Float64 and the like where an argument stands, %% for a percent sign");
      break;
    }
    ++at;
  }
  if (log.templates.size() < 256) log.templates.push_back(std::move(one));
}

void ReadLog(const XmlElement& log, SlaveDescription& description, described::Report& report) {
  static constexpr std::array<std::string_view, 2> kChildren = {"Categories", "Templates"};
  CheckChildren(log, kChildren, {}, report);
  Log& into = description.log.emplace();
  if (const XmlElement* categories = log.Child("Categories")) {
    CheckChildren(*categories, {}, "Category", report);
    for (const XmlElement* child : categories->Children("Category")) {
      Element attributes(*child, report, "Log");
      LogCategory one;
      const auto id = Needed<std::uint8_t>(*attributes, "id");
      one.id = id.value_or(1);
      one.name = attributes->Required("name");
      if (id == std::uint8_t{0}) attributes->Wrong("id", "a number from 1 to 255 (0 means all categories)", "0");
      for (const LogCategory& other : into.categories) {
        if (id && other.id == one.id) {
          report.Error(child->line, "Log", fmt::format("expected every category once, found id {} again", one.id),
                       "give each its own number");
        }
        if (other.name == one.name && !one.name.empty()) {
          report.Error(child->line, "Log",
                       fmt::format("expected every category once, found the name {} again", Quoted(one.name)),
                       "rename one of the two");
        }
      }
      if (into.categories.size() < 256) into.categories.push_back(std::move(one));
    }
  }
  if (const XmlElement* templates = log.Child("Templates")) {
    CheckChildren(*templates, {}, "Template", report);
    for (const XmlElement* child : templates->Children("Template")) ReadTemplate(*child, into, report);
  }
}

}  // namespace

void ReadHead(const XmlElement& root, SlaveDescription& description, described::Report& report) {
  static constexpr std::array<std::string_view, 10> kChildren = {
      "OpMode",    "UnitDefinitions",    "TypeDefinitions", "VendorAnnotations", "TimeRes",
      "Heartbeat", "TransportProtocols", "CapabilityFlags", "Variables",         "Log"};
  static constexpr std::array<std::string_view, 5> kRequired = {"OpMode", "TimeRes", "TransportProtocols",
                                                                "CapabilityFlags", "Variables"};
  ReadRoot(root, description, report);
  CheckChildren(root, kChildren, {}, report);
  for (const std::string_view name : kRequired) {
    if (root.Child(name) != nullptr) continue;
    report.Error(root.line, {}, fmt::format("expected the element {} in {}, found none", name, root.name),
                 name == "TimeRes" ? "write <TimeRes/>, which allows every resolution" : "write it, in its place");
  }
  const auto read = [&](std::string_view name, auto&& reader) {
    if (const XmlElement* element = root.Child(name)) reader(*element, description, report);
  };
  read("OpMode", ReadModes);
  read("UnitDefinitions", ReadUnits);
  read("TimeRes", ReadResolutions);
  read("Heartbeat", ReadHeartbeat);
  read("TransportProtocols", ReadTransports);
  read("CapabilityFlags", ReadCapabilities);
  read("Log", ReadLog);
}

}  // namespace openmi::dcp
