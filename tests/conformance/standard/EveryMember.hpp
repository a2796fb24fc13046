#pragma once

// What EveryMember.cpp leaves members out with, and what its classes have in common.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/standard.hpp"
#include "timespace/standard.hpp"

// MEMBER(name, ...) is the rest of its arguments, or nothing if LEAVE_OUT_name is 1.
#define SECOND(first, second, ...) second
#define IS_ONE_1 ~, 1
#define IS_ONE_OF(...) SECOND(__VA_ARGS__, 0, ~)
#define IS_ONE_PASTED(flag) IS_ONE_OF(IS_ONE_##flag)
#define IS_ONE(flag) IS_ONE_PASTED(flag)
#define WHEN_0(...) __VA_ARGS__
#define WHEN_1(...)
#define PASTE_TOO(a, b) a##b
#define PASTE(a, b) PASTE_TOO(a, b)
#define MEMBER(name, ...) PASTE(WHEN_, IS_ONE(LEAVE_OUT_##name))(__VA_ARGS__)

namespace openmi {
namespace {

template <class Interface>
class Described : public Interface {
 public:
  std::string Caption() const override { return {}; }
  void SetCaption(const std::string&) override {}
  std::string Description() const override { return {}; }
  void SetDescription(const std::string&) override {}
};

template <class Interface>
class Identified : public Described<Interface> {
 public:
  std::string Id() const override { return "id"; }
};

template <class Interface>
class Defined : public Described<Interface> {
 public:
  Value MissingDataValue() const override { return {}; }
  openmi::ValueType ValueType() const override { return {}; }
};

template <class Interface>
class Placed : public Described<Interface> {
 public:
  std::string SpatialReferenceSystemWkt() const override { return {}; }
  int ElementCount() const override { return 0; }
  int Version() const override { return 0; }
};

template <class Interface>
class Item : public Identified<Interface> {
 public:
  IBaseLinkableComponent* Component() const override { return nullptr; }
  IEvent<ExchangeItemChangeEventArgs>& ItemChanged() override { return *changed_; }
  const IValueDefinition& ValueDefinition() const override { return *definition_; }

 private:
  std::unique_ptr<IEvent<ExchangeItemChangeEventArgs>> changed_;
  std::unique_ptr<IValueDefinition> definition_;
};

template <class Interface>
class TimesAndPlaces : public Item<Interface> {
 public:
  const ISpatialDefinition* SpatialDefinition() const override { return nullptr; }
  const ITimeSet* TimeSet() const override { return nullptr; }
};

template <class Interface>
class Lists : public Interface {
 public:
  std::span<IBaseAdaptedOutput* const> AdaptedOutputs() const override { return {}; }
  void AddAdaptedOutput(IBaseAdaptedOutput&) override {}
  void AddConsumer(IBaseInput&) override {}
  std::span<IBaseInput* const> Consumers() const override { return {}; }
  void RemoveAdaptedOutput(IBaseAdaptedOutput&) override {}
  void RemoveConsumer(IBaseInput&) override {}
};

}  // namespace
}  // namespace openmi
