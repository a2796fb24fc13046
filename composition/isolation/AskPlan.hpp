#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// Learns what a component asks for in each of its updates, so that the answers can be sent along with the request.
///
/// Most components ask for each linked input once, at the end of the step that they are about to make. What was asked
/// that way in two updates running, before anything else, is foreseen for the next one. A component that then does not
/// ask is never foreseen again: its provider went further than anybody wanted, once.
class AskPlan {
 public:
  /// The inputs to ask ahead for, in the order in which they were asked.
  std::span<const std::size_t> Ahead() const { return ahead_; }

  /// An update begins.
  void Begin();
  /// \param at_step_end  whether it was the one question that a step to the end told before asks
  void OnAsked(std::size_t input, bool at_step_end);
  /// An answer that was sent along was not asked for.
  void OnMissed() { is_off_ = true; }
  /// The update ended well: learns from it.
  void End();
  /// Begins to learn anew: an input has another provider, or an update failed.
  void Forget();

 private:
  struct Asked {
    std::size_t input;
    bool at_step_end;
  };
  std::vector<Asked> asked_;
  std::vector<int> times_asked_;   // by input
  std::vector<std::size_t> seen_;  // what the last update would have liked
  std::vector<std::size_t> ahead_;
  std::vector<std::size_t> now_;  // a buffer
  bool is_off_ = false;
};

}  // namespace openmi
