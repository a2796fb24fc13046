// A component in C with items of all types passes Annex A.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "composition/conformance/Conformance.hpp"
#include "tests/timespace/c/CType.hpp"

namespace openmi {
namespace {

using scripted::ArgumentNamed;
using scripted::CType;
using scripted::ItemNamed;

struct Everything : CType {
  Everything() {
    type = "everything";
    description = "has items of all types";
    state_version = 1;
    KeepStates();
    on_create = [](openmi_instance* me) {
      const openmi_argument gain = ArgumentNamed("gain", "2");
      return me->host->add_argument(me, &gain) == 1 ? 0 : -1;
    };
    on_initialize = [this](openmi_instance* me) {
      const std::array<double, 3> x = {1, 2, 3};
      openmi_elements wells{};
      wells.size = sizeof wells;
      wells.caption = "wells";
      wells.shape = OPENMI_POINTS;
      wells.count = wells.vertex_count = 3;
      wells.x = wells.y = x.data();
      const int elements = me->host->add_elements(me, &wells);
      for (const int kind : {OPENMI_NUMBER, OPENMI_INTEGER, OPENMI_BOOLEAN, OPENMI_TEXT, OPENMI_BYTES}) {
        const std::array<const char*, 3> categories = {"even", "odd", nullptr};
        const std::string name = "kind-" + std::to_string(kind);
        openmi_item item = ItemNamed(name.c_str(), kind == OPENMI_NUMBER ? elements : 0, kind);
        item.categories = categories.data();
        inputs[static_cast<std::size_t>(kind)] = me->host->add_input(me, &item);
        outputs[static_cast<std::size_t>(kind)] = me->host->add_output(me, &item);
      }
      const openmi_item rain = ItemNamed("rain", elements, OPENMI_NUMBER, OPENMI_OVER_STEP);
      over_step = me->host->add_output(me, &rain);
      return 0;
    };
    on_start = [this](openmi_instance* me, double) {
      steps = 0;
      Show(me);
      return 0;
    };
    on_step = [this](openmi_instance* me, const openmi_times&) {
      ++steps;
      std::size_t count = 0;
      const double* const in = me->host->input_row(me, inputs[OPENMI_NUMBER], &count);
      EXPECT_EQ(count, 3U);
      double* const out = me->host->output_row(me, over_step, nullptr);
      for (std::size_t i = 0; i < count; ++i) out[i] = in[i] * me->host->number(me, 1);
      EXPECT_NE(me->host->input_bytes(me, inputs[OPENMI_TEXT], 0, nullptr), nullptr);
      Show(me);
      return 0;
    };
    on_save = [this](openmi_instance* me) { return me->host->write_state(me, &steps, sizeof steps); };
    on_load = [this](openmi_instance* me, const void* bytes, std::size_t count) {
      if (count != sizeof steps) return openmi_fail(me, "expected %zu bytes, found %zu", sizeof steps, count);
      std::memcpy(&steps, bytes, count);
      return 0;
    };
    openmi_component::balance = [](openmi_instance*, openmi_balance*) { return 0; };
  }
  void Show(openmi_instance* me) {
    double* const row = me->host->output_row(me, outputs[OPENMI_NUMBER], nullptr);
    row[0] = row[1] = row[2] = steps;
    openmi_put(me, outputs[OPENMI_INTEGER], steps);
    openmi_put(me, outputs[OPENMI_BOOLEAN], steps % 2);
    const std::string text = steps % 2 == 0 ? "even" : "odd";
    me->host->set_bytes(me, outputs[OPENMI_TEXT], 0, text.data(), text.size());
    me->host->set_bytes(me, outputs[OPENMI_BYTES], 0, text.data(), text.size());
  }
  int steps = 0;
  std::array<int, 5> inputs{};
  std::array<int, 5> outputs{};
  int over_step = 0;
};

TEST(Conformance, AComponentInCPasses) {
  const Everything type;
  const ConformanceReport report = CheckConformance([&type] { return type.Make(); });
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  for (const char* number : {"3.4", "11.1", "11.2", "12.1", "12.3"}) {
    EXPECT_EQ(report.Result(number).verdict, Verdict::Passed) << number;
  }
}

}  // namespace
}  // namespace openmi
