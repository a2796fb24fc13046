// Every interface of the standard, implemented once with nothing but the standard's own headers. `override` holds each
// member to its signature, and that each class can be made shows that there is no other member.
//
// With -DLEAVE_OUT_<interface>_<member>=1 that member is left out, and this file must not compile: EveryMember.cmake
// tries it with every one of them.

#include "tests/conformance/standard/EveryMember.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace openmi {
namespace {

template <class Args>
class Event final : public IEvent<Args> {
 public:
  MEMBER(
      IEvent_Add, EventSubscription Add(std::function<void(const Args&)>) override { return {}; })
  MEMBER(IEvent_Remove, void Remove(EventSubscription) override{})
};

class Describable final : public IDescribable {
 public:
  MEMBER(
      IDescribable_Caption, std::string Caption() const override { return {}; })
  MEMBER(IDescribable_SetCaption, void SetCaption(const std::string&) override{})
  MEMBER(
      IDescribable_Description, std::string Description() const override { return {}; })
  MEMBER(IDescribable_SetDescription, void SetDescription(const std::string&) override{})
};

class Identifiable final : public Described<IIdentifiable> {
 public:
  MEMBER(
      IIdentifiable_Id, std::string Id() const override { return "id"; })
};

class Definition final : public Described<IValueDefinition> {
 public:
  MEMBER(
      IValueDefinition_MissingDataValue, Value MissingDataValue() const override { return {}; })
  MEMBER(
      IValueDefinition_ValueType, openmi::ValueType ValueType() const override { return {}; })
};

class DimensionOfNothing final : public IDimension {
 public:
  MEMBER(
      IDimension_GetPower, double GetPower(DimensionBase) const override { return 0.0; })
};

class UnitOfNothing final : public Described<IUnit> {
 public:
  MEMBER(
      IUnit_ConversionFactorToSI, double ConversionFactorToSI() const override { return 1.0; })
  MEMBER(
      IUnit_OffSetToSI, double OffSetToSI() const override { return 0.0; })
  MEMBER(
      IUnit_Dimension, const IDimension& Dimension() const override { return *dimension_; })

 private:
  std::unique_ptr<IDimension> dimension_;
};

class Quantity final : public Defined<IQuantity> {
 public:
  MEMBER(
      IQuantity_Unit, const IUnit& Unit() const override { return *unit_; })

