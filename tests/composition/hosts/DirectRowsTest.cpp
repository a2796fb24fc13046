// Rows that go from worker to worker: the bytes of one process, and none of them in the run.

#include <csignal>
#include <memory>

#include "composition/control/RunDesk.hpp"
#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/run/Overrides.hpp"
#include "tests/composition/hosts/OnHosts.hpp"
#include "tests/support/NetworkHosts.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A component of the library of this test.
std::string Row(const std::string& id, const std::string& type, const std::string& how,
                const std::string& arguments = {}) {
  return "<Component Id=\"" + id + "\" Type=\"test." + type + "\" Assembly=\"" + OPENMI_BINARY_DIR +
         "/tests/isolation-plugins/librow_components.so\" KeepState=\"true\" " + how + ">" + arguments +
         "</Component>\n";
}

using MadeOf = std::function<std::string(const std::string& up, const std::string& down)>;

/// a and b in one group, c and d in the other.
std::string Waves(const std::string& up, const std::string& down, const std::string& run = RunXml()) {
  return Row("a", "Wave", up) + Row("b", "Wave", up) + Row("c", "Wave", down) + Row("d", "Wave", down) +
         LinkXml("a.out", "b.take") + LinkXml("b.out", "c.take") + LinkXml("c.out", "d.take") +
         "<Observe Item=\"d.out\"/>" + run;
}

std::uint64_t BytesOf(Made& made, const std::string& id) {
  return made.Get<IsolatedComponent>(id).Process().RowBytes();
}

/// Compares with one process.
/// \returns the bytes of rows that passed through the run
std::uint64_t Compare(const MadeOf& body, const std::vector<std::string>& places, RunMode mode = RunMode::Pull,
                      std::size_t threads = 1) {
  Made whole(body("", ""));
  EXPECT_THAT(whole.Text(), IsEmpty());
  const RunRecord plain = whole.Run(mode, threads);
  EXPECT_THAT(ErrorsOf(plain), IsEmpty());
  Made made = MadeAt(body(kUp, kDown), PlacedAt(places));
  EXPECT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(mode, threads);
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(SeriesOf(record), SeriesOf(plain)) << ::testing::PrintToString(places);
  return BytesOf(made, "a") + BytesOf(made, "d");
}

const std::vector<std::vector<std::string>> kPlaces = {{"up=one", "down=two"},
                                                       {"up=localhost", "down=two"},
                                                       {"up=one", "down=localhost"},
                                                       {"up=localhost", "down=localhost"}};

TEST(DirectRows, OnlyWhatIsObservedPassesThroughTheRun) {
  for (const std::vector<std::string>& places : kPlaces) {
    for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
      for (const std::size_t threads : {1U, 4U}) {
        const bool is_elsewhere = places[1] == "down=two";
        // The three numbers of the observed output, at the start and in 24 steps.
        EXPECT_EQ(Compare([](const auto& up, const auto& down) { return Waves(up, down); }, places, mode, threads),
                  is_elsewhere ? 25U * 3U * 8U : 0U);
      }
    }
  }
}

TEST(DirectRows, OfEveryKindAreThoseOfOneProcess) {
  const auto end = [](const std::string& how) { return Row("d", "Wave", how) + "<Observe Item=\"d.out\"/>"; };
  const std::vector<MadeOf> bodies = {
      // Rows of other lengths, and several at a time.
      [&](const auto& up, const auto& down) {
        return Row("a", "Herd", up) + Row("c", "Crowd", down) + Row("e", "Crowd", up) + LinkXml("a.out", "c.in") +
               LinkXml("a.out", "e.in") + end(down) + "<Observe Item=\"c.out\"/><Observe Item=\"e.out\"/>" + RunXml();
      },
      // Elements that move, and elements that others replace.
      [&](const auto& up, const auto& down) {
        return Apart("a", "Moving", up) + Apart("b", "Moving", up, ArgumentXml("anew", "true")) +
               Apart("c", "Looker", down) + Apart("e", "Looker", up) + LinkXml("a.x", "c.in") + LinkXml("b.x", "e.in") +
               end(down) + "<Observe Item=\"c.out\"/><Observe Item=\"e.out\"/>" + RunXml();
      },
      // A loop that is iterated, and one that is not, with rows that are taken back.
      [&](const auto& up, const auto& down) {
        return Row("a", "Wave", up) + Row("b", "Wave", down) + Row("c", "Wave", up) + end(down) +
               LinkXml("a.out", "b.take") + LinkXml("b.out", "a.take") + LinkXml("b.out", "c.take") +
               LinkXml("c.out", "d.take") +
               "<Iterate Components=\"a b\" Method=\"anderson\" MaxIterations=\"4\" OnFailure=\"warn\"/>" + RunXml();
      },
      [&](const auto& up, const auto& down) {
        return Row("a", "Wave", up) + Row("b", "Wave", down) + end(down) + LinkXml("a.out", "b.take") +
               LinkXml("b.out", "a.take") + LinkXml("b.out", "d.take") + RunXml("2015-12-02T00:00Z", "Trigger=\"d\"");
      },
      // An adaptor, whose rows pass through the run, beside a link without one; and a consumer that skips steps.
      [&](const auto& up, const auto& down) {
        return Row("a", "Wave", up) + Row("b", "Wave", down) + Row("c", "Wave", up) + end(down) +
               LinkXml("a.out", "b.take", AdaptorXml("linear")) + LinkXml("a.out", "c.take") +
               LinkXml("c.out", "d.take") + "<Observe Item=\"b.out\"/>" + RunXml();
      },
      // Large rows.
      [&](const auto& up, const auto& down) {
        const std::string many = ArgumentXml("elements", "20000");
        return Row("a", "Wave", up, many) + Row("b", "Wave", down, many) + Row("d", "Wave", down, many) +
               LinkXml("a.out", "b.take") + LinkXml("b.out", "d.take") + "<Observe Item=\"d.out\" Elements=\"e7\"/>" +
               RunXml("2015-12-01T06:00Z");
      },
  };
  for (const MadeOf& body : bodies) {
    for (const std::vector<std::string>& places : kPlaces) Compare(body, places);
  }
}

