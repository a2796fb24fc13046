#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "composition/link/Link.hpp"
#include "composition/loops/Convergence.hpp"
#include "composition/loops/LoopProbe.hpp"
#include "composition/loops/Prediction.hpp"
#include "timespace/values/NumberRows.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// The end of one link into a member of an iterated loop.
///
/// A member asks the same questions in each iteration of a step. This class records the questions and the answers that
/// the member received. A link from outside the loop is asked once and gives the same answer from then on. A link that
/// is cut answers from the iterate; its chain answers the same questions once all members have computed, and that
/// answer is compared with the iterate. Any other link inside the loop is asked again each time. The listener of the
/// link is notified of the answers of the iteration that is taken, and of no others.
class LoopLink final : public ILinkAnswer {
 public:
  enum class Kind {
    Outside,  ///< from a provider outside the loop
    Inside,   ///< from a member that computes earlier in the same iteration
    Cut       ///< answered from the iterate
  };
  /// \param link  with an end; borrowed. This object answers in place of its chain from now on.
  LoopLink(Link& link, Kind kind, LoopGuess guess, const LoopTolerance& tolerance);
  ~LoopLink() override;
  LoopLink(const LoopLink&) = delete;
  LoopLink& operator=(const LoopLink&) = delete;

  const ITimeSpaceValueSet& Answer() override;

  /// Starts a step at `begin`: forgets the questions of the last one.
  void BeginStep(Stamp begin);
  void BeginIteration();
  /// To be called when all members have computed: asks the chain of a cut link what the member asked.
  void EndIteration();
  /// To be called when the step is taken: notifies the listener, and remembers where the step ended.
  void EndStep();

  const Link& Of() const { return link_; }
  const LoopTolerance& Tolerance() const { return tolerance_; }
  /// Appends what the member received, and what the chain answers; the same number of values each.
  void Gather(std::vector<double>& iterate, std::vector<double>& answered) const;
  /// Sets the next iterate.
  /// \param values  as many as Gather appended
  void Scatter(std::span<const double> values);
  /// Saves what the guess uses, between two steps.
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);
  /// Whether the questions differ from those of the iteration before; then the values are not comparable.
  bool IsChanged() const { return changed_; }

 private:
  /// One question of the member, with the answer that it received.
  struct Received {
    openmi::TimeSet times;           // UTC, with the horizon that the input had
    std::vector<std::size_t> sizes;  // of its rows
    std::vector<double> given;       // row by row
    std::vector<double> answered;    // what the chain of a cut link answers
    RowsView view;
    /// The end of the last time; `otherwise` if no time is asked for.
    Stamp End(Stamp otherwise) const;
    void Show();
  };
  /// The next question; its times are read from the input unless it is known.
  Received& NextReceived(bool& is_known);
  bool IsAsked(const Received& question) const;
  /// Reads what the input asks for now, in UTC.
  void ReadTimes(openmi::TimeSet& times) const;
  void Take(const ITimeSpaceValueSet& values, std::vector<std::size_t>* sizes, std::vector<double>& out);
  void Guess(Received& question, std::size_t number);
  /// Where the last step ended.
  Stamp LastEnd() const { return prediction_.IsEmpty() ? kFarPast : Stamp{prediction_.Latest()}; }

  Link& link_;
  Kind kind_;
  LoopTolerance tolerance_;
  LoopProbe probe_;
  Prediction prediction_;
  std::vector<double> last_known_;  // of each element, the last value at the end of a step that was not missing
  std::vector<std::unique_ptr<Received>> questions_;
  std::size_t asked_ = 0;  // in this iteration
  std::size_t known_ = 0;  // in this step
  bool changed_ = true;
  bool is_first_ = true;  // iteration of the step
  openmi::TimeSet asked_times_;
  Stamp begin_ = kFarPast;
  NumberRows rows_;
};

}  // namespace openmi
