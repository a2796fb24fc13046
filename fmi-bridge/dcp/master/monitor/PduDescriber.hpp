#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"
#include "fmi-bridge/dcp/protocol/pdu/TypedValue.hpp"

namespace openmi::dcp {

/// Describes the PDUs between a master and a slave, one line for each.
///
/// It learns from the configuration what data PDUs carry. With a description it shows their values with the names of
/// the variables.
class PduDescriber {
 public:
  /// \param description  of the slave; borrowed; null: data are shown by value reference, outputs without values
  explicit PduDescriber(const SlaveDescription* description = nullptr) : description_(description) {}

  /// The line for a PDU. Call it for every PDU in order.
  std::string Describe(ByteView pdu);

 private:
  struct Place {
    std::uint64_t value_reference = 0;
    std::optional<DataType> type;  ///< on the wire, where it is known
  };
  using Layout = std::map<std::uint16_t, Place>;

  void Learn(const Pdu& pdu);
  std::string Values(const Dat& data) const;
  std::string NameOfVariable(std::uint64_t value_reference) const;
  const Variable* Find(std::uint64_t value_reference) const;

  const SlaveDescription* description_;
  std::map<std::uint16_t, Layout> data_;
  std::map<std::uint16_t, Layout> parameters_;
};

}  // namespace openmi::dcp
