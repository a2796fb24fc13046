#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/master/component/SlavePorts.hpp"

namespace openmi::dcp {

class Slave;

/// Data that one slave sends to another without the master in between, from PREPARED of both until one of them ends.
struct DirectData {
  std::uint16_t id = 0;  ///< of the data PDU; see SlavePeers::NextDataId
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

/// The direct data of one slave, in both directions.
///
/// The master shows the same values, so it checks that they are those that the slaves exchanged.
class DirectLinks {
 public:
  /// \param owner  borrowed
  explicit DirectLinks(const Slave& owner) : owner_(owner) {}

  std::span<const std::shared_ptr<DirectData>> Incoming() const { return in_; }
  std::span<const std::shared_ptr<DirectData>> Outgoing() const { return out_; }
  void AddIncoming(std::shared_ptr<DirectData> data) { in_.push_back(std::move(data)); }
  void AddOutgoing(std::shared_ptr<DirectData> data) { out_.push_back(std::move(data)); }
  /// Whether another slave sends an input.
  bool Brings(Index input) const;

  /// Notes the values that the slave has sent in a step.
  void NoteSent(const SlaveValues& values) const;
  /// Checks before a step that the inputs of the composition have the values that the slave received: an override, for
  /// example, does not reach the slave.
  /// \returns whether this side has to send what a slave that is gone, or has not begun, does not send
  /// \throws ModelError  a value is another one
  bool CompareReceived(const SlavePorts& ports, bool is_nrt) const;
  /// Checks before a step to `to` that the receivers have taken what they were sent. Otherwise they would step with
  /// values of a later time.
  /// \throws ModelError  one of them is behind
  void RequireReceiversAt(Stamp to) const;
  /// Ends all direct data of the slave. The other ends learn that this one is gone.
  void Leave();

 private:
  const Slave& owner_;
  std::vector<std::shared_ptr<DirectData>> in_;
  std::vector<std::shared_ptr<DirectData>> out_;
};

/// The output that a link without adaptors starts at; null where the input has no link, or a link with adaptors.
const NumericOutput* DirectSourceOf(const NumericInput& input);

}  // namespace openmi::dcp
