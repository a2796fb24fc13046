// The contract of outputs, over everything that gives values between two components of a composition.

#include <map>

#include "composition/link/Link.hpp"
#include "composition/link/SuppliedInput.hpp"
#include "composition/proxy/FrozenItems.hpp"
#include "composition/proxy/InputProxy.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "tests/composition/isolation/ApartFixture.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/OutputContract.hpp"
#include "timespace/testing/ProbeInput.hpp"

namespace openmi::testing {
namespace {

using ::testing::IsEmpty;

/// All outputs of a composition, from those of components to the ends of links, with what each is for a message.
std::map<IBaseOutput*, std::string> EveryOutput(Composition& composition) {
  std::map<IBaseOutput*, std::string> outputs;
  for (Instance& instance : composition.Instances()) {
    for (IBaseOutput* output : instance.Component().Outputs()) {
      outputs.emplace(output, instance.Id() + "." + output->Id());
    }
    for (auto& [id, proxy] : instance.proxies) outputs.emplace(proxy.get(), "before " + instance.Id() + "." + id);
  }
  for (Link* link : composition.EveryLink()) {
    if (link->Source() != nullptr) outputs.emplace(link->Source(), "source of " + link->Spec().to.Text());
    for (const auto& adaptor : link->Adaptors()) outputs.emplace(adaptor.get(), adaptor->Id());
    if (link->End() != nullptr) outputs.emplace(link->End(), "end at " + link->Spec().to.Text());
  }
  return outputs;
}

/// The contract of registering before Prepare, and of answers in mid-run, for every output of the composition.
/// \param supplied  the input that the program feeds; empty: none
/// \returns how many outputs there were
std::size_t ExpectContract(const std::string& body, const std::string& supplied = {}) {
  Made made(body);
  EXPECT_THAT(made.Text(), IsEmpty());
  if (!supplied.empty()) made.composition->SupplyInput(ItemSpec{supplied, "take"}, SuppliedBetween::Previous);
  for (const auto& [output, what] : EveryOutput(*made.composition)) {
    SCOPED_TRACE(what);
    test::ExpectRegisters(*output);
  }
  RunOptions options;
  options.write_results = false;
  CompositionRun run(*made.composition, made.problems, options);
  if (!supplied.empty()) run.Supply(supplied + ".take", Stamp{kDayOne}, Days{}, std::vector{1.0, 2.0, 3.0});
  run.Begin();
  for (int i = 0; i < 3; ++i) run.Advance();
  const auto outputs = EveryOutput(*made.composition);
  for (const auto& [output, what] : outputs) {
    SCOPED_TRACE(what);
    ProbeInput probe("probe", "kg");
    probe.Ask(dynamic_cast<ITimeSpaceOutput&>(*output), Stamp{kDayOne + 2.0 / 24.0});
    test::ExpectAnswers(*output, probe);
  }
  PlaceCopies places;
  for (Instance& instance : made.composition->Instances()) {
    for (auto& [id, proxy] : instance.proxies) {
      SCOPED_TRACE("frozen " + instance.Id() + "." + id);
      const std::unique_ptr<FrozenOutput> frozen = proxy->Freeze(places);
      test::ExpectRegisters(*frozen);
      test::ExpectAnswers(*frozen, ProbeInput());
    }
  }
  EXPECT_THAT(ErrorsOf(run.End()), IsEmpty());
  return outputs.size();
}

std::string Linked(const std::string& first, const std::string& second) {
  return Apart("a", "Memory", first) + Apart("b", "Memory", second) +
         Lnk("a.out", "b.take", "<Adaptor Id=\"linear\"/>") + "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" +
         RunFor("2015-12-02T00:00Z");
}

TEST(ChainContract, HoldsForAllThatStandsBetweenTwoComponents) {
  EXPECT_EQ(ExpectContract(Linked("", "")), 6U);
}

TEST(ChainContract, HoldsWhereTheComponentsHaveProcessesOfTheirOwn) {
  EXPECT_EQ(ExpectContract(Linked("Isolation=\"process\"", "Isolation=\"instance\"")), 6U);
}

TEST(ChainContract, HoldsForInputsThatTheProgramFeeds) {
  EXPECT_EQ(ExpectContract(Linked("", ""), "a"), 8U);
}

}  // namespace
}  // namespace openmi::testing