 private:
  std::unique_ptr<IUnit> unit_;
};

class Category final : public Described<ICategory> {
 public:
  MEMBER(
      ICategory_Value, openmi::Value Value() const override { return 1; })
};

class Quality final : public Defined<IQuality> {
 public:
  MEMBER(
      IQuality_Categories, std::span<const ICategory* const> Categories() const override { return {}; })
  MEMBER(
      IQuality_IsOrdered, bool IsOrdered() const override { return true; })
};

class Place final : public Described<ISpatialDefinition> {
 public:
  MEMBER(
      ISpatialDefinition_SpatialReferenceSystemWkt,
      std::string SpatialReferenceSystemWkt() const override { return {}; })
  MEMBER(
      ISpatialDefinition_ElementCount, int ElementCount() const override { return 0; })
  MEMBER(
      ISpatialDefinition_Version, int Version() const override { return 0; })
};

class Elements final : public Placed<IElementSet> {
 public:
  MEMBER(
      IElementSet_ElementType, openmi::ElementType ElementType() const override { return {}; })
  MEMBER(
      IElementSet_GetElementId, const IIdentifiable* GetElementId(int) const override { return nullptr; })
  MEMBER(
      IElementSet_GetElementIndex, int GetElementIndex(const IIdentifiable&) const override { return -1; })
  MEMBER(
      IElementSet_GetFaceCount, int GetFaceCount(int) const override { return 0; })
  MEMBER(
      IElementSet_GetFaceVertexIndices, std::vector<int> GetFaceVertexIndices(int, int) const override { return {}; })
  MEMBER(
      IElementSet_GetVertexCount, int GetVertexCount(int) const override { return 0; })
  MEMBER(
      IElementSet_GetVertexMCoordinate, double GetVertexMCoordinate(int, int) const override { return 0.0; })
  MEMBER(
      IElementSet_GetVertexXCoordinate, double GetVertexXCoordinate(int, int) const override { return 0.0; })
  MEMBER(
      IElementSet_GetVertexYCoordinate, double GetVertexYCoordinate(int, int) const override { return 0.0; })
  MEMBER(
      IElementSet_GetVertexZCoordinate, double GetVertexZCoordinate(int, int) const override { return 0.0; })
  MEMBER(
      IElementSet_HasM, bool HasM() const override { return false; })
  MEMBER(
      IElementSet_HasZ, bool HasZ() const override { return false; })
};

class Moment final : public ITime {
 public:
  MEMBER(
      ITime_DurationInDays, double DurationInDays() const override { return 0.0; })
  MEMBER(
      ITime_StampAsModifiedJulianDay, double StampAsModifiedJulianDay() const override { return 0.0; })
};

class NoTimes final : public ITimeSet {
 public:
  MEMBER(
      ITimeSet_HasDurations, bool HasDurations() const override { return false; })
  MEMBER(
      ITimeSet_OffsetFromUtcInHours, double OffsetFromUtcInHours() const override { return 0.0; })
  MEMBER(
      ITimeSet_TimeHorizon, const ITime& TimeHorizon() const override { return *horizon_; })
  MEMBER(
      ITimeSet_Times, std::span<const ITime* const> Times() const override { return {}; })

 private:
  std::unique_ptr<ITime> horizon_;
};

class BaseValues final : public IBaseValueSet {
 public:
  MEMBER(
      IBaseValueSet_GetIndexCount, std::size_t GetIndexCount(std::span<const std::size_t>) const override { return 0; })
  MEMBER(
      IBaseValueSet_GetValue, Value GetValue(std::span<const std::size_t>) const override { return {}; })
  MEMBER(
      IBaseValueSet_NumberOfIndices, std::size_t NumberOfIndices() const override { return 1; })
  MEMBER(IBaseValueSet_SetValue, void SetValue(std::span<const std::size_t>, const Value&) override{})
  MEMBER(
      IBaseValueSet_ValueType, openmi::ValueType ValueType() const override { return {}; })
};

class TimeSpaceValues final : public ITimeSpaceValueSet {
 public:
  std::size_t GetIndexCount(std::span<const std::size_t>) const override { return 0; }
  Value GetValue(std::span<const std::size_t>) const override { return {}; }
  std::size_t NumberOfIndices() const override { return 2; }
  void SetValue(std::span<const std::size_t>, const Value&) override {}
  openmi::ValueType ValueType() const override { return {}; }
  using List = std::vector<Value>;
  MEMBER(
      ITimeSpaceValueSet_GetElementValuesForTime, List GetElementValuesForTime(int) const override { return {}; })
  MEMBER(
      ITimeSpaceValueSet_GetTimeSeriesValuesForElement,
      List GetTimeSeriesValuesForElement(int) const override { return {}; })
  MEMBER(
      ITimeSpaceValueSet_GetValue, Value GetValue(int, int) const override { return {}; })
  MEMBER(ITimeSpaceValueSet_SetElementValuesForTime,
         void SetElementValuesForTime(int, std::span<const Value>) override{})
  MEMBER(ITimeSpaceValueSet_SetTimeSeriesValuesForElement,
         void SetTimeSeriesValuesForElement(int, std::span<const Value>) override{})
  MEMBER(ITimeSpaceValueSet_SetValue, void SetValue(int, int, const Value&) override{})
  MEMBER(
      ITimeSpaceValueSet_Values2D, std::vector<List> Values2D() const override { return {}; })
  MEMBER(ITimeSpaceValueSet_SetValues2D, void SetValues2D(const std::vector<List>&) override{})
};

class Argument final : public Identified<IArgument> {
 public:
  using Possible = std::optional<std::span<const openmi::Value>>;
  MEMBER(
      IArgument_DefaultValue, openmi::Value DefaultValue() const override { return {}; })
  MEMBER(
      IArgument_IsOptional, bool IsOptional() const override { return true; })
  MEMBER(
      IArgument_IsReadOnly, bool IsReadOnly() const override { return true; })
  MEMBER(
      IArgument_PossibleValues, Possible PossibleValues() const override { return {}; })
  MEMBER(
      IArgument_Value, openmi::Value Value() const override { return {}; })
  MEMBER(IArgument_SetValue, void SetValue(const openmi::Value&) override{})
  MEMBER(
      IArgument_ValueAsString, std::string ValueAsString() const override { return {}; })
  MEMBER(IArgument_SetValueAsString, void SetValueAsString(const std::string&) override{})
  MEMBER(
      IArgument_ValueType, openmi::ValueType ValueType() const override { return {}; })
};

class ExchangeItem final : public Identified<IBaseExchangeItem> {
 public:
  using Changed = IEvent<ExchangeItemChangeEventArgs>;
  MEMBER(
      IBaseExchangeItem_Component, IBaseLinkableComponent* Component() const override { return nullptr; })
  MEMBER(
      IBaseExchangeItem_ItemChanged, Changed& ItemChanged() override { return *changed_; })
  MEMBER(
      IBaseExchangeItem_ValueDefinition,
      const IValueDefinition& ValueDefinition() const override { return *definition_; })

