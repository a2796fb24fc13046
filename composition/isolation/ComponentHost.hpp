#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "composition/channel/Channel.hpp"
#include "composition/isolation/RowArena.hpp"
#include "openmi/omi/ComponentLoader.hpp"

namespace openmi {

/// Holds components for another process: loads them, passes calls on, and keeps their rows where the other side reads
/// them. The whole of the program openmi-component-host.
class ComponentHost {
 public:
  /// \param page, rows  shared memory of the channel and for rows
  /// \param socket      the connected local socket; borrowed
  ComponentHost(SharedMemory page, SharedMemory rows, int socket);
  ~ComponentHost();

  /// Works until the other process ends or lets go.
  void Run();

 private:
  class Hosted;
  void Serve(std::span<const std::byte> request, StateWriter& reply);
  Hosted& Find(std::int64_t instance);

  ComponentLoader loader_;
  RowArena arena_;
  Channel channel_;
  std::map<std::int64_t, std::unique_ptr<Hosted>> hosted_;
};

}  // namespace openmi
