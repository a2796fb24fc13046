#include "fmi-bridge/broker/component/Stream.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "fmi-bridge/broker/fmu/FmuParameters.hpp"
#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"

namespace openmi::broker {
namespace {

/// Throws an error of the source or of the log as one of the component.
template <class E>
[[noreturn]] void ThrowOf(const std::string& component, const E& error) {
  Where where = error.Place();
  where.component = component;
  throw E(where, error.Problem(), error.Remedy());
}

}  // namespace

Stream::Stream() : StatefulSteppingComponent("broker-stream", "PT1S"), arguments_(ArgumentItems()) {
  SetDescription("messages of a broker or of a recording, step by step");
  SetRestartable(true);
}

void Stream::Setup() {
  arguments_.SetOwner(Caption());
  fields_ = Fields();
  ports_.clear();
  health_.clear();
  published_.Clear();
  const auto refuse_unit = [this](const char* argument, const Field& field, const UnitError& error) {
    throw ArgumentError({.component = Caption(), .item = argument},
                        fmt::format("'{}': {}", field.name, error.Problem()), error.Remedy());
  };
  for (const Field& field : fields_) {
    Port& port = ports_.emplace_back();
    if (field.type == FieldType::String) {
      port.text = &AddItem<ValueOutput>(field.name, items::PlainDefinitionOf(field.name, ValueKind::String));
    } else {
      try {
        port.number = &AddOutput(field.name, field.unit, {.initial = kNotANumber}).Item();
      } catch (const UnitError& error) {
        refuse_unit("fields", field, error);
      }
    }
  }
  if (arguments_.HasHealth()) {
    for (const HealthItem& item : kHealthItems) {
      health_.push_back(
          &AddOutput(std::string(item.id), item.unit, {.description = item.description, .initial = kNotANumber})
               .Item());
    }
  }
  for (const Field& field : Published()) {
    try {
      published_.Add(field, AddInput(field.name, field.unit, {.default_value = kNotANumber}));
    } catch (const UnitError& error) {
      refuse_unit("publish", field, error);
    }
  }
  if (fields_.empty() && published_.IsEmpty()) {
    throw ArgumentError({.component = Caption(), .item = "fields"}, "expected fields to take or to publish, found none",
                        "name the members of the messages, as `level[m], pose.x=x[m]`");
  }
  arguments_.Parser(fields_);  // reports impossible fields before the run
  MakeEnds();
}

bool Stream::OnValidate(std::vector<std::string>& messages) {
  if (std::string note = arguments_.ClearPasswordNote(); !note.empty()) messages.push_back(std::move(note));
  return StatefulSteppingComponent::OnValidate(messages);
}

void Stream::MakeEnds() {
  const auto path_of = [this](const std::string& path) { return PathOf(path); };
  source_ = arguments_.Source(path_of, [this](const std::string& line) { Log(line); });
  const bool publishes = !published_.IsEmpty() || (is_fmu_ && arguments_.PublishesState());
  sink_ = publishes ? arguments_.Sink(path_of) : nullptr;
}

void Stream::FindZero() {
  const std::string text = arguments_.TimeZero();
  if (text == "wall") {
    stepper_->Begin(NanosOf(StartTime()));
  } else if (text == "own") {
    stepper_->Begin();
  } else if (text == "shared") {
    zero_ = TimeZero::Of({});
    stepper_->Begin(zero_->Get());
    zero_->Set(stepper_->Zero());
  } else {
    const auto zero = ParseWallTime(text);
    if (!zero) {
      throw ArgumentError(
          {.component = Caption(), .item = "time-zero"},
          fmt::format("expected shared, own, wall, or a time by ISO 8601 with its zone, found '{}'", text),
          "write 2019-01-04T16:41:24Z, for instance");
    }
    stepper_->Begin(*zero);
  }
}

void Stream::Start(Stamp begin) {
  const auto path_of = [this](const std::string& path) { return PathOf(path); };
  if (const std::string path = arguments_.LogFile(path_of); !path.empty()) {
    try {
      log_ = StreamLog::Of(path);
    } catch (const FileError& error) {
      ThrowOf(Caption(), error);
    }
  }
  if (source_ == nullptr) MakeEnds();
  has_failed_ = false;
  stepper_ = std::make_unique<StreamStepper>(fields_, arguments_.Parser(fields_), arguments_.Rules(), *source_);
  stepper_->SetLog([this](const std::string& line) { Log(line); });
  stepper_->SetWaitListener([this](const std::string& sentence) {
    if (on_wait_) on_wait_(sentence);
  });
  published_.Begin();
  try {
    source_->Open();
    if (sink_ != nullptr) sink_->Open();
    if (is_fmu_ && sink_ != nullptr) PublishReady();
    FindZero();
  } catch (const ModelError& error) {
    ThrowOf(Caption(), error);
  }
  Log(fmt::format("time zero is {}", FormatWallTime(stepper_->Zero())));
  Give(begin);
}

/// Exact at the regular end of a step and at the end of the run, because a stamp resolves only 0.6 microseconds.
Nanos Stream::TimeOf(Stamp to) const {
  if (SameTime(to, WholeStepEnd())) return Ticks() + NanosOf(TimeStep());
  return (NanosOf(to - StartTime()) + grid_ / 2) / grid_ * grid_;
}

void Stream::SetPrecision(int decimals) {
  grid_ = 1000;
  for (int i = std::max(decimals, 0); i < 6; ++i) grid_ *= 10;
}

void Stream::Step(Stamp, Stamp to) {
  if (log_ != nullptr && StepCount() == 0) log_->BeginAnew();
  try {
    const Nanos end = TimeOf(to);
    // Publish before the wait for messages: their publisher may wait for this message.
    if (sink_ != nullptr && MaySend()) Publish(end);
    stepper_->Step(end);
    Give(to);
  } catch (const ModelError& error) {
    has_failed_ = true;
    Log(error.what());
    ThrowOf(Caption(), error);
  }
}

void Stream::Give(Stamp time) {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    if (ports_[i].number != nullptr) {
      ports_[i].number->NextRow()[0] = stepper_->Number(i);
      continue;
    }
    const FieldState& state = stepper_->States()[i];
    ports_[i].text->Set(0, state.has_value && !state.is_stale ? Value(state.text) : Value());
    ports_[i].text->Publish(time);
  }
  if (!health_.empty()) GiveHealth();
}