 private:
  std::unique_ptr<Changed> changed_;
  std::unique_ptr<IValueDefinition> definition_;
};

class Input final : public Item<IBaseInput> {
 public:
  MEMBER(
      IBaseInput_Provider, IBaseOutput* Provider() const override { return nullptr; })
  MEMBER(IBaseInput_SetProvider, void SetProvider(IBaseOutput*) override{})
  MEMBER(
      IBaseInput_Values, const IBaseValueSet* Values() const override { return nullptr; })
  MEMBER(IBaseInput_SetValues, void SetValues(const IBaseValueSet*) override{})
};

class Output final : public Item<IBaseOutput> {
 public:
  using AdaptedList = std::span<IBaseAdaptedOutput* const>;
  using ConsumerList = std::span<IBaseInput* const>;
  MEMBER(
      IBaseOutput_AdaptedOutputs, AdaptedList AdaptedOutputs() const override { return {}; })
  MEMBER(IBaseOutput_AddAdaptedOutput, void AddAdaptedOutput(IBaseAdaptedOutput&) override{})
  MEMBER(IBaseOutput_AddConsumer, void AddConsumer(IBaseInput&) override{})
  MEMBER(
      IBaseOutput_Consumers, ConsumerList Consumers() const override { return {}; })
  MEMBER(
      IBaseOutput_GetValues, const IBaseValueSet& GetValues(const IBaseExchangeItem&) override { return *values_; })
  MEMBER(IBaseOutput_RemoveAdaptedOutput, void RemoveAdaptedOutput(IBaseAdaptedOutput&) override{})
  MEMBER(IBaseOutput_RemoveConsumer, void RemoveConsumer(IBaseInput&) override{})
  MEMBER(
      IBaseOutput_Values, const IBaseValueSet& Values() const override { return *values_; })