/// A run that is advanced by hand.
struct ByHand {
  explicit ByHand(const std::string& body, Placement placement = {}) : made(MadeAt(body, std::move(placement))) {
    EXPECT_THAT(made.Text(), IsEmpty());
    RunOptions options;
    options.write_results = false;
    run = std::make_unique<CompositionRun>(*made.composition, made.problems, options);
    run->Begin();
  }
  void Steps(int count) {
    for (int i = 0; i < count; ++i) run->Advance();
  }
  RunRecord End() {
    while (run->Advance(CompositionRun::kManyPasses)) {
    }
    return run->End();
  }
  OutputProxy& Proxy(const std::string& id) {
    Instance& instance = made.composition->Instances().at(*made.composition->IndexOf(id));
    return instance.ProxyFor(dynamic_cast<ITimeSpaceOutput&>(*instance.Component().Outputs()[0]));
  }
  Made made;
  std::unique_ptr<CompositionRun> run;
};

class Ear final : public IRowListener {
 public:
  void OnRow(Stamp begin, Days, std::span<const double> row) override {
    heard.emplace_back(begin.mjd, std::vector<double>(row.begin(), row.end()));
  }
  std::vector<std::pair<double, std::vector<double>>> heard;
};

TEST(DirectRows, AreFetchedWhenTheRunReadsThem) {
  const std::string end = RunXml("2015-12-03T00:00Z");
  ByHand plain(Waves("", "", end));
  ByHand placed(Waves(kUp, kDown, end), PlacedAt({"up=one", "down=two"}));
  const auto first = [](ByHand& one) {
    const ITimeSpaceValueSet& values = one.Proxy("b").Values();
    return std::vector<double>{*values.GetValue(0, 0).Number(), *values.GetValue(0, 2).Number()};
  };
  RunDesk plain_desk(*plain.run);
  RunDesk placed_desk(*placed.run);
  for (const int steps : {0, 3, 1, 2, 5}) {
    plain.Steps(steps);
    placed.Steps(steps);
    EXPECT_EQ(first(placed), first(plain));
    EXPECT_EQ(placed_desk.Values("c.take").values, plain_desk.Values("c.take").values);
    EXPECT_EQ(placed_desk.Values("c.take").values.size(), steps == 0 ? 0U : 3U);
  }
  // From now on someone listens: the link passes through the run, and its bytes stay.
  Ear ours;
  Ear theirs;
  plain.Proxy("b").AddListener(theirs);
  placed.Proxy("b").AddListener(ours);
  plain.Steps(6);
  placed.Steps(6);
  const auto last = [](const Ear& ear) { return std::vector(ear.heard.end() - 6, ear.heard.end()); };
  ASSERT_GE(ours.heard.size(), 6U);
  EXPECT_EQ(last(ours), last(theirs));
  plain.Proxy("b").RemoveListener(theirs);
  placed.Proxy("b").RemoveListener(ours);
  const RunRecord record = placed.End();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(SeriesOf(record), SeriesOf(plain.End()));
}

TEST(DirectRows, AnOverrideReachesTheConsumer) {
  const std::vector<double> fixed = {2.0, -1.0, 0.5};
  const auto overridden = [&fixed](ByHand one) {
    Overrides overrides(*one.made.composition);
    one.Steps(4);
    overrides.Set({"c", "take"}, fixed);
    one.Steps(3);
    overrides.Free({"c", "take"});
    return SeriesOf(one.End());
  };
  const auto plain = overridden(ByHand(Waves("", "")));
  for (const std::vector<std::string>& places : kPlaces) {
    EXPECT_EQ(overridden(ByHand(Waves(kUp, kDown), PlacedAt(places))), plain);
  }
  EXPECT_NE(ByHand(Waves("", "")).End().series.at(0).values, plain.at(1));
}

