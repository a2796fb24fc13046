#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/RowAdaptor.hpp"
#include "openmi/sdk/Quality.hpp"

namespace openmi {

/// A number for each category: the argument `table` of the two adaptors below, such as "dry=0; moist=0.4; wet=1".
using CategoryTable = std::vector<std::pair<std::string, double>>;

/// Turns categories into numbers by the argument `table`.
///
/// Where the table is empty, the number of a category is its index in the adaptee's list, from 0. A value that is no
/// category is missing. Argument `unit`: the unit of the numbers.
class CategoriesToNumbers final : public AdaptedOutput, public IEffectOnAmount {
 public:
  /// \throws LinkError  the adaptee's values are no categories
  CategoriesToNumbers(std::string id, IBaseOutput& adaptee);
  EffectOnAmount StateEffect() const override { return EffectOnAmount::Unknown("gives numbers of categories"); }
  const IValueDefinition& ValueDefinition() const override;
  /// \throws ArgumentError  the table cannot be read, names an unknown category, or omits one
  void Check() override;

 protected:
  void OnInitialize() override;
  const ITimeSpaceValueSet& Compute(const Question& question, Answer& answer) override;

 private:
  std::vector<double> Numbers() const;
  std::optional<std::size_t> PlaceOf(const Value& value) const;
  const IQuality* given_;
  Argument<std::string> table_;
  Argument<std::string> unit_;
  mutable std::unique_ptr<const IValueDefinition> definition_;
  mutable std::string unit_read_;
  std::vector<double> numbers_;  // shape [categories]
};

/// Turns numbers into categories by the argument `table`, whose numbers are ascending lower limits.
///
/// A value belongs to the last category whose limit it reaches. A value below the first limit, or a missing one, has no
/// category. Where the table is empty, the target's categories are numbered from 0, and whole numbers are looked up.
class NumbersToCategories final : public AdaptedOutput, public IEffectOnAmount {
 public:
  /// \param target  has the categories to give; null, or without categories: the table's categories
  NumbersToCategories(std::string id, IBaseOutput& adaptee, const IBaseInput* target);
  EffectOnAmount StateEffect() const override { return EffectOnAmount::Unknown("gives categories of numbers"); }
  const IValueDefinition& ValueDefinition() const override;
  /// \throws ArgumentError  the table cannot be read, does not ascend, or names no category of the target
  void Check() override;

 protected:
  void OnInitialize() override { limits_ = Limits(); }
  const ITimeSpaceValueSet& Compute(const Question& question, Answer& answer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;

 private:
  CategoryTable Limits() const;
  const IQuality* wanted_;
  Argument<std::string> table_;
  mutable std::unique_ptr<const Quality> own_;  // from the table, where the target has none
  mutable std::string table_read_;
  CategoryTable limits_;
  std::unordered_map<const IBaseExchangeItem*, ObjectValueSet> sets_;  // an answer for each consumer; null: for others
};

}  // namespace openmi
