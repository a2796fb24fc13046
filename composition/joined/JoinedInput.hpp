#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "composition/joined/JoinedElements.hpp"
#include "composition/joined/JoinedThreads.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/values/NumberRows.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// An input of a joined component: passes the questions of all pieces to one provider, and gives each piece the values
/// of its elements.
///
/// Pieces usually ask the same question. The provider then gets it once a call.
class JoinedInput {
 public:
  /// \param whole    the input that the run links; borrowed
  /// \param pieces   the inputs of the processes that have it; borrowed
  /// \param threads  on which the pieces ask; borrowed
  JoinedInput(NumericInput& whole, std::vector<NumericInput*> pieces, JoinedElements elements, JoinedThreads& threads);
  ~JoinedInput();
  JoinedInput(const JoinedInput&) = delete;
  JoinedInput& operator=(const JoinedInput&) = delete;

  /// To be called before each call of the pieces: links them as the whole input is linked, and notes which times they
  /// may still ask for.
  void BeginCall();

 private:
  class Provider;
  /// The answer to what a piece asks now. On the thread of the run.
  void Answer(std::size_t piece, Provider& provider);

  NumericInput& whole_;
  std::vector<NumericInput*> pieces_;
  JoinedElements elements_;
  JoinedThreads& threads_;
  std::vector<std::unique_ptr<Provider>> providers_;  // one for each piece
  Stamp earliest_ = kFarPast;
  const IBaseValueSet* answer_ = nullptr;  // to what whole_ asked last, in this call
  NumberRows rows_;
};

}  // namespace openmi
