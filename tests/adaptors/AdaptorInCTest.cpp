// Adaptors in C that do as the rules of openmi_component.h say, and some that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "openmi/omi/CLibrary.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "tests/adaptors/Chain.hpp"
#include "tests/timespace/c/CType.hpp"
#include "timespace/items/AdaptedOutput.hpp"

namespace openmi {
namespace {

using scripted::ArgumentNamed;
using scripted::CType;
using ::testing::AllOf;
using testing::Chain;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

/// A type of adaptors whose functions a test writes as lambdas, offered by a type of components.
struct AdaptorType : openmi_adaptor {
  AdaptorType() : openmi_adaptor{} {
    size = sizeof(openmi_adaptor);
    id = "scripted";
    create = [](openmi_instance* me) { return Of(me).on_create ? Of(me).on_create(me) : 0; };
    initialize = [](openmi_instance* me, openmi_adapted* adapted) {
      return Of(me).on_initialize ? Of(me).on_initialize(me, *adapted) : 0;
    };
    map = [](openmi_instance* me, const double* in, double duration, double* out, std::size_t count) {
      return Of(me).on_map(me, {in, count}, duration, {out, count});
    };
    destroy = [](openmi_instance* me) { ++Of(me).destroyed; };
    component.adaptors = list;
  }
  static AdaptorType& Of(const openmi_instance* me) {
    return const_cast<AdaptorType&>(*static_cast<const AdaptorType*>(me->adaptor));
  }

