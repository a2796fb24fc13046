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
#include "tests/support/RowsContract.hpp"
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
         LinkXml("a.out", "b.take", "<Adaptor Id=\"linear\"/>") + "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" +
         RunXml("2015-12-02T00:00Z");
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

/// The contract of providers of rows, in mid-run, out of the run and to the end: of every proxy before a component, of
/// the adaptors of links, and of what makes components step.
/// \param has_steppers  loops or threads make the components step
void ExpectRowsContract(const std::string& body, std::size_t threads, bool has_steppers) {
  Made made(body);
  ASSERT_THAT(made.Text(), IsEmpty());
  RunOptions options;
  options.write_results = false;
  options.threads = threads;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  for (int i = 0; i < 3; ++i) run.Advance();
  const auto expect = [&](double hours, Advance expected) {
    for (Instance& instance : made.composition->Instances()) {
      for (auto& [id, proxy] : instance.proxies) {
        SCOPED_TRACE("before " + instance.Id() + "." + id);
        EXPECT_EQ(test::ExpectProvidesRows(*proxy, Stamp{kDayOne} + Hours(hours)), expected);
        test::ExpectTakesNoHistory(*proxy);
        IHistoryProvider* const stepper = proxy->Stepper();
        EXPECT_EQ(stepper != nullptr, has_steppers);
        if (stepper == nullptr) continue;
        EXPECT_EQ(test::ExpectProvidesRows(*stepper, Stamp{kDayOne} + Hours(hours)), expected);
        test::ExpectTakesNoHistory(*stepper);
      }
    }
    for (Link* link : made.composition->EveryLink()) {
      for (const auto& adaptor : link->Adaptors()) {
        SCOPED_TRACE(link->Spec().Text() + " " + adaptor->Id());
        auto& provider = dynamic_cast<IHistoryProvider&>(*adaptor);
        EXPECT_EQ(test::ExpectProvidesRows(provider, Stamp{kDayOne} + Hours(hours)), expected);
      }
    }
  };
  expect(6.0, Advance::Reached);
  expect(9.0, Advance::Reached);
  expect(48.0, Advance::Ended);
  EXPECT_THAT(ErrorsOf(run.End()), IsEmpty());
}

TEST(RowsContract, HoldsForAllThatStandsBetweenTwoComponents) {
  ExpectRowsContract(Linked("", ""), 1, false);
}

TEST(RowsContract, HoldsWhereTheComponentsHaveProcessesOfTheirOwn) {
  ExpectRowsContract(Linked("Isolation=\"process\"", ""), 1, false);
}

TEST(RowsContract, HoldsWhereThreadsMakeComponentsStep) {
  ExpectRowsContract(Linked("", ""), 2, true);
}

TEST(RowsContract, HoldsWhereALoopMakesItsMembersStep) {
  ExpectRowsContract(Apart("a", "Memory", "") + Apart("b", "Memory", "") + LinkXml("a.out", "b.take") +
                         LinkXml("b.out", "a.take") +
                         "<Iterate Components=\"a b\" Method=\"anderson\" MaxIterations=\"4\" OnFailure=\"warn\"/>" +
                         "<Observe Item=\"b.out\"/>" + RunXml("2015-12-02T00:00Z"),
                     1, true);
}

TEST(RowsContract, HoldsForAFamilyThatIsOutOfTheRun) {
  Made made(Linked("", ""));
  RunOptions options;
  options.write_results = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  for (int i = 0; i < 3; ++i) run.Advance();
  run.Disengage("a");
  for (Instance& instance : made.composition->Instances()) {
    for (auto& [id, proxy] : instance.proxies) {
      SCOPED_TRACE(instance.Id());
      EXPECT_EQ(test::ExpectProvidesRows(*proxy, Stamp{kDayOne} + Hours(9)), Advance::Held);
    }
  }
  EXPECT_THAT(ErrorsOf(run.End()), IsEmpty());
}

}  // namespace
}  // namespace openmi::testing