 private:
  std::unique_ptr<IBaseValueSet> values_;
};

class TimeSpaceItem final : public Item<ITimeSpaceExchangeItem> {
 public:
  MEMBER(
      ITimeSpaceExchangeItem_SpatialDefinition,
      const ISpatialDefinition* SpatialDefinition() const override { return nullptr; })
  MEMBER(
      ITimeSpaceExchangeItem_TimeSet, const ITimeSet* TimeSet() const override { return nullptr; })
};

class TimeSpaceInput final : public TimesAndPlaces<ITimeSpaceInput> {
 public:
  IBaseOutput* Provider() const override { return nullptr; }
  void SetProvider(IBaseOutput*) override {}
  void SetValues(const IBaseValueSet*) override {}
  MEMBER(
      ITimeSpaceInput_Values, const ITimeSpaceValueSet* Values() const override { return nullptr; })
};

class TimeSpaceOutput final : public Lists<TimesAndPlaces<ITimeSpaceOutput>> {
 public:
  MEMBER(
      ITimeSpaceOutput_GetValues,
      const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem&) override { return *values_; })
  MEMBER(
      ITimeSpaceOutput_Values, const ITimeSpaceValueSet& Values() const override { return *values_; })

 private:
  std::unique_ptr<ITimeSpaceValueSet> values_;
};

class AdaptedOutput final : public Lists<Item<IBaseAdaptedOutput>> {
 public:
  using ArgumentList = std::span<IArgument* const>;
  const IBaseValueSet& GetValues(const IBaseExchangeItem&) override { return *values_; }
  const IBaseValueSet& Values() const override { return *values_; }
  MEMBER(
      IBaseAdaptedOutput_Adaptee, IBaseOutput& Adaptee() const override { return *adaptee_; })
  MEMBER(
      IBaseAdaptedOutput_Arguments, ArgumentList Arguments() const override { return {}; })
  MEMBER(IBaseAdaptedOutput_Initialize, void Initialize() override{})
  MEMBER(IBaseAdaptedOutput_Refresh, void Refresh() override{})

 private:
  std::unique_ptr<IBaseValueSet> values_;
  std::unique_ptr<IBaseOutput> adaptee_;
};

class TimeSpaceAdaptedOutput final : public Lists<TimesAndPlaces<ITimeSpaceAdaptedOutput>> {
 public:
  IBaseOutput& Adaptee() const override { return *adaptee_; }
  std::span<IArgument* const> Arguments() const override { return {}; }
  void Initialize() override {}
  void Refresh() override {}
  // Narrowed in ITimeSpaceOutput, and so here.
  MEMBER(
      ITimeSpaceAdaptedOutput_GetValues,
      const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem&) override { return *values_; })
  MEMBER(
      ITimeSpaceAdaptedOutput_Values, const ITimeSpaceValueSet& Values() const override { return *values_; })

 private:
  std::unique_ptr<ITimeSpaceValueSet> values_;
  std::unique_ptr<IBaseOutput> adaptee_;
};

class Factory final : public Identified<IAdaptedOutputFactory> {
 public:
  using Made = std::unique_ptr<IBaseAdaptedOutput>;
  using Ids = std::vector<const IIdentifiable*>;
  MEMBER(
      IAdaptedOutputFactory_CreateAdaptedOutput,
      Made CreateAdaptedOutput(const IIdentifiable&, IBaseOutput&, IBaseInput*) override { return nullptr; })
  MEMBER(
      IAdaptedOutputFactory_GetAvailableAdaptedOutputIds,
      Ids GetAvailableAdaptedOutputIds(const IBaseOutput&, const IBaseInput*) override { return {}; })
};

class States final : public IManageState {
 public:
  MEMBER(IManageState_ClearState, void ClearState(const IIdentifiable&) override{})
  MEMBER(
      IManageState_KeepCurrentState, const IIdentifiable& KeepCurrentState() override { return *id_; })
  MEMBER(IManageState_RestoreState, void RestoreState(const IIdentifiable&) override{})

 private:
  std::unique_ptr<IIdentifiable> id_;
};

class StateBytes final : public IByteStateConverter {
 public:
  MEMBER(
      IByteStateConverter_ConvertFromByteArray,
      const IIdentifiable& ConvertFromByteArray(std::span<const std::byte>) override { return *id_; })
  MEMBER(
      IByteStateConverter_ConvertToByteArray, Bytes ConvertToByteArray(const IIdentifiable&) override { return {}; })

 private:
  std::unique_ptr<IIdentifiable> id_;
};

