#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/proxy/FrozenItems.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IProxy.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/optional/ISharedPlaces.hpp"
#include "timespace/standard/ITimeSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// Is notified of each answer that a component's input receives.
class IArrivalListener {
 public:
  virtual ~IArrivalListener() = default;
  /// \param values  valid during the call only
  /// \param times   the times that were asked for
  virtual void OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) = 0;
};

/// The engine's own consumer at the end of a link: providers and adaptors see it in place of a component's input. It
/// asks what the component's input asks. While no component is attached, it shows what that input showed.
class LinkInput final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  /// \param input      the component's item; borrowed
  /// \param component  the engine's proxy of the component; null: the component itself is the owner
  LinkInput(ITimeSpaceInput& input, IBaseLinkableComponent* component);
  std::string Caption() const override { return input_->Caption(); }
  std::string Description() const override { return input_->Description(); }
  const ITimeSpaceValueSet* Values() const override { return input_->Values(); }
  void SetValues(const IBaseValueSet* values) override { input_->SetValues(values); }
  const openmi::ITimeSet* TimeSet() const override { return input_->TimeSet(); }
  const ISpatialDefinition* SpatialDefinition() const override { return input_->SpatialDefinition(); }
  const IValueDefinition& ValueDefinition() const override { return input_->ValueDefinition(); }
  Stamp EarliestNeeded() const override;
  const IDemand& Source() const override { return demand_ != nullptr && !is_idle_ ? *demand_ : *this; }
  bool ReadsRows() const override { return is_heard_ || demand_ == nullptr || demand_->ReadsRows(); }

  /// Asks from now on what `input` asks.
  void Follow(ITimeSpaceInput& input);
  /// Sets whether it asks for nothing in this run; see InputProxy::SetIdle.
  void SetIdle(bool idle) { is_idle_ = idle; }
  bool IsIdle() const { return is_idle_; }
  /// Sets whether the engine itself reads what arrives, for a balance or a loop.
  void SetHeard(bool heard) { is_heard_ = heard; }

 private:
  ITimeSpaceInput* input_;
  const IDemand* demand_ = nullptr;
  bool is_idle_ = false;
  bool is_heard_ = false;
};

/// Answers at the end of a link in place of its chain, in a loop of links.
class ILinkAnswer {
 public:
  virtual ~ILinkAnswer() = default;
  /// The answer to what the input asks now; valid until it asks again.
  virtual const ITimeSpaceValueSet& Answer() = 0;
};

/// The engine's own provider of one component input: passes its questions to the end of the adaptor chain. The cost
/// between the two is one virtual call.
///
/// A fixed row may replace what the link delivers. The question is asked all the same, so that the components upstream
/// go on.
class InputProxy final : public OutputOf<ITimeSpaceOutput>, public ISharedPlaces, public IProxy {
 public:
  /// Registers as the provider of `input` and as a consumer of `source`.
  /// \param source     the last output of the chain; borrowed
  /// \param input      the component's item; borrowed until Detach
  /// \param component  the engine's proxy of the component of `input`; null: the component itself is the owner
  InputProxy(ITimeSpaceOutput& source, ITimeSpaceInput& input, IBaseLinkableComponent* component = nullptr);
  ~InputProxy() override;

  /// Sets where the link is in the composition file, for its errors.
  /// \param spec  borrowed
  /// \param file  borrowed
  void SetPlace(const LinkSpec& spec, const std::filesystem::path& file) {
    spec_ = &spec;
    file_ = &file;
  }

