#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/AtWork.hpp"
#include "composition/run/FrozenItems.hpp"
#include "composition/run/IArrivalListener.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/ISharedPlaces.hpp"
#include "timespace/ValueSets.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The host's own consumer at the end of a link: what providers and adaptors see in place of a component's input. It
/// asks what the component's input asks; while no component is there it shows what that input showed.
class LinkInput final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  /// \param component  the host's own stand-in for the component; null: the component itself is named as owner
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

  /// Asks what `input` asks from now on.
  void Follow(ITimeSpaceInput& input);
  /// Whether it asks for nothing in this run; see LinkEnd::SetIdle.
  void SetIdle(bool idle) { is_idle_ = idle; }
  bool IsIdle() const { return is_idle_; }

 private:
  ITimeSpaceInput* input_;
  const IDemand* demand_ = nullptr;
  bool is_idle_ = false;
};

/// Answers at the end of a link in place of its chain: in a loop of links.
class ILinkAnswer {
 public:
  virtual ~ILinkAnswer() = default;
  /// What the input asks now; good until it asks again.
  virtual const ITimeSpaceValueSet& Answer() = 0;
};

/// The host's own provider of one component input: hands its questions to the end of the adaptor chain. Between the two
/// stands nothing but one virtual call.
///
/// A fixed row may be put in the place of what the link delivers. The question is asked all the same, so that whoever
/// is upstream goes on.
class LinkEnd final : public OutputOf<ITimeSpaceOutput>, public ISharedPlaces {
 public:
  /// Registers as the provider of `input` and as a consumer of `source`.
  /// \param source     the last output of the chain; borrowed
  /// \param input      the component's item; borrowed until Detach
  /// \param component  the host's own stand-in for the component of `input`; null: the component itself is named
  LinkEnd(ITimeSpaceOutput& source, ITimeSpaceInput& input, IBaseLinkableComponent* component = nullptr);
  ~LinkEnd() override;

  /// Says where the link stands, for its errors. \param file  borrowed
  void SetPlace(const LinkSpec& spec, const std::filesystem::path& file) {
    spec_ = &spec;
    file_ = &file;
  }

  /// \throws LinkError, RangeError  as the chain does, with the place of the link where the chain named none
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override {
    static_cast<void>(query_specifier);
    const HostWork asked;  // by the component at work
    try {
      return is_plain_ ? Ask() : Delivered();
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

  /// What stands for the component's input on this link.
  LinkInput& Consumer() { return consumer_; }

  /// Who hears what arrives; null: nobody.
  void SetListener(IArrivalListener* listener);

  /// Delivers `row` for whatever time is asked, until FreeOverride.
  /// \param row  shape [elements of the input], in its unit
  /// \throws RangeError  another number of values
  /// \throws TypeError   the input takes no numbers
  void SetOverride(std::span<const double> row);
  void FreeOverride();
  /// The row delivered in place of the link's; empty: none.
  std::span<const double> Override() const { return fixed_; }
  /// Whether what the input was last given is a fixed row, and which: one that was freed since, too.
  bool WasOverridden() const { return is_fixed_given_; }

  /// What the input shows, in the host's own memory: what Detach takes.
  std::unique_ptr<FrozenInput> Freeze(PlaceCopies& places) const;
  /// Lets the component's input go. Whoever is upstream keeps the rows that it may still ask for.
  void Detach(std::unique_ptr<FrozenInput> shown);
  /// Becomes the provider of another component's input.
  /// \returns what was shown until now, to be detached with should the component not start
  /// \throws LinkError  it is not of the same kind as the one before, or linked; nothing changes
  std::unique_ptr<FrozenInput> Attach(ITimeSpaceInput& input);
  bool IsAttached() const { return frozen_ == nullptr; }
  /// Says whether the component of the input makes no step in this run, so that nobody keeps rows for it.
  void SetIdle(bool idle);
  /// While no component is attached: the earliest time (UTC) it may ask for once it is back.
  void MoveHorizon(Stamp begin) {
    if (frozen_ != nullptr) frozen_->MoveHorizon(begin);
  }

  /// Who answers in place of the chain, and tells the listener; null: nobody.
  void SetAnswer(ILinkAnswer* answer) {
    answer_ = answer;
    ShowPlain();
  }
  /// Asks the chain what the input asks now.
  const ITimeSpaceValueSet& Ask() { return source_.GetValues(consumer_); }
  /// Tells the listener of an answer to the input.
  void TellArrival(const ITimeSpaceValueSet& values, const openmi::ITimeSet& times) {
    if (listener_ != nullptr) listener_->OnArrival(values, times);
  }
  bool HasListener() const { return listener_ != nullptr; }
  ITimeSpaceOutput& Source() const { return source_; }

 private:
  const ITimeSpaceValueSet& Delivered();
  /// Throws `error` again, with the link's place if it has none of a file.
  template <class E>
  [[noreturn]] void ThrowHere(const E& error) const;
  void ShowPlain() { is_plain_ = listener_ == nullptr && answer_ == nullptr && fixed_.empty() && !is_fixed_given_; }
  /// Lets the consumer ask what `input` asks, and everybody upstream know.
  void Follow(ITimeSpaceInput& input);

  ITimeSpaceOutput& source_;
  ITimeSpaceInput* input_;
  LinkInput consumer_;
  const LinkSpec* spec_ = nullptr;
  const std::filesystem::path* file_ = nullptr;
  bool is_plain_ = true;  // neither a listener nor an override, now or at the last question, nor another answer
  IArrivalListener* listener_ = nullptr;
  ILinkAnswer* answer_ = nullptr;
  std::vector<double> fixed_;
  std::vector<double> given_;    // the fixed row that was delivered last: the input may still look at it
  bool is_fixed_given_ = false;  // it is what the input was last given
  RowsView delivered_;
  std::unique_ptr<FrozenInput> frozen_;  // while no component is attached
};

}  // namespace openmi
