#include "study/run/StudyHost.hpp"

#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/channel/WorkerProgram.hpp"
#include "composition/check/ChildAnswer.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/sdk/Error.hpp"
#include "study/run/StudyWorker.hpp"

namespace openmi {

StudyHost::StudyHost(std::unique_ptr<ITransport> transport, int socket)
    : channel_(std::move(transport), [this](ByteView request, StateWriter& reply) { Serve(request, reply); }) {
  GreetAndWatch(socket, GreetingText(kStudyHost.name, HostBuildText()));
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
  StudySetup setup;
  setup.Load(reader);
  Problems problems;
  StudyFile study = ReadStudyText(setup.study_text, setup.study_path, problems);
  CompositionFile composition = ReadCompositionText(setup.composition_text, setup.composition_path, problems);
  ThrowIfErrors(problems);
  Problems ignored;  // the other side has found them too; what can be checked all the same is checked
  StudyPlan plan(std::move(study), std::move(composition), ignored);
  plan.SetBranchFolder(setup.branch_folder);
  repeats_shapes_ = setup.repeats_shapes;
  runner_ = std::make_unique<MemberRunner>(std::move(plan), std::move(setup.variables), std::move(setup.folder));
}

void StudyHost::RunMember(StateReader& reader, StateWriter& reply) {
  StudyTask task;
  task.Load(reader);
  MemberRunner::Extras extras;
  StudyReply what{Runner().Run(task, extras)};
  for (std::size_t i = 0; i < extras.shapes.size(); ++i) {
    const bool is_new = sent_.insert(what.result.series[i].shape).second;
    what.shapes.push_back(is_new || repeats_shapes_ ? std::move(extras.shapes[i]) : std::string());
  }
  if ((!has_sent_observations_ || repeats_shapes_) && what.result.end == MemberEnd::Done) {
    what.observations = std::move(extras.observations);
    has_sent_observations_ = true;
  }
  what.Save(reply);
}

}  // namespace openmi
