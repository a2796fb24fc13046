#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "composition/channel/Channel.hpp"
#include "composition/isolation/RowArena.hpp"
#include "composition/isolation/RowPeers.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "timespace/optional/IUsesCommunicator.hpp"

namespace openmi {

/// Holds components for another process: loads them, passes calls on, and keeps their rows where the other process
/// reads them. It is the whole of the program openmi-component-host, the worker.
class ComponentHost {
 public:
  /// \param transport  to the other process
  /// \param rows       memory for rows: that of the other process too, or its own if the transport carries rows
  /// \param socket     the connection to the other process, whose end ends this one; borrowed
  /// \param key        of connections between workers; empty: the run tells it
  ComponentHost(std::unique_ptr<ITransport> transport, SharedMemory rows, int socket, std::string key = {});
  ~ComponentHost();

  /// Makes this process one of the ranks of its components, which then have to use a communicator.
  void SetCommunicator(const Communicator& communicator) { communicator_ = communicator; }
  /// Serves requests until the other process ends or closes the connection.
  void Run();

 private:
  class Hosted;
  void Serve(ByteView request, StateWriter& reply);
  Hosted& Find(std::int64_t instance);

  /// \throws LoadError, Error  the component cannot compute on several ranks
  void GiveCommunicator(IBaseLinkableComponent& component, const OmiFile& omi) const;

  std::optional<Communicator> communicator_;
  ComponentLoader loader_;
  RowArena arena_;
  Channel channel_;
  RowPeers peers_;
  std::map<std::int64_t, std::unique_ptr<Hosted>> hosted_;
};

}  // namespace openmi
