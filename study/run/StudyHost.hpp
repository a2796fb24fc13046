#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "composition/channel/Channel.hpp"
#include "study/run/MemberRunner.hpp"

namespace openmi {

/// Requests to the process that runs members. Each message starts with the request.
enum class StudyRequest : std::int64_t {
  Setup,  ///< take the study, its composition and the variables
  Check,  ///< check the composition of a member, and try values
  Run,    ///< run a member
  Branch  ///< make the states from which members begin
};

/// Runs members of a study for another process. It is the whole of the program openmi-study-host, the worker.
class StudyHost {
 public:
  /// \param socket  connected to the other process; borrowed
  StudyHost(std::unique_ptr<ITransport> transport, int socket);

  /// Serves requests until the other process ends or closes the connection.
  void Run();

 private:
  void Serve(ByteView request, StateWriter& reply);
  void SetUp(StateReader& reader);
  void RunMember(StateReader& reader, StateWriter& reply);
  MemberRunner& Runner();

  Channel channel_;
  std::unique_ptr<MemberRunner> runner_;
  std::set<std::uint64_t> sent_;  // shapes that the other side has
  bool has_sent_observations_ = false;
  bool repeats_shapes_ = false;
};

}  // namespace openmi
