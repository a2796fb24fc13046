// What components in C may not do: each is a sentence, and the host goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "tests/timespace/c/CType.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi {
namespace {

using scripted::ArgumentNamed;
using scripted::CType;
using scripted::ItemNamed;
using testing::AllOf;
using testing::HasSubstr;

/// A component with one input and one output, numbers 1 and 2, that does `misuse` in its first step.
class Misuse : public ::testing::Test {
 protected:
  Misuse() {
    type.on_create = [](openmi_instance* me) {
      const openmi_item in = ItemNamed("in", 0, OPENMI_NUMBER, OPENMI_OPTIONAL);
      const openmi_item out = ItemNamed("out");
      me->host->add_input(me, &in);
      return me->host->add_output(me, &out) == 2 ? 0 : -1;
    };
  }
  /// What the first step fails with.
  template <class Work>
  std::string InStep(Work work) {
    type.on_step = [work](openmi_instance* me, const openmi_times&) {
      work(me);
      return 0;
    };
    component = type.Make();
    Driver driver(*component);
    driver.Set("start-time", "2020-01-01T00:00Z");
    driver.Initialize();
    driver.Prepare();
    try {
      driver.Update();
    } catch (const ModelError& error) {
      EXPECT_EQ(component->Status(), LinkableComponentStatus::Failed);
      driver.Finish();
      return error.what();
    }
    return "nothing";
  }
  CType type;
  std::unique_ptr<ITimeSpaceComponent> component;
};

TEST_F(Misuse, OfNumbers) {
  EXPECT_THAT(InStep([](openmi_instance* me) { EXPECT_EQ(me->host->input_row(me, 2, nullptr), nullptr); }),
              HasSubstr("expected the number of an input, found 2, which is that of an output; keep the numbers"));
  for (const int number : {0, -1, 3, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    EXPECT_THAT(InStep([number](openmi_instance* me) { EXPECT_TRUE(std::isnan(me->host->number(me, number))); }),
                HasSubstr("expected the number of an argument, found " + std::to_string(number) +
                          " where 2 things are declared"));
  }
}

TEST_F(Misuse, OfTheOrderOfCalls) {
  EXPECT_THAT(InStep([](openmi_instance* me) {
                const openmi_item late = ItemNamed("late");
                EXPECT_EQ(me->host->add_output(me, &late), -1);
                EXPECT_THAT(me->host->last_error(), HasSubstr("'add_output'"));
              }),
              HasSubstr("expected 'add_output' to be called from create, initialize, found it called from step; move "
                        "the call there"));
  EXPECT_THAT(InStep([](openmi_instance* me) { me->host->write_state(me, "x", 1); }),
              HasSubstr("expected 'write_state' to be called from save"));
}

TEST_F(Misuse, OfRows) {
  const std::vector<double> row(3);
  EXPECT_THAT(InStep([&](openmi_instance* me) { me->host->show_row(me, 2, row.data(), row.size()); }),
              HasSubstr("scripted.out: expected a row of 1 values, found 3; show one value for each element"));
  EXPECT_THAT(InStep([](openmi_instance* me) { me->host->show_row(me, 2, nullptr, 1); }), HasSubstr("found null"));
  EXPECT_THAT(InStep([&](openmi_instance* me) {
                openmi_put(me, 2, 1.0);
                me->host->show_row(me, 2, row.data(), 1);
              }),
              HasSubstr("found one that is written and one to show"));
  EXPECT_THAT(InStep([&](openmi_instance* me) {
                me->host->show_row(me, 2, row.data(), 1);
                openmi_put(me, 2, 1.0);
              }),
              HasSubstr("found one that is shown and one to write"));
  EXPECT_THAT(InStep([](openmi_instance* me) { me->host->publish(me, 2, 0.0, 0.0); }),
              HasSubstr("expected a row at an instant after those before, found one at 0 of 0 days"));
  EXPECT_THAT(InStep([](openmi_instance* me) { me->host->publish(me, 2, std::nan(""), 0.0); }),
              HasSubstr("expected a time as Modified Julian Day, found nan"));
  EXPECT_THAT(InStep([](openmi_instance* me) { me->host->input_bytes(me, 1, 0, nullptr); }),
              HasSubstr("scripted.in: expected an element of an input of texts or bytes"));
}

TEST_F(Misuse, OfResultsAndExceptions) {
  type.step = [](openmi_instance*, const openmi_times*) { return 7; };
  EXPECT_THAT(InStep([](openmi_instance*) {}), HasSubstr("scripted: expected 'step' to return 0, found 7"));
  type.step = [](openmi_instance*, const openmi_times*) -> int { throw std::runtime_error("from C++"); };
  EXPECT_THAT(InStep([](openmi_instance*) {}), HasSubstr("expected no exception from 'step', found: from C++"));
  type.step = [](openmi_instance*, const openmi_times*) -> int { throw 7; };
  EXPECT_THAT(InStep([](openmi_instance*) {}), HasSubstr("expected no exception from 'step', found one"));
}

TEST_F(Misuse, TheComponentsOwnWordsCountMore) {
  EXPECT_THAT(InStep([](openmi_instance* me) {
                me->host->number(me, 99);
                openmi_report report{};
                report.size = sizeof report;
                report.message = "expected water, found none";
                report.remedy = "open the gate";
                report.file = "river.py";
                report.line = 12;
                report.item = "in";
                me->host->fail(me, &report);
              }),
              HasSubstr("river.py:12: scripted.in: expected water, found none; open the gate"));
}

TEST_F(Misuse, OfStructs) {
  type.on_create = [](openmi_instance* me) {
    openmi_item item = ItemNamed("x");
    item.size = 0;
    return me->host->add_output(me, &item);
  };
  EXPECT_THAT([&] { type.Make(); },
              testing::ThrowsMessage<ModelError>(AllOf(HasSubstr("expected openmi_item of "),
                                                       HasSubstr("found one of 0"), HasSubstr("sizeof(openmi_item)"))));
  type.on_create = [](openmi_instance* me) { return me->host->add_output(me, nullptr); };
  EXPECT_THAT([&] { type.Make(); }, testing::ThrowsMessage<ModelError>(HasSubstr("found null")));
  type.on_create = [](openmi_instance* me) {
    const openmi_item item = ItemNamed(nullptr);
    return me->host->add_output(me, &item);
  };
  EXPECT_THAT([&] { type.Make(); }, testing::ThrowsMessage<ModelError>(HasSubstr("expected the id of an item")));
  type.on_create = [](openmi_instance* me) {
    openmi_item item = ItemNamed("x");
    item.unit = "furlongs per fortnigh";
    return me->host->add_output(me, &item);
  };
  EXPECT_THAT([&] { type.Make(); }, testing::ThrowsMessage<ModelError>(HasSubstr("scripted.x: ")));
  type.on_create = [](openmi_instance* me) {
    const openmi_argument argument = ArgumentNamed("k", "two");
    return me->host->add_argument(me, &argument);
  };
  EXPECT_THAT([&] { type.Make(); },
              testing::ThrowsMessage<ModelError>(HasSubstr("scripted.k: expected a number, found 'two'")));
}

TEST_F(Misuse, OfElements) {
  const auto error_of = [&](auto change) {
    type.on_create = [change](openmi_instance* me) {
      static const std::array<double, 4> coordinates = {0, 1, 2, 3};
      static const std::array<std::size_t, 2> two = {2, 2};
      openmi_elements lines{};
      lines.size = sizeof lines;
      lines.shape = OPENMI_LINES;
      lines.count = 2;
      lines.vertex_count = 4;
      lines.x = lines.y = coordinates.data();
      lines.vertices_count = 2;
      lines.vertices = two.data();
      change(lines);
      return me->host->add_elements(me, &lines) == 1 ? 0 : -1;
    };
    try {
      type.Make();
      return std::string("nothing");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(error_of([](openmi_elements&) {}), "nothing");
  EXPECT_THAT(error_of([](openmi_elements& one) { one.vertex_count = 3; }), HasSubstr("3 vertices in all, found more"));
  EXPECT_THAT(error_of([](openmi_elements& one) { one.count = 1; }), HasSubstr("4 vertices in all, found 2"));
  EXPECT_THAT(error_of([](openmi_elements& one) { one.count = 3; }), HasSubstr("lists of vertices in all, found more"));
  EXPECT_THAT(error_of([](openmi_elements& one) { one.x = nullptr; }), HasSubstr("expected 'x'"));
  EXPECT_THAT(error_of([](openmi_elements& one) { one.vertices = nullptr; }), HasSubstr("expected 'vertices'"));
  EXPECT_THAT(error_of([](openmi_elements& one) { one.shape = 9; }), HasSubstr("expected an openmi_shape, found 9"));
  EXPECT_THAT(error_of([](openmi_elements& one) { one.reference_system = "Atlantis"; }), HasSubstr("'Atlantis'"));
  EXPECT_THAT(error_of([](openmi_elements& one) { one.count = std::numeric_limits<std::size_t>::max(); }),
              HasSubstr("found 18446744073709551615"));
}

TEST_F(Misuse, OfNext) {
  type.next = [](openmi_instance*, double now, double* end) {
    *end = now;
    return 0;
  };
  EXPECT_THAT(
      [&] {
        const auto made = type.Make();
        Driver driver(*made);
        driver.Set("start-time", "2020-01-01T00:00Z");
        driver.Initialize();
      },
      testing::ThrowsMessage<ModelError>(HasSubstr("expected the end of a step after 2020-01-01T00:00:00Z")));
}

TEST_F(Misuse, AfterTheEndOfTheInstance) {
  openmi_instance* kept = nullptr;
  const openmi_host* host = nullptr;
  type.on_create = [&](openmi_instance* me) {
    kept = me;
    host = me->host;
    const openmi_item out = ItemNamed("out");
    return me->host->add_output(me, &out) > 0 ? 0 : -1;
  };
  {
    const auto made = type.Make();
    EXPECT_EQ(host->output_row(kept, 1, nullptr), nullptr) << "not within a call";
    EXPECT_STREQ(
        host->last_error(),
        "expected 'output_row' to be called from within calls of the component or adaptor, found it called outside of "
        "them, or by another thread");
    // The next call of the component fails, so that the sentence is not lost.
    EXPECT_THAT([&] { made->Initialize(); },
                testing::ThrowsMessage<ModelError>(HasSubstr("expected 'output_row' to be called from within")));
  }
  std::size_t count = 5;
  EXPECT_EQ(host->output_row(kept, 1, &count), nullptr);
  EXPECT_EQ(count, 0U);
  EXPECT_THAT(host->last_error(), HasSubstr("found an instance that was destroyed, or a copy of one"));
  EXPECT_EQ(host->fail(nullptr, nullptr), -1);
  EXPECT_THAT(host->last_error(), HasSubstr("found null in place of the instance"));
}

TEST_F(Misuse, OfACopyOfTheInstanceAndOfAnotherThread) {
  EXPECT_EQ(InStep([](openmi_instance* me) {
              openmi_instance copy[16] = {*me};  // as long as what the host has behind it
              EXPECT_EQ(copy->host->output_row(copy, 2, nullptr), nullptr);
            }),
            "nothing");
  EXPECT_THAT(
      InStep([](openmi_instance* me) {
        std::thread other([me] { EXPECT_EQ(me->host->output_row(me, 2, nullptr), nullptr); });
        other.join();
      }),
      HasSubstr("expected 'output_row' to be called from within calls of the component or adaptor, on their thread"));
}

}  // namespace
}  // namespace openmi
