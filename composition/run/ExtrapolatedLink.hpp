#pragma once

#include <vector>

#include "composition/run/Link.hpp"
#include "composition/run/LoopProbe.hpp"
#include "composition/run/StandIn.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/ValueSets.hpp"

namespace openmi {

/// The end of a link with `Loop="extrapolate"`: where a question comes back round a loop to a component that is in the
/// middle of its update, the straight line through the last two rows of its output answers, as the chain of adaptors
/// gives them. Any other question is asked of the chain; so are questions for spans to an output of instants, and the
/// other way round: a time adaptor on the link extrapolates by its own argument `relaxation`.
class ExtrapolatedLink final : public ILinkAnswer {
 public:
  /// \param link  with an end, from a stand-in; borrowed
  explicit ExtrapolatedLink(Link& link);
  ~ExtrapolatedLink() override;
  ExtrapolatedLink(const ExtrapolatedLink&) = delete;
  ExtrapolatedLink& operator=(const ExtrapolatedLink&) = delete;

  const ITimeSpaceValueSet& Answer() override;
  /// Whether a question ever came back round the loop along this link.
  bool WasNeeded() const { return was_needed_; }
  const Link& Of() const { return link_; }

 private:
  const ITimeSpaceValueSet& Find();
  /// The chain's answer for the time of a row. \returns false where it is none of one row of numbers
  bool AskRow(std::size_t row, std::vector<double>& values);

  Link& link_;
  StandIn& output_;
  LoopProbe probe_;
  double missing_;
  bool was_needed_ = false;
  TimeSet times_;
  std::vector<double> earlier_, later_;
  RowsView view_;
  CastByType<const INumericRows, const ITimeSpaceValueSet> as_rows_;
};

}  // namespace openmi
