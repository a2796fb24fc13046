#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
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
  std::size_t missing = 0;           ///< values missing on either side; steps with one count in none of the amounts
  bool is_weighed = true;            ///< false: no step could be balanced; amounts are NaN
  std::string note;                  ///< where areas come from; if nothing was balanced, why
};

class LinkMeter;

/// Adds up the rows of one output for the meters of all its links. It adds up a row once for all links that use the
/// same factors.
class ProviderMeter final : public IRowListener {
 public:
  /// \param source  borrowed
  explicit ProviderMeter(OutputProxy& source);

  /// Adds the meter of one more link.
  /// \param meter  borrowed
  void Add(LinkMeter& meter);
  bool IsEmpty() const { return meters_.empty(); }
  void OnRow(Stamp begin, Days duration, std::span<const double> row) override;
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

  SourceFactors& Factors() { return factors_; }
  double Missing() const { return missing_; }
  double ToSi() const { return to_si_; }

 private:
  friend class LinkMeter;
  /// The sum over a row, by the name of its factors.
  struct Sum {
    std::string name;
    const std::vector<double>* factors = nullptr;  // null: 1 each
    double amount = 0.0;
    std::size_t missing = 0;
  };
  /// Reads the elements again if they have changed.
  void Renew();
  std::size_t SumOf(const std::string& name);
  void AddUp(Sum& sum, std::span<const double> row) const;

  OutputProxy& source_;
  std::vector<LinkMeter*> meters_;
  std::vector<Sum> sums_;
  SourceFactors factors_;
  const ISpatialDefinition* places_ = nullptr;
  int version_ = 0;
  double missing_;
  double to_si_ = 1.0;
  Stamp last_ = kFarPast;
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
  LinkBalanceFigures Figures() const;
  /// Why the link is not balanced; empty if it is.
  const std::string& NotBalanced() const { return measures_.not_balanced; }
  const LinkSpec& Spec() const { return link_.Spec(); }
  /// Forgets the types of a library that may be unloaded.
  void ForgetTypes() { rows_.Clear(); }
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  friend class ProviderMeter;
  /// Measures areas and what lies outside the targets.
  void Renew(SourceFactors& factors);
  /// Notes that the provider gave a row over (`from`, `to`].
  void OnGiven(Stamp from, Stamp to, std::span<const double> row);
  double ArrivedAmount(std::span<const double> row, double seconds, bool& has_missing);

  Link& link_;
  AmountPath path_;
  ProviderMeter& provider_;
  AmountMeasures measures_;
  SourceFactors own_factors_;  // made when only the consumer's elements have changed
  std::size_t sum_ = 0;        // of the provider's
  double one_factor_ = 1.0;
  const ISpatialDefinition* target_places_ = nullptr;
  int target_version_ = 0;
  double target_to_si_ = 1.0;
  double target_missing_;
  bool is_rate_given_;
  bool is_rate_taken_;
  Stamp begin_;
  Stamp last_arrived_ = kFarPast;
  std::size_t missing_ = 0;
  LinkPieces pieces_;
  NumberRows rows_;
};

}  // namespace openmi
