#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "timespace/items/NumericOutput.hpp"

namespace openmi {

/// Rows of outputs in memory of the component, which the component changes in each step.
///
/// Large rows are shown there, without a copy, as long as no one looks back: only one component takes the values of all
/// outputs, directly (through nothing but the proxies of a composition), each at the ends of its steps. Then no row is
/// held or read again when that component asks for the next one. It is not so with an adaptor, which may look back, nor
/// with a second component, which may still hold a row that the first has used. A consumer that is not of this SDK
/// gives no such information. Other rows are to be copied.
class ShownRows {
 public:
  static constexpr std::size_t kLeastShown = 1024;  ///< values of a row from which it is shown

  void Clear();
  /// Adds an output of the component. Its number is that of the outputs before it.
  void Add(NumericOutput& item);
  std::size_t Count() const { return entries_.size(); }
  /// Forgets what is shown, before a run.
  void Reset();

  /// Whether the consumers allow that rows are shown.
  bool MayShow();
  /// Publishes a row in memory of the component.
  /// \param values  as they are until the next step; shape [elements]
  /// \pre  `MayShow()`
  void Show(std::size_t output, Stamp begin, Days duration, std::span<const double> values);
  /// Copies the row that the output shows, if any. Call it before the output gets a row of its own.
  void Own(std::size_t output);
  /// Copies the rows that may be read after the next step. Call it before the step.
  void Keep();
  /// Copies all rows, before the memory goes.
  void OwnAll();
  /// Removes the rows, which no longer hold: the step failed.
  void DropAll();
  /// Removes the row of one output, if it shows one.
  void Drop(std::size_t output);

  /// Numbers since `Reset`.
  std::uint64_t CopiedValues() const { return copied_values_; }  ///< by `Own`
  std::uint64_t ShownCount() const { return shown_rows_; }

 private:
  struct Entry {
    NumericOutput* item = nullptr;
    bool is_shown = false;  // its newest row
  };
  std::vector<Entry> entries_;
  std::size_t takers_ = 0;  // as of the last look at them
  bool may_show_ = false;
  std::uint64_t copied_values_ = 0;
  std::uint64_t shown_rows_ = 0;
};

}  // namespace openmi
