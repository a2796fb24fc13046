// What of Annex A the compiler can see: names, order and count of the enumerators, and which interface stands on which.
// EveryMember.cpp holds the members.

#include <gtest/gtest.h>

#include <array>
#include <type_traits>

#include "composition/conformance/AnnexA.hpp"
#include "openmi/standard.hpp"
#include "timespace/standard.hpp"

namespace openmi {
namespace {

template <class Enumeration, std::size_t count>
constexpr bool InOrder(const std::array<Enumeration, count>& members) {
  for (std::size_t i = 0; i < count; ++i) {
    if (static_cast<std::size_t>(members[i]) != i) return false;
  }
  return true;
}

// 3.7
using D = DimensionBase;
static_assert(InOrder(std::array{D::Length, D::Mass, D::Time, D::ElectricCurrent, D::Temperature, D::AmountOfSubstance,
                                 D::LuminousIntensity, D::Currency}));
static_assert(kDimensionBaseCount == 8);

// 4.3
using E = ElementType;
static_assert(InOrder(std::array{E::IdBased, E::Point, E::PolyLine, E::Polygon, E::Polyhedron}));

// 8.1
using S = LinkableComponentStatus;
static_assert(InOrder(std::array{S::Created, S::Initializing, S::Initialized, S::Validating, S::Valid,
                                 S::WaitingForData, S::Invalid, S::Preparing, S::Updating, S::Updated, S::Done,
                                 S::Finishing, S::Finished, S::Failed}));

/// Can be nothing but a base, and is unambiguously what it extends, however many ways lead there.
template <class Interface, class... Bases>
constexpr bool Extends = std::is_abstract_v<Interface>&& std::has_virtual_destructor_v<Interface> &&
                         (std::is_convertible_v<Interface*, Bases*> && ...);

static_assert(Extends<IDescribable>);                                                                    // 2.1
static_assert(Extends<IIdentifiable, IDescribable>);                                                     // 2.2
static_assert(Extends<IValueDefinition, IDescribable>);                                                  // 3.1
static_assert(Extends<IUnit, IDescribable>);                                                             // 3.2
static_assert(Extends<IQuantity, IValueDefinition>);                                                     // 3.3
static_assert(Extends<IQuality, IValueDefinition>);                                                      // 3.4
static_assert(Extends<ICategory, IDescribable>);                                                         // 3.5
static_assert(Extends<IDimension> && !std::is_convertible_v<IDimension*, IDescribable*>);                // 3.6
static_assert(Extends<ISpatialDefinition, IDescribable>);                                                // 4.1
static_assert(Extends<IElementSet, ISpatialDefinition>);                                                 // 4.2
static_assert(Extends<ITime>);                                                                           // 5.1
static_assert(Extends<ITimeSet>);                                                                        // 5.2
static_assert(Extends<IBaseValueSet> && !std::is_convertible_v<IBaseValueSet*, IDescribable*>);          // 6.1
static_assert(Extends<ITimeSpaceValueSet, IBaseValueSet>);                                               // 6.2
static_assert(Extends<IArgument, IIdentifiable>);                                                        // 7.1
static_assert(Extends<IBaseExchangeItem, IIdentifiable>);                                                // 9.1
static_assert(Extends<IBaseInput, IBaseExchangeItem>);                                                   // 9.2
static_assert(Extends<IBaseOutput, IBaseExchangeItem>);                                                  // 9.3
static_assert(Extends<ITimeSpaceExchangeItem, IBaseExchangeItem>);                                       // 9.4
static_assert(Extends<ITimeSpaceOutput, ITimeSpaceExchangeItem, IBaseOutput>);                           // 9.5
static_assert(Extends<ITimeSpaceInput, ITimeSpaceExchangeItem, IBaseInput>);                             // 9.6
static_assert(Extends<IBaseAdaptedOutput, IBaseOutput>);                                                 // 10.1
static_assert(Extends<ITimeSpaceAdaptedOutput, IBaseAdaptedOutput, ITimeSpaceOutput, IIdentifiable>);    // 10.2
static_assert(Extends<IAdaptedOutputFactory, IIdentifiable>);                                            // 10.3
static_assert(Extends<IManageState> && !std::is_convertible_v<IManageState*, IBaseLinkableComponent*>);  // 11.1
static_assert(Extends<IByteStateConverter>);                                                             // 11.2
static_assert(Extends<IBaseLinkableComponent, IIdentifiable>);                                           // 12.1
static_assert(Extends<ITimeSpaceComponent, IBaseLinkableComponent, ITimeExtension>);                     // 12.2
static_assert(Extends<ITimeExtension> && !std::is_convertible_v<ITimeExtension*, IDescribable*>);        // 12.3

// 8.3 and 9.7
static_assert(std::is_same_v<decltype(LinkableComponentStatusChangeEventArgs::new_status), LinkableComponentStatus>);
static_assert(std::is_same_v<decltype(LinkableComponentStatusChangeEventArgs::old_status), LinkableComponentStatus>);
static_assert(std::is_same_v<decltype(LinkableComponentStatusChangeEventArgs::message), std::string>);
static_assert(
    std::is_same_v<decltype(LinkableComponentStatusChangeEventArgs::linkable_component), IBaseLinkableComponent*>);
static_assert(std::is_same_v<decltype(ExchangeItemChangeEventArgs::exchange_item), IBaseExchangeItem*>);
static_assert(std::is_same_v<decltype(ExchangeItemChangeEventArgs::message), std::string>);

TEST(AnnexA, HasItsThirtySixTestsOnceEachInOrder) {
  ASSERT_EQ(AnnexA().size(), 36u);
  const int in_class[] = {1, 2, 7, 3, 2, 2, 1, 3, 7, 3, 2, 3};
  std::size_t next = 0;
  for (int group = 1; group <= 12; ++group) {
    for (int test = 1; test <= in_class[group - 1]; ++test) {
      EXPECT_EQ(AnnexA()[next++].number, std::to_string(group) + "." + std::to_string(test));
    }
  }
}

TEST(AnnexA, HasEmptyEventArguments) {
  EXPECT_EQ(ExchangeItemChangeEventArgs().exchange_item, nullptr);
  EXPECT_EQ(ExchangeItemChangeEventArgs().message, "");
  EXPECT_EQ(LinkableComponentStatusChangeEventArgs().message, "");
}

}  // namespace
}  // namespace openmi
