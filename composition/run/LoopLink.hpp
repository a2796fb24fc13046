#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "composition/loops/Convergence.hpp"
#include "composition/loops/Prediction.hpp"
#include "composition/run/Link.hpp"
#include "composition/run/LoopProbe.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/ValueSets.hpp"

namespace openmi {

/// The end of one link into a member of an iterated loop.
///
/// A member asks the same questions in each iteration of a step; what was asked, and with what it was answered, is
/// written down here. A link from outside the loop is asked once and answers the same from then on. A link that is cut
/// answers from the iterate; what its chain answers to the same questions once all members have computed is what the
/// iterate is compared with. Any other link inside the loop is asked anew each time. The listener of the link hears the
/// answers of the iteration that is taken, and no others.
class LoopLink final : public ILinkAnswer {
 public:
  enum class Kind {
    Outside,  ///< from a provider that is not of the loop
    Inside,   ///< from a member that computes earlier in the same iteration
    Cut       ///< answered from the iterate
  };
  /// \param link  with an end; borrowed. Answers in the place of its chain from now on.
  LoopLink(Link& link, Kind kind, LoopGuess guess, const LoopTolerance& tolerance);
  ~LoopLink() override;
  LoopLink(const LoopLink&) = delete;
  LoopLink& operator=(const LoopLink&) = delete;

  const ITimeSpaceValueSet& Answer() override;

  /// A step from `begin` on: forgets the questions of the last one.
  void BeginStep(Stamp begin);
  void BeginIteration();
  /// All members have computed: asks the chain of a cut link what the member asked.
  void EndIteration();
  /// The step is taken: tells the listener, and remembers where it ended.
  void EndStep();

  bool IsCut() const { return kind_ == Kind::Cut; }
  const Link& Of() const { return link_; }
  const LoopTolerance& Tolerance() const { return tolerance_; }
  /// Appends what the member was given, and what the chain answers; as many values each.
  void Gather(std::vector<double>& iterate, std::vector<double>& answered) const;
  /// Takes the next iterate. \param values  as many as Gather appended
  void Scatter(std::span<const double> values);
  /// What it guesses from, between two steps.
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);
  /// Whether the questions are not those of the iteration before: the values are others then.
  bool IsChanged() const { return changed_; }

 private:
  /// One question of the member, with what it was given.
  struct Question {
    openmi::TimeSet times;           // UTC, with the horizon that the input had
    std::vector<std::size_t> sizes;  // of its rows
    std::vector<double> given;       // row by row
    std::vector<double> answered;    // what the chain answers, of a cut link
    RowsView view;
    /// The end of the last time; `otherwise` where none is asked for.
    Stamp End(Stamp otherwise) const;
    void Show();
  };
  /// The next question, with its times read off the input unless it is known.
  Question& NextQuestion(bool& is_known);
  bool IsAsked(const Question& question) const;
  /// What the input asks for now, in UTC.
  void ReadTimes(openmi::TimeSet& times) const;
  void Take(const ITimeSpaceValueSet& values, std::vector<std::size_t>* sizes, std::vector<double>& out);
  void Guess(Question& question, std::size_t number);

  Link& link_;
  Kind kind_;
  LoopTolerance tolerance_;
  LoopProbe probe_;
  Prediction prediction_;
  std::vector<double> last_known_;  // of each element, the last value at the end of a step that was not missing
  std::vector<std::unique_ptr<Question>> questions_;
  std::size_t asked_ = 0;  // in this iteration
  std::size_t known_ = 0;  // in this step
  bool changed_ = true;
  bool is_first_ = true;  // iteration of the step
  openmi::TimeSet asked_times_;
  Stamp begin_ = kFarPast;
  Stamp last_end_ = kFarPast;
  CastByType<const INumericRows, const ITimeSpaceValueSet> as_rows_;
};

}  // namespace openmi
