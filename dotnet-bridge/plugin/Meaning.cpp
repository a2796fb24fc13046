#include "dotnet-bridge/plugin/Meaning.hpp"

#include <vector>

#include "dotnet-bridge/plugin/Described.hpp"
#include "openmi/standard/IQuality.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi::dotnet {
namespace {

class ManagedDimension final : public IDimension {
 public:
  explicit ManagedDimension(Thing thing) : thing_(std::move(thing)) {}
  double GetPower(DimensionBase base) const override {
    return TheBorder().GetPower(thing_.Number(), static_cast<int>(base));
  }

 private:
  Thing thing_;
};

class ManagedUnit final : public DescribedThing<IUnit> {
 public:
  explicit ManagedUnit(Thing thing)
      : DescribedThing(std::move(thing)), dimension_(Thing(TheBorder().Dimension(Number()))) {}
  double ConversionFactorToSI() const override { return TheBorder().ConversionFactorToSI(Number()); }
  const IDimension& Dimension() const override { return dimension_; }
  double OffSetToSI() const override { return TheBorder().OffSetToSI(Number()); }

 private:
  ManagedDimension dimension_;
};

/// \tparam Interface  IValueDefinition, IQuantity or IQuality
template <class Interface>
class ManagedDefinition : public DescribedThing<Interface> {
 public:
  explicit ManagedDefinition(Thing thing)
      : DescribedThing<Interface>(std::move(thing)), type_(TypeOf(TheBorder().DefinitionType(this->Number()))) {}
  Value MissingDataValue() const override { return TheBorder().MissingDataValue(this->Number()); }
  openmi::ValueType ValueType() const override { return type_; }

 private:
  openmi::ValueType type_;
};

class ManagedQuantity final : public ManagedDefinition<IQuantity> {
 public:
  explicit ManagedQuantity(Thing thing)
      : ManagedDefinition(std::move(thing)), unit_(Thing(TheBorder().Unit(Number()))) {}
  const IUnit& Unit() const override { return unit_; }

 private:
  ManagedUnit unit_;
};

class ManagedCategory final : public DescribedThing<ICategory> {
 public:
  using DescribedThing::DescribedThing;
  openmi::Value Value() const override { return TheBorder().CategoryValue(Number()); }
};

class ManagedQuality final : public ManagedDefinition<IQuality> {
 public:
  explicit ManagedQuality(Thing thing) : ManagedDefinition(std::move(thing)) {
    for (const int category : TheBorder().Categories(Number())) {
      categories_.push_back(std::make_unique<ManagedCategory>(Thing(category)));
      list_.push_back(categories_.back().get());
    }
  }
  std::span<const ICategory* const> Categories() const override { return list_; }
  bool IsOrdered() const override { return TheBorder().IsOrdered(Number()) != 0; }

 private:
  std::vector<std::unique_ptr<ManagedCategory>> categories_;
  std::vector<const ICategory*> list_;
};

}  // namespace

ValueType TypeOf(int kind) {
  return {static_cast<ValueKind>(kind)};
}

std::unique_ptr<const IValueDefinition> DefinitionOf(Thing definition) {
  switch (TheBorder().DefinitionForm(definition.Number())) {
    case 1:
      return std::make_unique<ManagedQuantity>(std::move(definition));
    case 2:
      return std::make_unique<ManagedQuality>(std::move(definition));
    default:
      return std::make_unique<ManagedDefinition<IValueDefinition>>(std::move(definition));
  }
}

}  // namespace openmi::dotnet
