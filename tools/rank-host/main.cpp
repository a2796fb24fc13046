#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "composition/hosts/Admission.hpp"
#include "composition/isolation/ComponentHost.hpp"

namespace {

using openmi::WorkerKey;

constexpr std::chrono::seconds kJoinTime{30};

const char* Option(int argc, char** argv, const char* name) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
  }
  return "";
}

/// The key of the run, which rank 0 knows: launchers give their standard input to rank 0 only.
WorkerKey ShareKey(int rank, const char* file) {
  std::string text;
  if (rank == 0) {
    const char* given = std::getenv(WorkerKey::kVariable);
    text = (*file != '\0' ? WorkerKey::Read(file) : WorkerKey::Parse(given != nullptr ? given : "")).Text();
  }
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return WorkerKey::Parse(text);
}

void HoldComponents(int argc, char** argv, openmi::Communicator communicator) {
  const WorkerKey key = ShareKey(communicator.rank, Option(argc, argv, "--key-file"));
  unsetenv(WorkerKey::kVariable);  // components need not know it
  const char* first = Option(argc, argv, "--ticket");
  std::uint64_t ticket = 0;
  std::from_chars(first, first + std::strlen(first), ticket);
  auto [connection, welcome] = openmi::JoinRun(Option(argc, argv, "--connect"),
                                               ticket + static_cast<std::uint64_t>(communicator.rank), key, kJoinTime);
  openmi::EnterRun(welcome);
  const int socket = connection.Number();
  openmi::ComponentHost host(std::make_unique<openmi::TcpTransport>(openmi::Side::Child, socket,
                                                                    [socket] { return openmi::IsConnected(socket); }),
                             openmi::SharedMemory::Create(), socket);
  host.SetCommunicator(communicator);
  host.Run();
}

}  // namespace

/// One rank: holds the components that it computes together with other ranks. Each rank is connected to the run itself.
///
/// A launcher such as mpirun starts it, with the arguments of `openmi worker`. Users do not start it.
int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  openmi::Communicator communicator;
  MPI_Comm_rank(MPI_COMM_WORLD, &communicator.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &communicator.size);
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  communicator.handle = MPI_Comm_c2f(own);
  try {
    HoldComponents(argc, argv, communicator);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openmi-rank-host: rank %d of %d: %s\n", communicator.rank, communicator.size, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
