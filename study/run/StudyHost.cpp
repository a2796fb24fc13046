#include "study/run/StudyHost.hpp"

#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/check/ChildAnswer.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

StudyHost::StudyHost(SharedMemory page, int socket)
    : channel_(
          Side::Child, std::move(page), socket, [this](ByteView request, StateWriter& reply) { Serve(request, reply); },
          [socket] { return IsConnected(socket); }) {
  GreetAndWatch(socket, GreetingText(kStudyHost, HostBuildText()));
}

void StudyHost::Run() {
  channel_.ServeForEver();
}

MemberRunner& StudyHost::Runner() {
  if (!runner_) throw StateError({}, "expected a study before its members, found none");
  return *runner_;
}

void StudyHost::Serve(ByteView request, StateWriter& reply) {
  StateReader reader(request);
  switch (static_cast<StudyRequest>(reader.ReadInteger())) {
    case StudyRequest::Setup:
      return SetUp(reader);
    case StudyRequest::Run:
      return RunMember(reader, reply);
    case StudyRequest::Branch:
      return reply.Write(JsonText(ToJson(Runner().Branch()), -1));
    case StudyRequest::Check: {
      const MemberValues values = LoadTexts(reader);
      std::vector<MemberValues> tried;
      for (std::int64_t left = reader.ReadInteger(); left > 0; --left) tried.push_back(LoadTexts(reader));
      reply.Write(JsonText(ToJson(Runner().Check(values, tried)), -1));
      return;
    }
  }
  throw RangeError({}, "expected a request of a study, found another");
}

void StudyHost::SetUp(StateReader& reader) {
  const std::vector<std::string> texts = LoadTexts(reader);
  const std::vector<std::string> pairs = LoadTexts(reader);
  if (texts.size() != 6 || pairs.size() % 2 != 0) throw FormatError({}, "expected a study, found other texts");
  Problems problems;
  StudyFile study = ReadStudyText(texts[0], texts[1], problems);
  CompositionFile composition = ReadCompositionText(texts[2], texts[3], problems);
  ThrowIfErrors(problems);
  Problems ignored;  // the other side has found them too; what can be checked all the same is checked
  StudyPlan plan(std::move(study), std::move(composition), ignored);
  plan.SetBranchFolder(texts[5]);
  Variables variables;
  for (std::size_t i = 0; i < pairs.size(); i += 2) variables[pairs[i]] = pairs[i + 1];
  runner_ = std::make_unique<MemberRunner>(std::move(plan), std::move(variables), texts[4]);
}

void StudyHost::RunMember(StateReader& reader, StateWriter& reply) {
  const auto member = static_cast<std::uint64_t>(reader.ReadInteger());
  const MemberValues values = LoadTexts(reader);
  MemberRunner::Extras extras;
  const MemberResult result = Runner().Run(member, values, extras);
  result.Save(reply);
  for (std::size_t i = 0; i < extras.shapes.size(); ++i) {
    const bool is_new = sent_.insert(result.series[i].shape).second;
    reply.Write(is_new ? std::string_view(extras.shapes[i]) : std::string_view());
  }
  const bool has_observations = !has_sent_observations_ && result.end == MemberEnd::Done;
  SaveObservations(reply, has_observations ? extras.observations : std::vector<Observation>());
  has_sent_observations_ = has_sent_observations_ || has_observations;
}

}  // namespace openmi
