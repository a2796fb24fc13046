#include "composition/conformance/OutputWatch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/conformance/DefinitionChecks.hpp"
#include "composition/conformance/ValueSetChecks.hpp"

namespace openmi::conformance {
namespace {

template <class List, class Item>
std::ptrdiff_t CountOf(const List& list, const Item* item) {
  return std::ranges::count_if(list, [item](const auto* one) { return one == item; });
}

}  // namespace

OutputWatch::OutputWatch(Findings& findings, IBaseOutput& output)
    : findings_(findings),
      output_(output),
      time_space_(dynamic_cast<ITimeSpaceOutput*>(&output)),
      who_("output '" + output.Id() + "'"),
      consumer_(MakeProbeInput(output)),
      stranger_(MakeProbeInput(output)) {
  subscription_ = output_.ItemChanged().Add([this](const ExchangeItemChangeEventArgs& args) {
    ++events_;
    findings_.Expect("9.7", args.exchange_item == &output_,
                     "{}: expected its event to name the item that changed, found {}", who_,
                     args.exchange_item == nullptr ? "none" : "another");
  });
  if (const ISpatialDefinition* where = time_space_ ? time_space_->SpatialDefinition() : nullptr) {
    findings_.Try("4.1", "the places of " + who_, [&] {
      place_print_ = FingerprintOf(*where);
      version_ = where->Version();
    });
  }
}

void OutputWatch::Link() {
  findings_.Try("9.3", "reading Values of " + who_ + " before Prepare",
                [&] { static_cast<void>(output_.Values().NumberOfIndices()); });
  findings_.Try("9.3", "linking a consumer to " + who_, [&] { LinkConsumer(); });
  findings_.Try("9.3", "adding an adapted output to " + who_, [&] { LinkAdaptedOutput(); });
  findings_.See("9.3");
}

void OutputWatch::LinkConsumer() {
  output_.AddConsumer(*consumer_);
  linked_ = true;
  findings_.Expect("9.3", consumer_->Provider() == &output_, [&] {
    return who_ + ": expected AddConsumer to set the provider of the consumer to this output, found " +
           (consumer_->Provider() == nullptr ? "none" : "another");
  });
  findings_.Expect("9.3", CountOf(output_.Consumers(), consumer_.get()) == 1, [&] {
    return fmt::format("{}: expected a consumer once in Consumers after AddConsumer, found it {} times", who_,
                       CountOf(output_.Consumers(), consumer_.get()));
  });
  output_.RemoveConsumer(*consumer_);
  linked_ = false;
  findings_.Expect("9.3", consumer_->Provider() == nullptr,
                   "{}: expected RemoveConsumer to take the provider of the consumer away, found it still there", who_);
  findings_.Expect("9.3", CountOf(output_.Consumers(), consumer_.get()) == 0,
                   "{}: expected RemoveConsumer to take the consumer off Consumers, found it still there", who_);
  consumer_->SetProvider(nullptr);
  output_.AddConsumer(*consumer_);
  linked_ = true;
}

void OutputWatch::LinkAdaptedOutput() {
  const std::size_t before = output_.AdaptedOutputs().size();
  adapted_.emplace(output_);
  findings_.Expect("9.3", output_.AdaptedOutputs().size() == before + 1, [&] {
    return fmt::format("{}: expected {} in AdaptedOutputs after AddAdaptedOutput, found {}", who_, before + 1,
                       output_.AdaptedOutputs().size());
  });
  adapted_->Remove();
  findings_.Expect("9.3", output_.AdaptedOutputs().size() == before, [&] {
    return fmt::format("{}: expected {} in AdaptedOutputs after RemoveAdaptedOutput, found {}", who_, before,
                       output_.AdaptedOutputs().size());
  });
  adapted_.emplace(output_);
}

void OutputWatch::Unlink() {
  output_.ItemChanged().Remove(subscription_);
  if (linked_) {
    linked_ = false;
    output_.RemoveConsumer(*consumer_);
  }
  if (adapted_) adapted_->Remove();
}

void OutputWatch::AfterPrepare() {
  if (adapted_) {
    findings_.Expect("12.1", adapted_->Counts().initialized == 1, [&] {
      return fmt::format("expected Prepare to initialize the adapted output on {} once, found {} calls", who_,
                         adapted_->Counts().initialized);
    });
    findings_.Expect("12.1", !adapted_->Counts().refreshed_too_early,
                     "expected Prepare to initialize the adapted output on {} before it refreshes it, found it "
                     "refreshed first",
                     who_);
    refreshed_ = adapted_->Counts().refreshed;
  }
  findings_.Try("6.1", "reading the values of " + who_, [&] { print_ = FingerprintOf(output_); });
  events_ = 0;
  Look(true);
}

void OutputWatch::AfterUpdate(bool thorough) {
  findings_.Try("6.1", "reading the values of " + who_, [&] {
    const std::uint64_t now = FingerprintOf(output_);
    if (now != print_) {
      findings_.Expect("9.7", events_ > 0,
                       "{}: expected the event ItemChanged when its values or times change, found none", who_);
      findings_.Expect("9.3", !adapted_ || adapted_->Counts().refreshed > refreshed_,
                       "{}: expected Refresh of its adapted output when its values or times change, found no call",
                       who_);
    }
    print_ = now;
  });
  if (adapted_) refreshed_ = adapted_->Counts().refreshed;
  events_ = 0;
  Look(thorough);
}

void OutputWatch::Look(bool thorough) {
  if (time_space_ != nullptr) {
    if (const ITimeSet* times = time_space_->TimeSet()) {
      findings_.Try("5.2", "the time set of " + who_, [&] { CheckTimeSet(findings_, *times, who_); });
    }
    findings_.Try("4.1", "the places of " + who_, [&] { CheckVersion(); });
    findings_.Try("9.4", "the shape of " + who_, [&] { CheckShape(); });
  }
  if (thorough) {
    findings_.Try("6.1", "the value set of " + who_,
                  [&] { CheckValueSet(findings_, output_.Values(), output_.ValueDefinition(), who_); });
  }
  findings_.Try(time_space_ != nullptr ? "9.5" : "9.3", "asking " + who_, [&] { Ask(); });
}

void OutputWatch::CheckVersion() {
  const ISpatialDefinition* where = time_space_->SpatialDefinition();
  if (where == nullptr) return;
  const std::uint64_t print = FingerprintOf(*where);
  const int version = where->Version();
  findings_.Expect("4.1", print == place_print_ || version > version_,
                   "{}: expected the version to go up when elements move, found {} before and {} after", who_, version_,
                   version);
  findings_.Expect("4.1", version >= version_, "{}: expected the version never to go down, found {} after {}", who_,
                   version, version_);
  place_print_ = print;
  version_ = version;
}

void OutputWatch::CheckShape() {
  const ITimeSpaceValueSet& values = time_space_->Values();
  if (values.NumberOfIndices() != 2) return;  // 6.2 reports it
  const std::size_t rows = values.GetIndexCount({});
  if (rows == 0) return;
  if (const ITimeSet* times = time_space_->TimeSet()) {
    findings_.Expect("9.4", rows == times->Times().size(), [&] {
      return fmt::format("{}: expected a row of values for each of its {} times, found {}", who_, times->Times().size(),
                         rows);
    });
  }
  const ISpatialDefinition* where = time_space_->SpatialDefinition();
  const std::size_t elements = where == nullptr ? 1 : static_cast<std::size_t>(std::max(0, where->ElementCount()));
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t count = values.GetIndexCount(std::span(&row, 1));
    findings_.Expect("9.4", count <= elements, "{}: expected at most a value for each of its {} elements, found {}",
                     who_, elements, count);
  }
}

