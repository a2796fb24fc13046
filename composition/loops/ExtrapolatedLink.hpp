#pragma once

#include <vector>

#include "composition/link/Link.hpp"
#include "composition/loops/LoopProbe.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// The end of a link with `Loop="extrapolate"`.
///
/// When a question comes back round a loop to a component that is in the middle of its update, the straight line
/// through the last two rows of its output answers, as the chain of adaptors gives these rows. The chain answers all
/// other questions. It also answers questions for spans to an output of instants, and questions for instants to an
/// output of spans: there a time adaptor on the link extrapolates by its argument `relaxation`.
class ExtrapolatedLink final : public ILinkAnswer {
 public:
  /// \param link  with an end, from an output proxy; borrowed
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
  /// Asks the chain for the time of a row.
  /// \returns false if the answer is not one row of numbers
  bool AskRow(std::size_t row, std::vector<double>& values);

  Link& link_;
  OutputProxy& output_;
  LoopProbe probe_;
  double missing_;
  bool was_needed_ = false;
  TimeSet times_;
  std::vector<double> earlier_, later_;
  RowsView view_;
  CastByType<const INumericRows, const ITimeSpaceValueSet> as_rows_;
};

}  // namespace openmi
