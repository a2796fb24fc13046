#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "composition/channel/Channel.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "composition/hosts/Admission.hpp"
#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {
namespace {

ByteView BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// What a worker says over the network, read as the run reads it: until the end, or until it is refused.
void Receive(std::string_view input) {
  int sockets[2];
  Require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0);
  const auto sent = send(sockets[1], input.data(), std::min<std::size_t>(input.size(), 100'000), MSG_DONTWAIT);
  static_cast<void>(sent);
  shutdown(sockets[1], SHUT_WR);
  {
    Channel run(std::make_unique<TcpTransport>(Side::Parent, sockets[0], [] { return true; }),
                [](ByteView request, StateWriter& reply) { reply.Write(request); });
    try {
      while (true) {
        static_cast<void>(run.Call({}));
        std::byte row[24];
        run.TakeRow(row);
      }
    } catch (const PeerGone&) {
    } catch (const std::exception&) {  // a failure that it sent
    }
  }
  for (const int socket : sockets) close(socket);
}

}  // namespace

// A stranger does not know the key: nothing that it sends is an answer. What follows the proof of a run is read by a
// worker that knows the key, and still bounded.
OPENMI_FUZZ_TARGET(worker_greeting) {
  static const WorkerKey key = WorkerKey::Make();
  const Admission admission(key);
  std::array<std::byte, Admission::kAnswerSize> answer{};
  std::memcpy(answer.data(), input.data(), std::min(input.size(), answer.size()));
  Require(!admission.Check(answer));
  try {
    static_cast<void>(WorkerWelcome::FromBytes(BytesOf(input)));
  } catch (const FormatError&) {
  }
}

// Frames, and the data in messages, which the run reads from any worker.
OPENMI_FUZZ_TARGET(worker_message) {
  Receive(input);
  if (input.empty()) return;
  StateReader reader(BytesOf(input.substr(1)));
  try {
    switch (static_cast<unsigned char>(input.front()) % 7) {
      case 0:
        static_cast<void>(ReadItem(reader));
        break;
      case 1:
        static_cast<void>(ReadValues(reader));
        break;
      case 2:
        static_cast<void>(ReadSpatial(reader));
        break;
      case 5:
        for (KnownPlaces known(false); !reader.AtEnd();) static_cast<void>(ReadSpatial(reader, &known));
        break;
      case 3:
        static_cast<void>(ReadTimeSet(reader));
        break;
      case 4:
        static_cast<void>(ReadDefinition(reader));
        break;
      default:
        static_cast<void>(ReadProblems(reader));
    }
  } catch (const Error&) {
  }
}

}  // namespace openmi::fuzz