class Component final : public Identified<IBaseLinkableComponent> {
 public:
  using Factories = std::vector<IAdaptedOutputFactory*>;
  using ArgumentList = std::span<IArgument* const>;
  using InputList = std::span<IBaseInput* const>;
  using OutputList = std::span<IBaseOutput* const>;
  using Changed = IEvent<LinkableComponentStatusChangeEventArgs>;
  MEMBER(
      IBaseLinkableComponent_AdaptedOutputFactories,
      Factories& AdaptedOutputFactories() override { return factories_; })
  MEMBER(
      IBaseLinkableComponent_Arguments, ArgumentList Arguments() const override { return {}; })
  MEMBER(IBaseLinkableComponent_Finish, void Finish() override{})
  MEMBER(IBaseLinkableComponent_Initialize, void Initialize() override{})
  MEMBER(
      IBaseLinkableComponent_Inputs, InputList Inputs() const override { return {}; })
  MEMBER(
      IBaseLinkableComponent_Outputs, OutputList Outputs() const override { return {}; })
  MEMBER(IBaseLinkableComponent_Prepare, void Prepare() override{})
  MEMBER(
      IBaseLinkableComponent_Status, LinkableComponentStatus Status() const override { return {}; })
  MEMBER(
      IBaseLinkableComponent_StatusChanged, Changed& StatusChanged() override { return *changed_; })
  MEMBER(IBaseLinkableComponent_Update, void Update(OutputList) override{})
  MEMBER(
      IBaseLinkableComponent_Validate, std::vector<std::string> Validate() override { return {}; })

 private:
  Factories factories_;
  std::unique_ptr<Changed> changed_;
};

class Extension final : public ITimeExtension {
 public:
  MEMBER(
      ITimeExtension_TimeExtent, const ITimeSet& TimeExtent() const override { return *extent_; })

 private:
  std::unique_ptr<ITimeSet> extent_;
};

class TimeSpaceComponent final : public Identified<ITimeSpaceComponent> {
 public:
  std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() override { return factories_; }
  std::span<IArgument* const> Arguments() const override { return {}; }
  void Finish() override {}
  void Initialize() override {}
  std::span<IBaseInput* const> Inputs() const override { return {}; }
  std::span<IBaseOutput* const> Outputs() const override { return {}; }
  void Prepare() override {}
  LinkableComponentStatus Status() const override { return {}; }
  IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() override { return *changed_; }
  void Update(std::span<IBaseOutput* const>) override {}
  std::vector<std::string> Validate() override { return {}; }
  MEMBER(
      ITimeSpaceComponent_TimeExtent, const ITimeSet& TimeExtent() const override { return *extent_; })

 private:
  std::vector<IAdaptedOutputFactory*> factories_;
  std::unique_ptr<IEvent<LinkableComponentStatusChangeEventArgs>> changed_;
  std::unique_ptr<ITimeSet> extent_;
};

}  // namespace

/// Makes one of each.
void MakeOneOfEach();
void MakeOneOfEach() {
  Event<ExchangeItemChangeEventArgs> event;
  Describable describable;
  Identifiable identifiable;
  Definition definition;
  DimensionOfNothing dimension;
  UnitOfNothing unit;
  Quantity quantity;
  Category category;
  Quality quality;
  Place place;
  Elements elements;
  Moment moment;
  NoTimes times;
  BaseValues base_values;
  TimeSpaceValues time_space_values;
  Argument argument;
  ExchangeItem exchange_item;
  Input input;
  Output output;
  TimeSpaceItem time_space_item;
  TimeSpaceInput time_space_input;
  TimeSpaceOutput time_space_output;
  AdaptedOutput adapted_output;
  TimeSpaceAdaptedOutput time_space_adapted_output;
  Factory factory;
  States states;
  StateBytes state_bytes;
  Component component;
  Extension extension;
  TimeSpaceComponent time_space_component;
}

}  // namespace openmi