void OutputWatch::Ask() {
  if (!linked_) return;
  if (time_space_ != nullptr) {
    AskTimeSpace();
    return;
  }
  static_cast<void>(output_.GetValues(*consumer_).NumberOfIndices());
  findings_.Try("9.3", "asking " + who_ + " by an item that is not registered",
                [&] { static_cast<void>(output_.GetValues(*stranger_).NumberOfIndices()); });
}

void OutputWatch::AskTimeSpace() {
  const ITimeSet* times = time_space_->TimeSet();
  if (times != nullptr && times->Times().empty()) return;  // there are no values yet
  const std::size_t rows = times == nullptr ? 1 : times->Times().size();
  auto& consumer = dynamic_cast<ProbeInput&>(*consumer_);
  auto& stranger = dynamic_cast<ProbeInput&>(*stranger_);
  if (times != nullptr) {
    consumer.AskFor(*times);
    stranger.AskFor(*times);
  }
  findings_.See("9.5");
  const auto rows_fit = [&](const char* number, const ITimeSpaceValueSet& answer) {
    return findings_.Expect(number, answer.GetIndexCount({}) == rows, [&] {
      return fmt::format("{}: expected {} rows in its answer, one for each time asked for, found {}", who_, rows,
                         answer.GetIndexCount({}));
    });
  };
  const ITimeSpaceValueSet& answer = time_space_->GetValues(consumer);
  if (!rows_fit("9.5", answer)) return;
  const std::uint64_t print = FingerprintOf(answer);
  findings_.Expect("9.5", print == FingerprintOf(time_space_->Values()),
                   "{}: expected its answer for its own times to be its values, found others", who_);
  findings_.Try("9.3", "asking " + who_ + " by an item that is not registered", [&] {
    const ITimeSpaceValueSet& other = time_space_->GetValues(stranger);
    if (!rows_fit("9.3", other)) return;
    findings_.Expect("9.3", FingerprintOf(other) == print,
                     "{}: expected an item that is not registered to get what a consumer gets, found other values",
                     who_);
  });
}

}  // namespace openmi::conformance
