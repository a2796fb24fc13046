#pragma once

#include <array>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "composition/isolation/AskPlan.hpp"
#include "composition/isolation/IsolatedValues.hpp"
#include "composition/isolation/KnownPlaces.hpp"
#include "composition/isolation/Protocol.hpp"
#include "composition/isolation/RemoteProgress.hpp"
#include "composition/isolation/SharedAnswers.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/optional/ISteps.hpp"

namespace openmi {

class IsolatedComponent;

/// What a worker knows of the provider of an input.
class ReportedProvider {
 public:
  /// Whether the worker knows this provider, or that there is none (null).
  bool Is(const IBaseOutput* provider) const { return provider == provider_; }
  /// Writes another provider: its definition and its times. Its elements follow with WriteNews.
  /// \param provider  borrowed; null: the input has none any more
  void WriteOther(StateWriter& writer, const IBaseOutput* provider);
  /// Writes the spatial definition if it, or its version, is not the one that the worker knows. Writes how far the
  /// provider's component is, if that changed. If that is further than its next row (IRowTimes), the time of that row.
  /// \param known  see WriteSpatial
  /// \param asked  the times that an input of other values than numbers asked for; null: none
  void WriteNews(StateWriter& writer, KnownPlaces& known, const ITimeSet* asked);

 private:
  /// Distinguishes spatial definitions, also from others that later have the same address. It holds no reference, since
  /// the library that they belong to may be unloaded.
  struct PlacesMark {
    const ISpatialDefinition* places = nullptr;
    int version = 0;
    int count = 0;
    std::array<double, 4> corners{};  // of the first and of the last vertex
    bool operator==(const PlacesMark&) const = default;
  };
  static PlacesMark MarkOf(const ISpatialDefinition* places);

  const IBaseOutput* provider_ = nullptr;
  const ITimeSpaceOutput* items_ = nullptr;  // the same, if it has times and elements
  PlacesMark places_;
  const ISteps* steps_ = nullptr;  // of the providing component; null if it does not report steps
  Stamp time_ = kFarPast;
  Stamp next_ = kFarPast;
};

/// An answer that is sent along with the request of an update.
struct SentAhead {
  std::size_t input;            ///< its index
  std::size_t size;             ///< number of values or bytes
  std::span<const double> row;  ///< where they are, also bytes
  RowName name;
};

/// The inputs of a component in another process: what the worker knows of their providers, and the answers to the
/// questions that the component asks there.
class RemoteInputs {
 public:
  /// \param owner     the component, in this process; borrowed
  /// \param progress  of the component; borrowed
  RemoteInputs(IsolatedComponent& owner, const RemoteProgress& progress);

  std::span<IBaseInput* const> Items() const { return items_; }
  /// Makes the inputs anew.
  void ReadItems(StateReader& reader);
  /// Reads the earliest time that each input may still ask for.
  void ReadEarliest(StateReader& reader);
  /// Writes what changed since the last request: other providers, their elements, and how far they are.
  void WriteNews(StateWriter& request);

  /// Asks the providers for what the next update will ask for, as far as that is foreseen.
  void AskAhead();
  /// Writes what AskAhead asked; it is sent together with the request of the update.
  void WriteAhead(StateWriter& request);
  /// Notes that the update succeeded.
  /// \param has_missed  whether an answer was sent ahead that the component did not ask for
  void EndUpdate(bool has_missed);
  /// Notes that the component went back to a state: its inputs of other values than numbers have seen those until then.
  /// \returns whether the worker was told otherwise
  bool OnRestored();
  /// Notes that a request failed: the component may ask in another way from now on.
  void ForgetPlan() { plan_.Forget(); }

  /// Answers a question of the component.
  /// \param is_updating  whether the component asks within an update
  /// \throws Error  the provider's own
  void Serve(EngineRequest request, bool is_updating, StateReader& reader, StateWriter& reply);

 private:
  struct In {
    std::unique_ptr<NumericInput> rows;  // one of the two
    std::unique_ptr<IsolatedValuesInput> values;
    ITimeSpaceInput* item = nullptr;
    ReportedProvider reported;
    Stamp earliest = kFarFuture;      // the earliest time that it may still ask for
    bool asks_spans = false;          // at the last question
    bool asks_bytes = false;          // at the last question
    AnswerPlace place;                // where its last answer was written
    AnswerPlace spare;                // where the next answer may be written ahead
    std::exception_ptr is_refused;    // what its provider threw when it was asked ahead; thrown when the question comes
    std::shared_ptr<RowRoute> route;  // of its link; null: all rows pass through this process
    /// What it asked for, if its values are not numbers; else null.
    const ITimeSet* ValueTimes() const { return values != nullptr ? values->TimeSet() : nullptr; }
    /// Sets its time set to what is asked for.
    /// \param times  UTC
    void Ask(bool has_durations, std::span<const Time> times, Stamp earliest_time);
  };

  /// Finds out whether the provider of an input is an output of a worker, without an adaptor between.
  void FindRoute(In& input);

  IsolatedComponent& owner_;
  const RemoteProgress& progress_;
  SharedAnswers answers_;
  std::vector<In> inputs_;
  std::vector<IBaseInput*> items_;
  AskPlan plan_;
  std::vector<SentAhead> ahead_;
  std::vector<Time> asked_;  // buffers of one question
  std::vector<AnswerPlace> places_;
};

}  // namespace openmi
