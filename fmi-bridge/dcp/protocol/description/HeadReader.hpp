#pragma once

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/omi/XmlReader.hpp"

namespace openmi::dcp {

/// Reads everything of a description except its types and variables. The description and the report are borrowed.
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

/// Reads the steps of an output or of NonRealTime: defaultSteps, fixedSteps, minSteps, maxSteps.
/// \param needs_limits  whether minSteps and maxSteps are required where the steps are not fixed
StepRange ReadSteps(described::Attributes& attributes, described::Report& report, std::string_view item,
                    bool needs_limits);

}  // namespace openmi::dcp
