#include "composition/channel/ITransport.hpp"

#include <poll.h>

#include <vector>

namespace openmi {

void WaitForLetters(std::span<ITransport* const> transports, std::chrono::milliseconds longest) {
  constexpr std::chrono::microseconds kMoment{200};
  thread_local std::vector<Doorbell::Awaited> bells;  // used again, so that nothing is allocated
  thread_local std::vector<pollfd> sockets;
  bells.clear();
  sockets.clear();
  for (const ITransport* transport : transports) {
    if (transport->Descriptor() >= 0) {
      sockets.push_back({transport->Descriptor(), POLLIN, 0});
    } else {
      bells.push_back(transport->NextLetter());
    }
  }
  if (!bells.empty()) Doorbell::WaitForAny(bells, sockets.empty() ? longest : kMoment);
  if (!sockets.empty()) poll(sockets.data(), sockets.size(), bells.empty() ? static_cast<int>(longest.count()) : 0);
}

}  // namespace openmi
