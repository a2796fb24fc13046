// Walks the registry of the standard factory: every adaptor has a question whose answer is known, and gives it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/KnownAnswers.hpp"
#include "tests/support/OutputContract.hpp"
#include "tests/support/RowsContract.hpp"

namespace openmi {
namespace {

using testing::Chain;
using testing::KnownAnswer;
using testing::KnownAnswers;

TEST(KnownAnswers, EveryAdaptorHasOne) {
  const StandardAdaptors factory;
  for (const IIdentifiable* id : factory.AllIds()) {
    EXPECT_TRUE(
        std::ranges::any_of(KnownAnswers::All(), [&](const KnownAnswer& row) { return row.adaptor == id->Id(); }))
        << "expected a row for '" << id->Id()
        << "' in a table of known answers, found none; add one to tests/adaptors/*Answers.cpp";
  }
}

TEST(KnownAnswers, AreGiven) {
  for (const KnownAnswer& row : KnownAnswers::All()) {
    SCOPED_TRACE(row.adaptor + ": " + row.why);
    ASSERT_FALSE(row.expected.empty());
    Chain::Made().clear();
    std::vector<double> found;
    ASSERT_NO_THROW(found = row.ask());
    EXPECT_EQ(std::ranges::count(Chain::Made(), row.adaptor) > 0, true) << "the row does not ask its adaptor";
    ASSERT_EQ(found.size(), row.expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (std::isnan(row.expected[i])) {
        EXPECT_TRUE(std::isnan(found[i])) << "value " << i << " is " << found[i];
      } else {
        EXPECT_LE(std::abs(found[i] - row.expected[i]), row.tolerance)
            << "value " << i << ": expected " << row.expected[i] << ", found " << found[i];
      }
    }
  }
}

// The contract of adapted outputs, over every adaptor of the factory: each has a row (see above), and each row makes
// it.
TEST(KnownAnswers, EveryAdaptorKeepsTheContractOfOutputs) {
  std::set<std::string> answered, registered;
  Chain::Watch() = [&](IBaseAdaptedOutput& adaptor) {
    SCOPED_TRACE(adaptor.Id());
    test::ExpectRegisters(adaptor);
    registered.insert(adaptor.Id());
  };
  Chain::Answered() = [&](Chain& chain) {
    if (chain.adaptors.empty()) return;
    const std::string id = chain.adaptors.back()->Id();
    SCOPED_TRACE(id);
    test::ExpectAnswers(*chain.adaptors.back(), chain.probe);
    answered.insert(id);
  };
  for (const KnownAnswer& row : KnownAnswers::All()) {
    SCOPED_TRACE(row.adaptor + ": " + row.why);
    EXPECT_NO_THROW(static_cast<void>(row.ask()));
  }
  {
    // Its rows go on to numbers again: here it stands last.
    Chain chain(testing::Instants({0, 1}, {1, 5}));
    chain.Add("numbers-to-categories").Set("table", "dry=0; wet=3");
    testing::ToTheEnd(chain);
    chain.probe.Ask(chain.Output(), testing::At(1));
    Chain::Answered()(chain);
  }
  Chain::Watch() = {};
  Chain::Answered() = {};
  for (const IIdentifiable* id : StandardAdaptors().AllIds()) {
    EXPECT_TRUE(registered.contains(id->Id())) << id->Id();
    EXPECT_TRUE(answered.contains(id->Id())) << id->Id() << " stands last in no chain that answers";
  }
}

// The contract of providers of rows, over every adaptor of the factory that shows some.
TEST(KnownAnswers, EveryAdaptorKeepsTheContractOfProvidersOfRows) {
  const auto provider_of = [](IBaseAdaptedOutput& adaptor) {
    auto* provider = dynamic_cast<IHistoryProvider*>(&adaptor);
    return provider != nullptr && provider->UseHistory() != nullptr ? provider : nullptr;
  };
  std::set<std::string> held;
  bool has_ended = false;
  Chain::Watch() = [&](IBaseAdaptedOutput& adaptor) { provider_of(adaptor); };  // rows are wanted from the start on
  Chain::Answered() = [&](Chain& chain) {
    for (const auto& adaptor : chain.adaptors) {
      IHistoryProvider* const provider = provider_of(*adaptor);
      if (provider == nullptr) continue;
      SCOPED_TRACE(adaptor->Id());
      EXPECT_EQ(test::ExpectProvidesRows(*provider, testing::At(1e6)), Advance::Ended);
      test::ExpectTakesNoHistory(*provider);
      held.insert(adaptor->Id());
    }
    has_ended = true;
  };
  for (const KnownAnswer& row : KnownAnswers::All()) {
    SCOPED_TRACE(row.adaptor + ": " + row.why);
    has_ended = false;
    try {
      static_cast<void>(row.ask());
    } catch (const Error& error) {  // what the row asks next may be gone with the end of its provider
      EXPECT_TRUE(has_ended) << error.what();
    }
  }
  Chain::Watch() = {};
  Chain::Answered() = {};
  for (const char* id : {"linear", "resample", "accumulate", "fill-gaps", "unit-conversion", "clip", "nearest",
                         "area-weighted-mean", "one-value"}) {
    EXPECT_TRUE(held.contains(id)) << id;
  }
}

}  // namespace
}  // namespace openmi