void Stream::GiveHealth() {
  const SourceHealth health = source_->Health();
  const Nanos mapped = stepper_->Zero() + stepper_->Now();
  const double values[] = {health.is_connected ? 1.0 : 0.0, static_cast<double>(WallClock() - mapped) * 1e-9,
                           health.waiting ? static_cast<double>(*health.waiting) : kNotANumber,
                           static_cast<double>(stepper_->Counts().Dropped())};
  for (std::size_t i = 0; i < health_.size(); ++i) health_[i]->NextRow()[0] = values[i];
}

void Stream::PublishReady() {
  const Nanos now = WallClock();
  sink_->Publish(R"({"internal_message":"waiting for input data for simulation","internal_status":"ready"})",
                 fmt::format("{}@ready {}", Caption(), FormatWallTime(now)), now);
}

std::string Stream::HealthText() const {
  if (stepper_ == nullptr) return {};
  const StreamCounts& counts = stepper_->Counts();
  std::string text = fmt::format("{} messages, {} used, {} dropped", counts.taken, counts.applied, counts.Dropped());
  const std::pair<std::uint64_t, const char*> reasons[] = {
      {counts.before_zero, "before the start"},
      {counts.late, "late"},
      {counts.malformed, "no JSON object"},
      {counts.without_stamp, "without a time that can be read"},
      {counts.foreign, "with no member that is known"},
      {counts.oversized, "too long"},
      {counts.mismatched, "values of another type than the field's"}};
  std::string why;
  for (const auto& [count, reason] : reasons) {
    if (count > 0) fmt::format_to(std::back_inserter(why), "{}{} {}", why.empty() ? " (" : ", ", count, reason);
  }
  if (!why.empty()) text += why + "; log-file names each)";
  if (counts.reconnects > 0) text += fmt::format(", connected anew {} times", counts.reconnects);
  if (source_ != nullptr && source_->IsLive()) {
    const Nanos lag = WallClock() - stepper_->Zero() - stepper_->Now();
    constexpr Nanos kMost = 86'400 * kNanosPerSecond;  // above a day the stamps are those of a recording
    if (std::abs(lag) < kMost) {
      text += fmt::format(", {} {} the clock", FormatNanos(std::abs(lag) / 1'000'000 * 1'000'000),
                          lag >= 0 ? "behind" : "ahead of");
    }
  }
  return text;
}