  /// Asks the chain, or gives what replaces its answer.
  /// \throws LinkError   see the chain; the place of the link is added where the error names none
  /// \throws RangeError  likewise
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override {
    static_cast<void>(query_specifier);
    const HostWork asked;  // the component that runs asks
    try {
      if (!is_plain_) return Delivered();
      const ITimeSpaceValueSet& values = Ask();
      if (listener_ != nullptr) listener_->OnArrival(values, *input_->TimeSet());
      return values;
    } catch (const LinkError& error) {
      ThrowHere(error);
    } catch (const RangeError& error) {
      ThrowHere(error);
    }
  }
  const ITimeSpaceValueSet& Values() const override;
  const openmi::ITimeSet* TimeSet() const override { return source_.TimeSet(); }
  const ISpatialDefinition* SpatialDefinition() const override { return source_.SpatialDefinition(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return PlacesOf(source_); }
  const IValueDefinition& ValueDefinition() const override { return source_.ValueDefinition(); }

  /// The proxy of the component's input on this link.
  LinkInput& Consumer() { return consumer_; }

  /// Sets the listener that is notified of what arrives; null: none. Borrowed.
  void SetListener(IArrivalListener* listener) {
    listener_ = listener;
    consumer_.SetHeard(listener_ != nullptr || answer_ != nullptr);
  }

  /// Delivers `row` for whatever time is asked, until FreeOverride.
  /// \param row  shape [elements of the input], in its unit
  /// \throws RangeError  wrong number of values
  /// \throws TypeError   the input takes no numbers
  void SetOverride(std::span<const double> row);
  void FreeOverride();
  /// The row that replaces the link's values; empty: none.
  std::span<const double> Override() const { return fixed_; }
  /// Whether the input last received a fixed row, even if the override was freed since.
  bool WasOverridden() const { return is_fixed_given_; }

  /// Copies what the input shows into the engine's own memory, for Detach.
  std::unique_ptr<FrozenInput> Freeze(PlaceCopies& places) const;
  /// Releases the component's input. The components upstream keep the rows that it may still ask for.
  /// \param shown  what Freeze returned
  void Detach(std::unique_ptr<FrozenInput> shown);
  /// Becomes the provider of another component's input.
  /// \returns what was shown until now, for another Detach if the component does not start
  /// \throws LinkError  the input is of another kind than the one before, or already linked; nothing changes
  std::unique_ptr<FrozenInput> Attach(ITimeSpaceInput& input);
  bool IsAttached() const { return frozen_ == nullptr; }
  /// Sets whether the component of the input makes no step in this run, so that no provider keeps rows for it.
  void SetIdle(bool idle);
  /// While no component is attached: sets the earliest time (UTC) that it may ask for when it is back.
  void MoveHorizon(Stamp begin) {
    if (frozen_ != nullptr) frozen_->MoveHorizon(begin);
  }

  /// Sets the object that answers in place of the chain, and that notifies the listener; null: none. Borrowed.
  void SetAnswer(ILinkAnswer* answer) {
    answer_ = answer;
    consumer_.SetHeard(listener_ != nullptr || answer_ != nullptr);
    ShowPlain();
  }
  /// Asks the chain what the input asks now.
  const ITimeSpaceValueSet& Ask() { return source_.GetValues(consumer_); }
  /// What the input received last, also if its values went to another process without being read here. Valid until it
  /// asks again.
  /// \returns null if it received nothing, or the provider does not keep it any more
  const ITimeSpaceValueSet* Received();
  /// Notifies the listener of an answer to the input.
  void NotifyArrival(const ITimeSpaceValueSet& values, const openmi::ITimeSet& times) {
    if (listener_ != nullptr) listener_->OnArrival(values, times);
  }
  bool HasListener() const { return listener_ != nullptr; }
  ITimeSpaceOutput& Source() const { return source_; }
  /// The last output of the chain: an adaptor, or the proxy of the provider on a link without adaptors.
  const IBaseOutput& Behind() const override { return source_; }

 private:
  const ITimeSpaceValueSet& Delivered();
  /// Throws `error` again, with the link's place if it names no file.
  template <class E>
  [[noreturn]] void ThrowHere(const E& error) const;
  void ShowPlain() { is_plain_ = answer_ == nullptr && fixed_.empty() && !is_fixed_given_; }
  /// Makes the consumer ask what `input` asks, and notifies all providers upstream.
  void Follow(ITimeSpaceInput& input);

  // What each question needs comes first and close together.
  ITimeSpaceOutput& source_;
  bool is_plain_ = true;         // neither an override, now or at the last question, nor another answer
  bool is_fixed_given_ = false;  // the input last received the fixed row
  IArrivalListener* listener_ = nullptr;
  ITimeSpaceInput* input_;
  LinkInput consumer_;
  ILinkAnswer* answer_ = nullptr;
  std::vector<double> fixed_;
  std::vector<double> given_;  // the fixed row that was delivered last: the input may still refer to it
  const LinkSpec* spec_ = nullptr;
  const std::filesystem::path* file_ = nullptr;
  RowsView delivered_;
  std::unique_ptr<FrozenInput> frozen_;  // while no component is attached
};

}  // namespace openmi
