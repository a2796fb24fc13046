#pragma once

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "fmi-bridge/description/DescriptionText.hpp"
#include "openmi/omi/XmlReader.hpp"

namespace openmi::dcp {

/// Reads everything of a description but its types, variables and log.
/// \param report  borrowed
class HeadReader {
 public:
  HeadReader(SlaveDescription& description, described::Report& report) : description_(description), report_(report) {}

  void ReadRoot(const XmlElement& root);
  void ReadModes(const XmlElement& modes);
  void ReadUnits(const XmlElement& units);
  void ReadResolutions(const XmlElement& resolutions);
  void ReadHeartbeat(const XmlElement& heartbeat);
  void ReadTransports(const XmlElement& transports);
  void ReadCapabilities(const XmlElement& flags);
  void ReadLog(const XmlElement& log);

 private:
  void ReadUnit(const XmlElement& element);
  void ReadIpv4(const XmlElement& element, std::uint32_t largest, std::optional<Ipv4>& into);
  std::optional<DataPorts> ReadPorts(const XmlElement& element);
  void ReadUsb(const XmlElement& element);
  void ReadBluetooth(const XmlElement& element);
  void ReadTemplate(const XmlElement& element, Log& log);

  SlaveDescription& description_;
  described::Report& report_;
};

/// Reads steps of an output or of NonRealTime: defaultSteps, fixedSteps, minSteps, maxSteps.
/// \param least  the smallest number that minSteps may have
StepRange ReadSteps(described::Attributes& attributes, described::Report& report, std::string_view item,
                    bool needs_limits);

}  // namespace openmi::dcp