Problems Stream::Remarks() const {
  Problems problems;
  if (stepper_ == nullptr || stepper_->Counts().taken == 0) return problems;
  const MessageParser& parser = stepper_->Parser();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (stepper_->States()[i].has_value) continue;
    const Field& field = fields_[i];
    const std::string found = parser.MisfitOf(i);
    const std::vector<std::string>& others = parser.OtherMembers();
    const std::string problem =
        fmt::format("expected values of the member '{}' for output '{}', found none in {} messages", field.source,
                    field.name, stepper_->Counts().taken);
    if (!found.empty()) {
      AddWarning(problems, {.item = "fields"},
                 fmt::format("{} but {} where {} is expected", problem, found, NameOf(field.type)),
                 "correct the type of the field");
    } else if (others.empty()) {
      AddWarning(problems, {.item = "fields"}, problem + "; no other members came",
                 "correct the name of the member, or look at what publishes");
    } else {
      const std::string nearest = Nearest(field.source, others);
      AddWarning(problems, {.item = "fields"},
                 fmt::format("{}; what came and is no field: {}{}", problem, fmt::join(others, ", "),
                             parser.HasMoreOthers() ? " and more" : ""),
                 nearest.empty() ? "correct the name of the member, or look at what publishes"
                                 : fmt::format("did you mean '{}'?", nearest));
    }
  }
  return problems;
}

void Stream::Publish(Nanos end) {
  if (!published_.Write(arguments_.PublishesEachStep(), body_) && !is_fmu_) return;
  const Nanos mapped = stepper_->Zero() + end;
  const Nanos stamp = is_fmu_ || arguments_.PublishesWallClock() ? WallClock() : mapped;
  fmt::format_to(std::back_inserter(body_), "{}:\"{}\",\"simstep\":\"{:.6f}\"}}",
                 nlohmann::json(arguments_.StampMember()).dump(), FormatWallTime(stamp),
                 static_cast<double>(end) * 1e-6);
  sink_->Publish(body_, fmt::format("{}@{}", Caption(), FormatWallTime(mapped)), stamp);
}

exported::FmuForm Stream::Form() {
  std::vector<const IBaseExchangeItem*> items;
  for (const IBaseOutput* output : OutputItems()) items.push_back(output);
  for (const IBaseInput* input : InputItems()) items.push_back(input);
  return FormOfStream(ArgumentItems(), fields_, arguments_.Published(), items, TimeStep().count * kSecondsPerDay);
}

void Stream::Log(const std::string& line) {
  if (log_ == nullptr) return;
  std::string text = line;
  for (std::size_t at = FindInvalidUtf8(text); at < text.size(); at = FindInvalidUtf8(text)) {  // bytes of a message
    text.replace(at, 1, fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at])));
  }
  log_->Write(fmt::format("{} {}: {}", FormatWallTime(WallClock() / 1'000'000 * 1'000'000), Caption(), text));
}

void Stream::End() {
  if (stepper_ != nullptr) {
    std::string counts;
    for (const NamedCount& named : kStreamCounts) {
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", stepper_->Counts().*named.count, named.name);
    }
    Log(counts);
  }
  std::unique_ptr<IMessageSink> sink = std::move(sink_);
  const bool was_running = stepper_ != nullptr;
  if (was_running && !has_failed_ && source_ != nullptr) source_->Settle();
  stepper_.reset();
  source_.reset();
  zero_.reset();
  if (sink != nullptr && was_running && !has_failed_) sink->Flush();
  log_.reset();
}

void Stream::SaveState(StateWriter& writer) const {
  stepper_->Save(writer);
  published_.Save(writer);
  for (const auto& port : ports_) {
    if (port.text != nullptr) port.text->SaveRows(writer);
  }
}

void Stream::LoadState(StateReader& reader) {
  if (log_ != nullptr) log_->GoOn();
  stepper_->Load(reader);
  published_.Load(reader);
  if (zero_ != nullptr) zero_->Set(stepper_->Zero());
  for (const auto& port : ports_) {
    if (port.text != nullptr) port.text->LoadRows(reader);
  }
}

}  // namespace openmi::broker
