#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "timespace/Stamp.hpp"

namespace openmi {
class NumericInput;
class NumericOutput;
}  // namespace openmi

namespace openmi::dcp {

class Slave;

/// Data that one slave sends to another without the master in between, from PREPARED of both until one of them ends.
struct DirectData {
  std::uint16_t id = 0;  ///< of the data PDU; no two of this process have the same
  Slave* from = nullptr;
  Slave* to = nullptr;
  std::vector<Index> outputs;     ///< positions in the description of `from`
  std::vector<Index> inputs;      ///< in that of `to`; as many
  std::vector<DataType> sent_as;  ///< the types of the outputs

  std::mutex guard;            ///< of what follows
  bool is_over = false;        ///< one end is gone: what the other needs comes from the master
  bool has_begun = false;      ///< something was sent
  std::vector<double> values;  ///< what was sent last, one output after the other
};

/// The slaves of this process, which look here for whom they exchange data with.
class SlaveRegister {
 public:
  static void Join(Slave& slave);
  static void Leave(Slave& slave);
  /// All but `slave`.
  static std::vector<Slave*> Others(const Slave& slave);
  static std::uint16_t NextDataId();
};

/// The output that a link without adaptors begins at; null: there are some, or no link.
const NumericOutput* DirectSourceOf(const NumericInput& input);

}  // namespace openmi::dcp
