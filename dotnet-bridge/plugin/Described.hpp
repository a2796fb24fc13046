#pragma once

#include <string>

#include "dotnet-bridge/plugin/Border.hpp"
#include "dotnet-bridge/plugin/Thing.hpp"

namespace openmi::dotnet {

/// Implements caption and description of an object of a component for any interface that has them.
template <class Interface>
class DescribedThing : public Interface {
 public:
  explicit DescribedThing(Thing thing) : thing_(std::move(thing)) {}
  std::string Caption() const override { return TheBorder().Caption(Number()); }
  void SetCaption(const std::string& caption) override { TheBorder().SetCaption(Number(), caption); }
  std::string Description() const override { return TheBorder().Description(Number()); }
  void SetDescription(const std::string& description) override { TheBorder().SetDescription(Number(), description); }

  int Number() const { return thing_.Number(); }

 private:
  Thing thing_;
};

/// The same with an id.
template <class Interface>
class IdentifiedThing : public DescribedThing<Interface> {
 public:
  using DescribedThing<Interface>::DescribedThing;
  std::string Id() const override { return TheBorder().Id(this->Number()); }
};

}  // namespace openmi::dotnet
