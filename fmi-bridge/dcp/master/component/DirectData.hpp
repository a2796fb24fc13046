#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "timespace/Stamp.hpp"

namespace openmi {
class NumericInput;
class NumericOutput;
}  // namespace openmi

namespace openmi::dcp {

class Slave;

/// Data that one slave sends to another without the master in between, from PREPARED of both until one of them ends.
struct DirectData {
  std::uint16_t id = 0;  ///< of the data PDU; unique in this process
  Slave* from = nullptr;
  Slave* to = nullptr;
  std::vector<Index> outputs;     ///< positions in the description of `from`
  std::vector<Index> inputs;      ///< positions in the description of `to`, one per output
  std::vector<DataType> sent_as;  ///< the types of the outputs

  std::mutex guard;            ///< protects the members below
  bool is_over = false;        ///< one end is gone: the master sends the other end what it needs
  bool has_begun = false;      ///< something was sent
  std::vector<double> values;  ///< the last values sent, output after output
};

/// All slaves of this process, so that they find each other for direct data. Any thread may call.
class SlaveRegister {
 public:
  static void Join(Slave& slave);
  static void Leave(Slave& slave);
  /// All slaves except `slave`.
  static std::vector<Slave*> Others(const Slave& slave);
  /// A new id for direct data, 0x8000 or above.
  static std::uint16_t NextDataId();
};

/// The output that a link without adaptors starts at; null where the input has no link, or a link with adaptors.
const NumericOutput* DirectSourceOf(const NumericInput& input);

}  // namespace openmi::dcp