TEST(DirectRows, GoOnAtACheckpoint) {
  const std::string more = "<Checkpoints Every=\"PT5H\"/>" + RunXml();
  Made whole(Waves("", ""));
  const RunRecord plain = whole.Run();
  const Folder folder;
  const auto options = [&folder](bool resumes) {
    RunOptions made;
    made.folder = folder.Path() / "out";
    made.resume = resumes;
    return made;
  };
  {
    Made made = MadeAt(Waves(kUp, kDown, more), PlacedAt({"up=one", "down=two"}));
    ASSERT_THAT(made.Text(), IsEmpty());
    CompositionRun run(*made.composition, made.problems, options(false));
    run.Begin();
    for (int i = 0; i < 13; ++i) run.Advance();
  }
  Made made = MadeAt(Waves(kUp, kDown, more), PlacedAt({"up=two", "down=one"}));
  const RunRecord record = CompositionRun(*made.composition, made.problems, options(true)).Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_FALSE(record.resumed_from.empty());
  EXPECT_EQ(record.series.at(0).values, plain.series.at(0).values);
}

TEST(DirectRows, OfAProviderThatIsFrozenStay) {
  const auto body = [](const std::string& up, const std::string& down) {
    return Apart("a", "Trouble", up + " OnFailure=\"freeze\"",
                 ArgumentXml("how", "segfault") + ArgumentXml("at", "5")) +
           Apart("d", "Counter", down) + LinkXml("a.count", "d.in") + "<Observe Item=\"d.out\"/>" + RunXml();
  };
  for (const std::vector<std::string>& places : kPlaces) {
    Made made = MadeAt(body(kUp, kDown), PlacedAt(places));
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run();
    EXPECT_TRUE(record.is_complete);
    EXPECT_THAT(ErrorsOf(record), HasSubstr("a: failed at"));
    ASSERT_EQ(record.series.at(0).values.size(), 25U);
    EXPECT_EQ(record.series.at(0).values[4], 4.0);
    EXPECT_EQ(record.series.at(0).values[24], 4.0);
  }
}

TEST(DirectRows, OfAConsumerThatIsFrozenStopNothing) {
  const auto body = [](const std::string& up, const std::string& down) {
    return Row("a", "Wave", up, ArgumentXml("elements", "1")) + Row("b", "Wave", up, ArgumentXml("elements", "1")) +
           Apart("d", "Fragile", down + " OnFailure=\"freeze\"", ArgumentXml("at", "5")) + LinkXml("a.out", "d.in") +
           LinkXml("a.out", "b.take") + "<Observe Item=\"b.out\"/><Observe Item=\"d.out\"/>" + RunXml();
  };
  for (const std::vector<std::string>& places : kPlaces) {
    Made made = MadeAt(body(kUp, kDown), PlacedAt(places));
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run();
    EXPECT_TRUE(record.is_complete);
    EXPECT_THAT(ErrorsOf(record), HasSubstr("d: failed at"));
    EXPECT_EQ(record.series.at(0).values.size(), 25U);
  }
}

/// Stops or kills the worker of a component in the middle of a run.
std::string ErrorsAfter(const std::string& id, int signal) {
  const std::string many = ArgumentXml("elements", "100000");
  ByHand one(Row("a", "Wave", kUp, many) + Row("d", "Wave", kDown, many) + LinkXml("a.out", "d.take") +
                 RunXml("2016-12-01T00:00Z"),
             PlacedAt({"up=one", "down=two"}));
  one.Steps(5);
  kill(one.made.Get<IsolatedComponent>(id).Process().Id(), signal);  // env becomes the worker
  const auto begin = std::chrono::steady_clock::now();
  const std::string errors = ErrorsOf(one.End());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  return errors;
}

TEST(DirectRows, AWorkerThatDiesOrStopsIsNamedSoon) {
  EXPECT_THAT(ErrorsAfter("a", SIGKILL), HasSubstr("group 'up' (a) on one"));
  EXPECT_THAT(ErrorsAfter("d", SIGKILL), HasSubstr("group 'down' (d) on two"));
  EXPECT_THAT(ErrorsAfter("a", SIGSTOP), AllOf(HasSubstr("group 'up' (a) on one"), HasSubstr("silent for 1.6 s")));
  EXPECT_THAT(ErrorsAfter("d", SIGSTOP), AllOf(HasSubstr("group 'down' (d) on two"), HasSubstr("silent for 1.6 s")));
}

TEST(DirectRows, PassThroughTheRunWhereTheWorkersDoNotReachEachOther) {
  const test::NetworkHosts hosts;
  if (!hosts.AreThere()) GTEST_SKIP() << "this user may not make network namespaces";
  ASSERT_TRUE(hosts.Separate());
  const Placement placement = PlacedAt({"up=" + hosts.Name(0), "down=" + hosts.Name(1)}, hosts.kLauncher, hosts.Here());
  Made whole(Waves("", ""));
  Made made = MadeAt(Waves(kUp, kDown), placement);
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  EXPECT_EQ(SeriesOf(record), SeriesOf(whole.Run()));
  made.problems = record.problems;
  EXPECT_THAT(made.Text(Problem::Warning),
              AllOf(HasSubstr("group 'up' (a, b) on " + hosts.Name(0)), HasSubstr("pass through the run")));
  EXPECT_GT(BytesOf(made, "a"), 0U);
}

}  // namespace
}  // namespace openmi::testing
