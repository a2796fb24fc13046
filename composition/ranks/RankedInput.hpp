#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "composition/ranks/JoinedElements.hpp"
#include "composition/ranks/RankThreads.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/values/NumberRows.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// An input of a component on several ranks: passes the questions of all ranks to one provider, and gives each rank the
/// values of its elements.
///
/// Ranks usually ask the same question. The provider then gets it once a call.
class RankedInput {
 public:
  /// \param whole    the input that the run links; borrowed
  /// \param pieces   the inputs of the ranks that have it; borrowed
  /// \param threads  on which the ranks ask; borrowed
  RankedInput(NumericInput& whole, std::vector<NumericInput*> pieces, JoinedElements elements, RankThreads& threads);
  ~RankedInput();
  RankedInput(const RankedInput&) = delete;
  RankedInput& operator=(const RankedInput&) = delete;

  /// To be called before each call of the ranks: links them as the whole input is linked, and notes which times they
  /// may still ask for.
  void BeginCall();

 private:
  class Provider;
  /// The answer to what a rank asks now. On the thread of the run.
  void Answer(std::size_t part, Provider& provider);

  NumericInput& whole_;
  std::vector<NumericInput*> pieces_;
  JoinedElements elements_;
  RankThreads& threads_;
  std::vector<std::unique_ptr<Provider>> providers_;  // one for each piece
  Stamp earliest_ = kFarPast;
  const IBaseValueSet* answer_ = nullptr;  // to what whole_ asked last, in this call
  NumberRows rows_;
};

}  // namespace openmi