  std::function<int(openmi_instance*)> on_create;
  std::function<int(openmi_instance*, openmi_adapted&)> on_initialize;
  std::function<int(openmi_instance*, std::span<const double>, double, std::span<double>)> on_map =
      [](openmi_instance*, std::span<const double> in, double, std::span<double> out) {
        std::ranges::copy(in, out.begin());
        return 0;
      };
  int destroyed = 0;
  const openmi_adaptor* list[2] = {this, nullptr};
  CType component;
};

/// A table of instants with the adaptor on it.
struct Adapted : Chain {
  explicit Adapted(const AdaptorType& type, std::vector<TableRow> rows = testing::Instants({0, 1}, {2.0, 4.0}))
      : Chain(std::move(rows)), of(type.component.Make()) {
    IAdaptedOutputFactory& own = *of->AdaptedOutputFactories().at(0);
    const auto ids = own.GetAvailableAdaptedOutputIds(table.Output(), nullptr);
    adaptors.push_back(own.CreateAdaptedOutput(*ids.at(0), table.Output(), nullptr));
  }
  AdaptedOutput& Adaptor() { return dynamic_cast<AdaptedOutput&>(*adaptors.at(0)); }
  std::unique_ptr<ITimeSpaceComponent> of;
};

std::string UnitOf(const IBaseOutput& output) {
  return dynamic_cast<const IQuantity&>(output.ValueDefinition()).Unit().Caption();
}

TEST(AdaptorInC, MapsRowsWithItsArguments) {
  AdaptorType type;
  int factor = 0;
  type.on_create = [&](openmi_instance* me) {
    EXPECT_EQ(me->type, nullptr);
    const openmi_argument argument = ArgumentNamed("factor", "3");
    factor = me->host->add_argument(me, &argument);
    return factor > 0 ? 0 : -1;
  };
  type.on_map = [&](openmi_instance* me, std::span<const double> in, double duration, std::span<double> out) {
    EXPECT_EQ(duration, 0.0);
    EXPECT_EQ(me->host->has_value(me, factor), 1);
    EXPECT_STREQ(me->host->text(me, factor), "5");
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] * me->host->number(me, factor);
    return 0;
  };
  {
    Adapted chain(type);
    chain.Set("factor", "5");
    chain.Prepare();
    EXPECT_EQ(chain.Ask(1), 20.0);
    EXPECT_EQ(UnitOf(chain.Last()), "m3 s-1");
  }
  EXPECT_EQ(type.destroyed, 1);
}

TEST(AdaptorInC, SetsTheUnitAndSeesTheElements) {
  AdaptorType type;
  type.on_initialize = [](openmi_instance*, openmi_adapted& adapted) {
    EXPECT_STREQ(adapted.unit, "m3 s-1");
    EXPECT_EQ(adapted.count, 1U);
    adapted.unit = "m";
    return 0;
  };
  Adapted chain(type);
  EXPECT_EQ(UnitOf(chain.Last()), "m") << "before Check";
  type.on_initialize = [](openmi_instance*, openmi_adapted& adapted) {
    adapted.unit = "furlongs per moon";
    return 0;
  };
  EXPECT_THAT([&] { chain.Adaptor().Check(); }, ThrowsMessage<UnitError>(HasSubstr("furlongs")));
}

TEST(AdaptorInC, GetsMissingValuesAsNaNAndGivesThemAsTheAdaptee) {
  AdaptorType type;
  std::vector<double> seen;
  type.on_map = [&](openmi_instance*, std::span<const double> in, double, std::span<double> out) {
    seen.assign(in.begin(), in.end());
    std::ranges::transform(in, out.begin(), [](double value) { return value + 1.0; });
    return 0;
  };
  Adapted chain(type, testing::Instants({0, 1}, {2.0, kNotANumber}));
  chain.Prepare();
  EXPECT_EQ(chain.Ask(0), 3.0);
  EXPECT_TRUE(std::isnan(chain.Ask(1)));
  ASSERT_THAT(seen, SizeIs(1));
  EXPECT_TRUE(std::isnan(seen[0]));
}

TEST(AdaptorInC, FailsWithWhatItSays) {
  AdaptorType type;
  type.on_map = [](openmi_instance* me, std::span<const double>, double, std::span<double>) {
    return openmi_fail(me, "expected rain, found %s", "snow");
  };
  Adapted chain(type);
  chain.Prepare();
  EXPECT_THAT([&] { chain.Ask(1); }, ThrowsMessage<ModelError>(HasSubstr("expected rain, found snow")));
}

TEST(AdaptorInC, MayNotCallWhatBelongsToComponents) {
  AdaptorType type;
  type.on_map = [](openmi_instance* me, std::span<const double>, double, std::span<double>) {
    EXPECT_EQ(me->host->input_row(me, 1, nullptr), nullptr);
    return 0;
  };
  Adapted chain(type);
  chain.Prepare();
  EXPECT_THAT(
      [&] { chain.Ask(1); },
      ThrowsMessage<ModelError>(HasSubstr("expected 'input_row' to be called from step, found it called from map")));
  type.on_create = [](openmi_instance* me) {
    static_cast<void>(me->host->number(me, 7));
    return 0;
  };
  EXPECT_THAT([&] { Adapted other(type); },
              ThrowsMessage<ModelError>(HasSubstr("expected the number of an argument, found 7")));
  EXPECT_EQ(type.destroyed, 1) << "destroy is called also if create failed";
}

TEST(AdaptorInC, IsOfferedForNumbersOnly) {
  AdaptorType type;
  const auto component = type.component.Make();
  IAdaptedOutputFactory& factory = *component->AdaptedOutputFactories().at(0);
  EXPECT_EQ(factory.Id(), "scripted");
  Chain chain(testing::Instants({0}, {1.0}));
  EXPECT_THAT(factory.GetAvailableAdaptedOutputIds(chain.table.Output(), nullptr), SizeIs(1));
  EXPECT_THAT([&] { factory.CreateAdaptedOutput(Identifier("other"), chain.table.Output(), nullptr); },
              ThrowsMessage<LinkError>(HasSubstr("found 'other'")));
}

TEST(AdaptorInC, TablesOfBeforeThereWereAdaptorsAreRead) {
  AdaptorType type;
  type.component.size = offsetof(openmi_component, adaptors);
  EXPECT_THAT(CAdaptorsOf(type.component), SizeIs(0)) << "what lies behind the table is not read";
  EXPECT_TRUE(type.component.Make()->AdaptedOutputFactories().empty());
  EXPECT_NO_THROW(RequireCType(&type.component, "'libold.so'", {}));
}

TEST(AdaptorInC, FaultsOfItsTableAreFoundWhenTheLibraryIsLoaded) {
  const auto refuses = [](const char* words, const std::function<void(AdaptorType&)>& break_it) {
    AdaptorType type;
    break_it(type);
    EXPECT_THAT([&] { RequireCType(&type.component, "'libfaulty.so'", {}); },
                ThrowsMessage<LoadError>(AllOf(HasSubstr(words), HasSubstr("'libfaulty.so'"))));
  };
  refuses("in the table of adaptor 1 of the type 'scripted', found 16", [](AdaptorType& type) { type.size = 16; });
  refuses("expected an id of adaptor 1", [](AdaptorType& type) { type.id = ""; });
  refuses("expected the function 'map' in the table of the adaptor 'scripted'",
          [](AdaptorType& type) { type.map = nullptr; });
  refuses("found 'scripted' twice", [](AdaptorType& type) {
    static const openmi_adaptor* twice[3] = {};
    twice[0] = twice[1] = &type;
    type.component.adaptors = twice;
  });
}

}  // namespace
}  // namespace openmi
