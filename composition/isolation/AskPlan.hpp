#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// Learns what a component asks for in each of its updates, so that the answers can be sent together with the request.
///
/// Most components ask for each linked input once, at the end of the step that they are about to make. What a component
/// asked in that way in two consecutive updates, before anything else, is foreseen for the next one. If a component
/// then does not ask, nothing is foreseen for it again: its provider went further than needed, once.
class AskPlan {
 public:
  /// The inputs to ask for ahead, in the order in which the component asked for them.
  std::span<const std::size_t> Ahead() const { return ahead_; }

  /// Notes that an update starts.
  void Begin();
  /// Notes a question of the component.
  /// \param input        index of the input
  /// \param at_step_end  whether it was the one question for the end of the step that was reported before
  void OnAsked(std::size_t input, bool at_step_end);
  /// Notes that an answer was sent ahead and the component did not ask for it.
  void OnMissed() { is_off_ = true; }
  /// Notes that the update succeeded, and learns from it.
  void End();
  /// Starts to learn again: an input has another provider, or an update failed.
  void Forget();

 private:
  struct Asked {
    std::size_t input;
    bool at_step_end;
  };
  std::vector<Asked> asked_;
  std::vector<int> times_asked_;   // by input
  std::vector<std::size_t> seen_;  // what would have been right to send ahead in the last update
  std::vector<std::size_t> ahead_;
  std::vector<std::size_t> now_;  // a buffer
  bool is_off_ = false;
};

}  // namespace openmi
