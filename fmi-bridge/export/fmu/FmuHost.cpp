#include "fmi-bridge/export/fmu/FmuHost.hpp"

#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"

namespace openmi::fmu {

FmuHost::FmuHost(std::filesystem::path resources, SharedMemory page, SharedMemory values, int socket)
    : resources_(std::move(resources)),
      values_memory_(std::move(values)),
      channel_(
          Side::Child, std::move(page), socket, [this](ByteView request, StateWriter& reply) { Serve(request, reply); },
          [socket] { return IsConnected(socket); }) {
  GreetAndWatch(socket, FmuGreeting());
}

FmuHost::~FmuHost() = default;

void FmuHost::Run() {
  channel_.ServeForEver();
  model_.reset();
}

void FmuHost::SendNews() {
  if (!model_) return;
  const Problems news = model_->TakeNews();
  if (news.empty()) return;
  StateWriter letter;
  letter.Write(static_cast<std::int64_t>(ImporterRequest::Log));
  for (const Problem& problem : news) {
    const Outcome outcome = problem.severity == Problem::Error     ? Outcome::Error
                            : problem.severity == Problem::Warning ? Outcome::Warning
                                                                   : Outcome::Ok;
    letter.Write(static_cast<std::int64_t>(outcome));
    letter.Write(std::string_view(FormatProblem(problem)));
  }
  channel_.Call(letter.Bytes());
}

void FmuHost::Describe(StateWriter& reply) {
  constexpr std::size_t kSystemPage = 4096;
  model_ = std::make_unique<exported::ExportedModel>(resources_);
  const exported::ExportInterface& interface = model_->Interface();
  const std::size_t bytes = interface.slots * sizeof(double);
  const std::size_t size = (bytes + kSystemPage - 1) / kSystemPage * kSystemPage;
  values_memory_.Grow(size);
  model_->UseValues(size > 0 ? reinterpret_cast<double*>(values_memory_.Map(0, size)) : nullptr);
  model_->PutStartValues();
  reply.Write(std::string_view(interface.token));
  reply.Write((interface.keeps_state ? kKeepsState : 0) | (interface.HasForm() ? kBeginsOnce : 0));
  reply.Write(interface.time_limit_seconds);
  reply.Write(static_cast<std::int64_t>(interface.slots));
  reply.Write(static_cast<std::int64_t>(interface.texts));
  WriteStartTexts(reply);
  reply.Write(static_cast<std::int64_t>(interface.variables.size()));
  for (const exported::ExportedVariable& variable : interface.variables) {
    for (const std::uint32_t number :
         {variable.reference, variable.first, variable.count, static_cast<std::uint32_t>(variable.type),
          static_cast<std::uint32_t>(variable.role)}) {
      reply.Write(static_cast<std::int64_t>(number));
    }
  }
}

void FmuHost::WriteStartTexts(StateWriter& reply) {
  for (const std::string& text : model_->StartTexts()) reply.Write(std::string_view(text));
}

void FmuHost::WriteChangedTexts(StateWriter& reply) {
  for (const auto& [number, text] : model_->TakeChangedTexts()) {
    reply.Write(static_cast<std::int64_t>(number));
    reply.Write(std::string_view(text));
  }
}

void FmuHost::Answer(FmuRequest request, StateReader& reader, StateWriter& reply) {
  if (request == FmuRequest::Describe) return Describe(reply);
  if (!model_) throw StateError({}, "expected to be asked for a description first, found another request");
  switch (request) {
    case FmuRequest::Evaluate: {
      const double start = reader.ReadDouble();
      const bool has_stop = reader.ReadBool();
      const double stop = reader.ReadDouble();
      std::vector<std::string> texts(model_->Interface().texts);
      for (std::string& text : texts) text = reader.ReadText();
      model_->Evaluate(start, has_stop ? std::optional(stop) : std::nullopt, std::move(texts));
      return WriteChangedTexts(reply);
    }
    case FmuRequest::Step: {
      const double time = reader.ReadDouble();
      model_->Step(time, reader.ReadDouble());
      return WriteChangedTexts(reply);
    }
    case FmuRequest::Terminate:
      return model_->Terminate();
    case FmuRequest::Reset:
      model_->Reset();
      return WriteStartTexts(reply);
    case FmuRequest::SaveState:
      return reply.Write(model_->SaveState(reader.ReadText()));
    case FmuRequest::RestoreState:
      return reply.Write(std::string_view(model_->RestoreState(reader.ReadInteger())));
    case FmuRequest::FreeState:
      return model_->FreeState(reader.ReadInteger());
    case FmuRequest::StateToBytes:
      return reply.Write(std::string_view(model_->StateToBytes(reader.ReadInteger())));
    case FmuRequest::BytesToState:
      return reply.Write(model_->BytesToState(reader.ReadText()));
    case FmuRequest::Describe:
      break;
  }
  throw RangeError({}, "expected a request that the runtime of an FMU knows, found another");
}

void FmuHost::Serve(ByteView request, StateWriter& reply) {
  StateReader reader(request);
  const auto kind = static_cast<FmuRequest>(reader.ReadInteger());
  try {
    Answer(kind, reader, reply);
  } catch (...) {
    SendNews();
    throw;
  }
  SendNews();
}

}  // namespace openmi::fmu
