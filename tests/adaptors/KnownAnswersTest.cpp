// Walks the registry of the standard factory: every adaptor has a question whose answer is known, and gives it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include "openmi/sdk/ArgumentItem.hpp"
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

/// One line of the table of arguments in docs/adaptors.md.
struct ArgumentLine {
  std::string adaptor, id, kind, unit, allowed, meaning;
  std::vector<std::string> defaults;  // all that were seen
  std::string Text() const {
    const std::string value = defaults.size() > 1        ? "as the link needs"
                              : defaults.empty()         ? ""
                              : defaults.front().empty() ? "empty"
                                                         : "`" + defaults.front() + "`";
    return "| `" + adaptor + "` | `" + id + "` | " + kind + " | " + unit + " | " + value + " | " + allowed + " | " +
           meaning + " |\n";
  }
};

std::string TextOf(const Value& value) {
  if (const auto number = value.Number()) return fmt::format("{}", *number);
  const auto* text = value.As<std::string>();
  return text != nullptr ? *text : "";
}

ArgumentLine LineOf(const IBaseAdaptedOutput& adaptor, const IArgument& argument) {
  ArgumentLine line{adaptor.Id(), argument.Id(), "", "", "", argument.Caption(), {}};
  const ValueKind kind = argument.ValueType().kind;
  line.kind = kind == ValueKind::Double    ? "number"
              : kind == ValueKind::Integer ? "whole number"
              : kind == ValueKind::Boolean ? "yes or no"
                                           : "text";
  if (!argument.Description().empty()) line.meaning += "; " + argument.Description();
  if (!argument.DefaultValue().IsEmpty()) line.defaults.push_back(TextOf(argument.DefaultValue()));
  if (const auto possible = argument.PossibleValues()) {
    for (const Value& value : *possible) line.allowed += (line.allowed.empty() ? "`" : ", `") + TextOf(value) + "`";
  }
  if (const auto* own = dynamic_cast<const ArgumentItem*>(&argument)) {
    line.unit = own->Unit();
    const std::string low = TextOf(own->Minimum());
    const std::string high = TextOf(own->Maximum());
    if (!low.empty()) line.allowed = "from " + low;
    if (!high.empty()) line.allowed += (low.empty() ? "to " : " to ") + high;
  }
  return line;
}

/// The table of the arguments of all adaptors, in the order of the registry.
std::string ArgumentTable() {
  std::vector<ArgumentLine> lines;
  Chain::Watch() = [&](const IBaseAdaptedOutput& adaptor) {
    for (const IArgument* argument : adaptor.Arguments()) {
      const ArgumentLine line = LineOf(adaptor, *argument);
      const auto known = std::ranges::find_if(
          lines, [&](const ArgumentLine& one) { return one.adaptor == line.adaptor && one.id == line.id; });
      if (known == lines.end()) {
        lines.push_back(line);
        continue;
      }
      for (const std::string& value : line.defaults) {
        if (std::ranges::find(known->defaults, value) == known->defaults.end()) known->defaults.push_back(value);
      }
    }
  };
  for (const KnownAnswer& row : KnownAnswers::All()) row.ask();
  Chain::Watch() = {};
  std::string table =
      "| adaptor | argument | type | unit | default | allowed | meaning |\n| --- | --- | --- | --- | --- | --- | --- "
      "|\n";
  const StandardAdaptors factory;
  for (const IIdentifiable* id : factory.AllIds()) {
    for (const ArgumentLine& line : lines) {
      if (line.adaptor == id->Id()) table += line.Text();
    }
  }
  return table;
}

/// The page, and where the table made from the registry begins and ends in it.
struct Page {
  std::string path = std::string(OPENMI_SOURCE_DIR) + "/docs/adaptors.md";
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;

  Page() {
    std::ifstream stream(path);
    text.assign(std::istreambuf_iterator<char>(stream), {});
    const std::string mark = "<!-- arguments: from the registry -->\n";
    begin = text.find(mark);
    end = text.find("<!-- end of arguments -->");
    if (begin != std::string::npos) begin += mark.size();
  }
};

TEST(AdaptorDocs, TheTableOfArgumentsIsThatOfTheRegistry) {
  const Page page;
  ASSERT_LT(page.begin, page.end) << "expected the marks of the table in " << page.path;
  const std::string table = ArgumentTable();
  if (std::getenv("OPENMI_WRITE_DOCS") != nullptr) {
    std::ofstream(page.path) << page.text.substr(0, page.begin) << table << page.text.substr(page.end);
    return;
  }
  EXPECT_EQ(page.text.substr(page.begin, page.end - page.begin), table)
      << "run this test with OPENMI_WRITE_DOCS=1 to write the table anew";
}

TEST(AdaptorDocs, EveryAdaptorStandsOnThePageAndEveryArgumentIsExplained) {
  const Page page;
  const std::string prose = page.text.substr(0, page.begin);
  const StandardAdaptors factory;
  for (const IIdentifiable* id : factory.AllIds()) {
    EXPECT_NE(prose.find("`" + id->Id() + "`"), std::string::npos) << id->Id() << " is not in docs/adaptors.md";
  }
  Chain::Watch() = [&](const IBaseAdaptedOutput& adaptor) {
    for (const IArgument* argument : adaptor.Arguments()) {
      EXPECT_NE(argument->Caption(), "") << adaptor.Id() << ' ' << argument->Id();
      EXPECT_NE(argument->Caption(), argument->Id()) << adaptor.Id() << ": say what it means";
    }
  };
  for (const KnownAnswer& row : KnownAnswers::All()) row.ask();
  Chain::Watch() = {};
}

}  // namespace
}  // namespace openmi
