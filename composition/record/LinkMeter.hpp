#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "composition/proxy/InputProxy.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "composition/record/AmountPath.hpp"
#include "composition/record/LinkPieces.hpp"
#include "timespace/values/NumberRows.hpp"

namespace openmi {

/// What went through a link between the end of the warm-up and the present time of its consumer.
struct LinkBalanceFigures {
  std::string unit;                  ///< of the amounts ("m3", "kg", "m")
  double left = 0.0;                 ///< from the provider's rows, over its own steps
  double arrived = 0.0;              ///< from the values that the consumer used, over its steps
  double outside = 0.0;              ///< the part of `left` that lies outside the targets
  double relative_difference = 0.0;  ///< (arrived + outside - left) / |left - outside|; 0 where the numerator is 0
  std::size_t missing = 0;           ///< values missing on either side; a step with a missing value adds to no amount
  bool is_weighed = true;            ///< false: no step could be balanced; amounts are NaN
  std::string note;                  ///< where areas come from; if nothing was balanced, why
};

class LinkMeter;

/// Adds up the rows of one output for the meters of all its links. It adds up a row once for all links that use the
/// same factors. A link without elements reads the sums later, several at once, so that the cost of a row does
/// not depend on their number; the other links are notified of each row.
class ProviderMeter final : public IRowListener {
 public:
  /// \param source  borrowed
  explicit ProviderMeter(OutputProxy& source);

  /// Adds the meter of one more link.
  /// \param meter  borrowed
  void Add(LinkMeter& meter);
  bool IsEmpty() const { return told_.empty() && readers_.empty(); }
  void OnRow(Stamp begin, Days duration, std::span<const double> row) override;
  /// Balances all steps that were taken on the links against the rows. To be called before Figures and SaveState of
  /// their meters.
  void Settle();
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

  SourceFactors& Factors() { return factors_; }
  double Missing() const { return missing_; }
  double ToSi() const { return to_si_; }

 private:
  friend class LinkMeter;
  /// Multiplies a row before it is added up.
  struct Summand {
    std::string name;
    std::span<const double> factors;  // empty: 1 each
  };
  /// A row that was added up.
  struct Given {
    Stamp from;
    Stamp to;
    double seconds = 0.0;
    double amount = 0.0;
    std::size_t missing = 0;
  };
  /// Lets each link read the rows that it has not read yet, and releases them.
  void HandOver();
  /// Reads the elements again if they have changed.
  void Renew();
  std::size_t SumOf(const std::string& name);
  std::size_t Rows() const { return rows_; }
  const Given& GivenAt(std::size_t row, std::size_t sum) const { return given_[row * sums_.size() + sum]; }
  const Given& LastGiven(std::size_t sum) const { return GivenAt(rows_ - 1, sum); }
  /// Whether a row can be released when one link has read it.
  bool HasOneReader() const { return readers_.size() == 1; }
  void Release();

  OutputProxy& source_;
  const ISpatialDefinition* places_ = nullptr;
  int version_ = 0;
  std::size_t rows_ = 0;      // that some readers may not have read yet
  std::vector<Given> given_;  // shape [rows][sums]
  std::vector<Summand> sums_;
  double missing_;
  double to_si_ = 1.0;
  Stamp last_ = kFarPast;
  std::vector<LinkMeter*> told_;     // of each row
  std::vector<LinkMeter*> readers_;  // read it later
  SourceFactors factors_;
};

/// The last steps that a consumer received on a link. In a large composition, the data of a step are not in the
/// processor's cache. So the data of an arrival are stored together, and several steps are balanced at once.
class ArrivedSteps {
 public:
  /// One step, and what arrived for it.
  struct Step {
    Stamp from;
    Stamp to;
    double sum = 0.0;  ///< of the values, each multiplied by its area
    std::size_t missing = 0;
  };
  explicit ArrivedSteps(double missing) : missing_(missing) {}

