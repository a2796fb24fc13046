#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/run/CumulativeCurve.hpp"
#include "composition/run/IArrivalListener.hpp"
#include "composition/run/IRowListener.hpp"
#include "composition/run/Link.hpp"
#include "composition/run/StandIn.hpp"

namespace openmi {

/// What went through a link between two times.
struct LinkBalanceFigures {
  std::string unit;                  ///< of both amounts ("m3", "kg", "m")
  double left = 0.0;                 ///< integrated over the provider's own steps
  double arrived = 0.0;              ///< from what the consumer was given
  double relative_difference = 0.0;  ///< (arrived - left) / left; 0 where both are 0
  std::size_t missing = 0;           ///< values left out on either side
  bool is_weighed = true;            ///< false: nothing arrived after the warm-up; amounts are NaN
  std::string note;                  ///< where areas come from
};

/// Weighs what a flux link carries on both sides of its adaptors.
///
/// A flux is a rate (volume, mass or depth per time), or an amount over spans that a chain with `sum-over-span` or
/// `divide-by-span` takes up. A depth counts times the area of its element where elements have one: on the provider's
/// side the part of each element that lies in the consumer's. A length per time without any area is a flux where both
/// ends are spans, else a speed as likely as not, and no meter is made. A value at an instant holds over the step that
/// ends there. Weights come from geometry and element areas, never from the adaptors' own weights for the same step, so
/// that an adaptor that loses something shows.
class LinkMeter final : public IRowListener, public IArrivalListener {
 public:
  /// A meter for a link that carries a flux; null for any other. Listens from then on.
  static std::unique_ptr<LinkMeter> For(Link& link, StandIn& source);

  void OnRow(Stamp begin, Days duration, std::span<const double> row) override;
  void OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) override;

  /// \param from  the end of the warm-up
  /// \param to    how far the consumer is
  LinkBalanceFigures Between(Stamp from, Stamp to) const;
  /// How far the consumer is.
  Stamp ArrivedUntil() const { return arrived_.LastTime(); }
  const LinkSpec& Spec() const { return spec_; }
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  enum class Kind { Rate, Amount };
  /// One side of the link: how values become amounts.
  struct Side {
    Kind kind = Kind::Rate;
    double to_si = 1.0;
    double missing = 0.0;
    std::vector<double> measure;  // shape [elements], m2 or 1; empty: 1 each
    double Amount(std::span<const double> row, double seconds, std::size_t& left_out) const;
  };
  explicit LinkMeter(const LinkSpec& spec) : spec_(spec) {}

  const LinkSpec& spec_;
  Side left_side_;
  Side arrived_side_;
  CumulativeCurve left_;
  CumulativeCurve arrived_;
  Stamp last_left_ = kFarPast;
  Stamp last_arrived_ = kFarPast;
  std::size_t missing_ = 0;
  std::string unit_;
  std::string note_;
  std::vector<double> scratch_;
};

}  // namespace openmi