  /// Adds what was asked for, except what was asked for before.
  /// \param areas    of the elements; empty: 1 each
  /// \param on_full  called when no further step can be stored; takes all
  template <class F>
  void Add(const ITimeSpaceValueSet& values, const ITimeSet& times, std::span<const double> areas, F&& on_full) {
    for (std::size_t i = 0; i < times.Times().size(); ++i) {
      if (AddOne(values, times, i, areas) && count_ == steps_.size()) on_full();
    }
  }
  /// All steps, which are no longer stored then. Valid until the next call of Add.
  std::span<const Step> TakeAll() { return std::span(steps_).first(std::exchange(count_, 0)); }
  void ForgetTypes() { rows_.Clear(); }
  Stamp LastEnd() const { return last_; }
  /// Continues after a step that ended at `last`.
  void Restart(Stamp last);

 private:
  bool AddOne(const ITimeSpaceValueSet& values, const ITimeSet& times, std::size_t number,
              std::span<const double> areas);

  Stamp last_ = kFarPast;
  std::size_t count_ = 0;
  double missing_;
  NumberRows rows_;
  std::array<Step, 8> steps_;
};

/// Balances what leaves the provider of one link with what arrives at its consumer.
///
/// Each side is measured separately, with nothing that an adaptor computes with: the provider's rows over its own steps
/// with its own areas, and the rows that the consumer received over its own steps with its own areas. A value at an
/// instant holds over the step that ends there. What lies outside the targets follows from the elements of both ends.
///
/// Each step of the consumer is compared with what the provider gave in that time, in proportion to the overlap with
/// its rows. A step with a missing value on either side counts on neither side. The step in which the warm-up ends
/// counts in part, with the same part on both sides. Only the steps in which one side is ahead of the other are stored,
/// and no more than a bounded number.
class LinkMeter final : public IArrivalListener {
 public:
  /// Listens from now on, if the link can be balanced.
  /// \param link      borrowed
  /// \param provider  borrowed
  /// \param begin     the end of the warm-up
  LinkMeter(Link& link, AmountPath path, ProviderMeter& provider, Stamp begin);

  void OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) override;
  /// To be called after ProviderMeter::Settle, as is SaveState.
  LinkBalanceFigures Figures() const;
  /// Why the link is not balanced; empty if it is.
  const std::string& NotBalanced() const { return measures_.not_balanced; }
  const LinkSpec& Spec() const { return link_.Spec(); }
  /// Forgets the types of a library that may be unloaded.
  void ForgetTypes() { arrived_.ForgetTypes(); }
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  friend class ProviderMeter;
  /// Measures areas and what lies outside the targets.
  void Renew(SourceFactors& factors);
  /// Notes that the provider gave a row over (`from`, `to`].
  void OnGiven(Stamp from, Stamp to, std::span<const double> row);
  /// The next row of the provider, in the amounts of this link.
  LinkPieces::Piece NextGiven();
  LinkPieces::Piece AsGiven(const ProviderMeter::Given& given, double within);
  LinkPieces::Piece AsTaken(const ArrivedSteps::Step& taken, double seconds);
  /// Reads the rows that the provider has added up since it read last.
  void Read();
  /// Sets what arrived against what the provider gave in that time.
  void Settle();

  bool is_balanced_ = false;
  bool is_told_ = false;           // of each row; else it reads the sums of the provider
  std::span<const double> areas_;  // of the targets; empty: 1 each
  ArrivedSteps arrived_;
  ProviderMeter& provider_;
  std::size_t read_ = 0;  // rows of the provider
  std::size_t sum_ = 0;   // index of the sum at the provider
  double given_scale_ = 1.0;
  double target_to_si_ = 1.0;
  Stamp begin_;
  std::size_t missing_ = 0;
  LinkPieces pieces_;

  Link& link_;
  AmountPath path_;
  AmountMeasures measures_;
  SourceFactors own_factors_;  // made when only the consumer's elements have changed
  double one_factor_ = 1.0;
  const ISpatialDefinition* target_places_ = nullptr;
  int target_version_ = 0;
};

}  // namespace openmi
