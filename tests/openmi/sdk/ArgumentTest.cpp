#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "openmi/sdk/Argument.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/openmi/sdk/DecimalCommaLocale.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

ArgumentItem Storage() {
  return ArgumentItem(
      "k", ArgumentOptions<double>{.caption = "storage coefficient", .unit = "h", .value = 2.0, .minimum = 1e-6});
}

TEST(ArgumentItem, SaysWhatWasDeclared) {
  const ArgumentItem k("k", ArgumentOptions<double>{.caption = "storage coefficient",
                                                    .description = "of a linear reservoir",
                                                    .unit = "d",
                                                    .value = 2.0,
                                                    .minimum = 1e-6,
                                                    .optional = true});
  EXPECT_EQ(k.Id(), "k");
  EXPECT_EQ(k.Caption(), "storage coefficient");
  EXPECT_EQ(k.Description(), "of a linear reservoir");
  EXPECT_EQ(k.Unit(), "d");
  EXPECT_EQ(k.ValueType(), ValueType{ValueKind::Double});
  EXPECT_EQ(k.DefaultValue(), Value(2.0));
  EXPECT_EQ(k.Value(), Value(2.0));
  EXPECT_EQ(k.Minimum(), Value(1e-6));
  EXPECT_TRUE(k.Maximum().IsEmpty());
  EXPECT_TRUE(k.IsOptional());
  EXPECT_FALSE(k.IsReadOnly());
  EXPECT_FALSE(k.IsSecret());
  EXPECT_FALSE(k.IsSet());
  EXPECT_TRUE(k.HasValue());
  EXPECT_EQ(ArgumentItem("x", ArgumentOptions<bool>{}).Caption(), "x");
}

TEST(ArgumentItem, TakesTheDefaultUntilSetAndAgainWhenEmptied) {
  ArgumentItem k = Storage();
  k.SetValue(3.0);
  EXPECT_EQ(k.Value(), Value(3.0));
  EXPECT_EQ(k.DefaultValue(), Value(2.0));
  EXPECT_TRUE(k.IsSet());
  k.SetValue({});
  EXPECT_EQ(k.Value(), Value(2.0));
  EXPECT_FALSE(k.IsSet());
  k.SetValueAsString("4");
  k.SetValueAsString("");
  EXPECT_EQ(k.Value(), Value(2.0));
}

TEST(ArgumentItem, RefusesOtherTypes) {
  ArgumentItem k = Storage();
  k.SetOwner("reservoir");
  EXPECT_THAT([&] { k.SetValue("3"); },
              ThrowsMessage<ArgumentError>(
                  AllOf(HasSubstr("reservoir.k: expected a number in h"), HasSubstr("found a string"))));
  EXPECT_THROW(k.SetValue(true), ArgumentError);
  EXPECT_THROW(k.SetValue(Bytes()), ArgumentError);
  k.SetValue(3);  // a whole number is a number
  EXPECT_EQ(k.Value(), Value(3.0));
  ArgumentItem n("n", ArgumentOptions<int>{});
  EXPECT_THROW(n.SetValue(2.0), ArgumentError);
  ArgumentItem name("name", ArgumentOptions<std::string>{});
  EXPECT_THROW(name.SetValue(1), ArgumentError);
  ArgumentItem flag("flag", ArgumentOptions<bool>{});
  EXPECT_THROW(flag.SetValue(1), ArgumentError);
}

TEST(ArgumentItem, ChecksTheRangeAndKeepsItsValue) {
  ArgumentItem k("k", ArgumentOptions<double>{.value = 2.0, .minimum = 1.0, .maximum = 10.0});
  EXPECT_THAT([&] { k.SetValue(-1.0); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("k: expected a number from 1 to 10, found -1"),
                                                 HasSubstr("choose a value within the range"))));
  EXPECT_THROW(k.SetValueAsString("10.000001"), ArgumentError);
  EXPECT_THROW(k.SetValue(std::nan("")), ArgumentError);
  EXPECT_EQ(k.Value(), Value(2.0));
  k.SetValue(1.0);
  k.SetValue(10.0);
  ArgumentItem whole("n", ArgumentOptions<std::int64_t>{.maximum = (1LL << 60)});
  EXPECT_THROW(whole.SetValue((1LL << 60) + 1), ArgumentError);  // the same double
  EXPECT_THAT([] { ArgumentItem("k", ArgumentOptions<double>{.value = 0.5, .minimum = 1.0}); },
              ThrowsMessage<ArgumentError>(HasSubstr("of at least 1, found 0.5")));
}

TEST(ArgumentItem, SuggestsAPossibleValue) {
  ArgumentItem method(
      "method", ArgumentOptions<std::string>{.value = "nearest", .possible_values = {"nearest", "linear", "previous"}});
  ASSERT_TRUE(method.PossibleValues().has_value());
  EXPECT_EQ(method.PossibleValues()->size(), 3U);
  EXPECT_THAT([&] { method.SetValue("liner"); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("found 'liner'"), HasSubstr("did you mean 'linear'?"))));
  EXPECT_THAT([&] { method.SetValueAsString("cubic"); },
              ThrowsMessage<ArgumentError>(HasSubstr("there are: nearest, linear, previous")));
  method.SetValue("linear");
  EXPECT_EQ(method.Value(), Value("linear"));
}

TEST(ArgumentItem, TellsNoPossibleValuesFromNoRestriction) {
  ArgumentItem state("state", ArgumentOptions<std::string>{});
  EXPECT_EQ(state.PossibleValues(), std::nullopt);  // the standard's null: anything
  state.SetValue("anything");
  state.SetPossibleValues(std::vector<Value>{});
  ASSERT_TRUE(state.PossibleValues().has_value());  // an empty list: nothing
  EXPECT_TRUE(state.PossibleValues()->empty());
  EXPECT_THAT([&] { state.SetValue("anything"); },
              ThrowsMessage<ArgumentError>(HasSubstr("nothing can be chosen at present")));
  state.SetPossibleValues(std::vector<Value>{"a"});
  state.SetValue("a");
  state.SetPossibleValues(std::nullopt);
  state.SetValue("anything");
  EXPECT_THROW(state.SetPossibleValues(std::vector<Value>{1}), ArgumentError);
}

TEST(ArgumentItem, MayBeReadOnly) {
  ArgumentItem version("version", ArgumentOptions<std::string>{.value = "5.2", .read_only = true});
  EXPECT_TRUE(version.IsReadOnly());
  EXPECT_THAT([&] { version.SetValue("6"); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("version:"), HasSubstr("read-only"))));
  EXPECT_THROW(version.SetValueAsString("6"), ArgumentError);
  EXPECT_EQ(version.Value(), Value("5.2"));
  version.Assign("5.3");  // the component itself may
  EXPECT_EQ(version.Value(), Value("5.3"));
  version.SetReadOnly(false);
  version.SetValue("6");
}

// Round trips: what ValueAsString gives, SetValueAsString takes, to the last bit.
TEST(ArgumentItem, RoundTripsDoublesExactly) {
  ArgumentItem x("x", ArgumentOptions<double>{});
  std::mt19937_64 random(7);
  std::vector<double> values{0.0,
                             -0.0,
                             0.1,
                             1.0 / 3.0,
                             1e-320,
                             5e-324,
                             1.7976931348623157e308,
                             1e21,
                             123456789012345680.0,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()};
  while (values.size() < 5000) {
    const std::uint64_t bits = random();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) values.push_back(value);
  }
  for (const double value : values) {
    x.SetValue(value);
    const std::string text = x.ValueAsString();
    x.SetValue({});
    x.SetValueAsString(text);
    ASSERT_EQ(x.Value(), Value(value)) << text;
    ASSERT_EQ(std::signbit(*x.Value().As<double>()), std::signbit(value)) << text;
  }
  x.SetValueAsString("nan");
  EXPECT_TRUE(std::isnan(*x.Value().As<double>()));
}

TEST(ArgumentItem, RoundTripsIntegersBooleansAndTexts) {
  ArgumentItem n("n", ArgumentOptions<std::int64_t>{});
  for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
                                   std::int64_t{9007199254740993}, std::int64_t{0}, std::int64_t{-1}}) {
    n.SetValue(value);
    const std::string text = n.ValueAsString();
    n.SetValue({});
    n.SetValueAsString(text);
    EXPECT_EQ(n.Value(), Value(value)) << text;
  }
  ArgumentItem flag("flag", ArgumentOptions<bool>{});
  for (const bool value : {true, false}) {
    flag.SetValue(value);
    const std::string text = flag.ValueAsString();
    flag.SetValue({});
    flag.SetValueAsString(text);
    EXPECT_EQ(flag.Value(), Value(value));
  }
  ArgumentItem name("name", ArgumentOptions<std::string>{});
  for (const char* value : {" leading and trailing ", "a,b;c", "1.5", "Z\u00fcrich", "two\nlines", "<&\"'>"}) {
    name.SetValue(value);
    const std::string text = name.ValueAsString();
    name.SetValue({});
    name.SetValueAsString(text);
    EXPECT_EQ(name.Value(), Value(value));
  }
}

TEST(ArgumentItem, RoundTripsTheEmptyText) {
  ArgumentItem needed("file", ArgumentOptions<std::string>{});
  EXPECT_EQ(needed.ValueAsString(), "");
  needed.SetValueAsString("");
  EXPECT_TRUE(needed.Value().IsEmpty());  // no file was named
  needed.SetValue("x");
  needed.SetValue("");
  EXPECT_FALSE(needed.HasValue());
  ArgumentItem prefix("prefix", ArgumentOptions<std::string>{.value = "run-"});
  prefix.SetValueAsString("");  // blanked on purpose
  EXPECT_EQ(prefix.Value(), Value(""));
  EXPECT_EQ(prefix.ValueAsString(), "");
}

TEST(ArgumentItem, ReadsNumbersWithAnotherUnit) {
  ArgumentItem k = Storage();
  k.SetValueAsString("2 d");
  EXPECT_EQ(k.Value(), Value(48.0));
  EXPECT_EQ(k.ValueAsString(), "48");
  k.SetValueAsString("90min");
  EXPECT_EQ(k.Value(), Value(1.5));
  k.SetValueAsString(" 3.5 h ");
  EXPECT_EQ(k.Value(), Value(3.5));
  k.SetValueAsString("+1e1");
  EXPECT_EQ(k.Value(), Value(10.0));
  ArgumentItem temperature("t", ArgumentOptions<double>{.unit = "K"});
  temperature.SetValueAsString("20 degC");
  EXPECT_EQ(temperature.Value(), Value(293.15));
  temperature.SetValueAsString("20 \u00b0C");
  EXPECT_EQ(temperature.Value(), Value(293.15));
  ArgumentItem share("share", ArgumentOptions<double>{.unit = "1"});
  share.SetValueAsString("5 %");
  EXPECT_EQ(share.Value(), Value(0.05));
  ArgumentItem hours("hours", ArgumentOptions<int>{.unit = "h"});
  hours.SetValueAsString("2 d");
  EXPECT_EQ(hours.Value(), Value(48));
  EXPECT_THROW(hours.SetValueAsString("90 min"), ArgumentError);
}

TEST(ArgumentItem, RefusesUnitsThatDoNotFit) {
  ArgumentItem k = Storage();
  k.SetOwner("reservoir");
  EXPECT_THAT([&] { k.SetValueAsString("2 m"); },
              ThrowsMessage<ArgumentError>(
                  AllOf(HasSubstr("reservoir.k"), HasSubstr("found '2 m'"), HasSubstr("write the number in h"))));
  EXPECT_THROW(k.SetValueAsString("2 fortnights of rain"), ArgumentError);
  ArgumentItem bare("n", ArgumentOptions<double>{});
  EXPECT_THAT([&] { bare.SetValueAsString("2 d"); },
              ThrowsMessage<ArgumentError>(HasSubstr("the argument has no unit")));
  EXPECT_THROW(ArgumentItem("k", ArgumentOptions<double>{.unit = "nonsense"}), UnitError);
}

TEST(ArgumentItem, RefusesTextThatIsNoNumber) {
  ArgumentItem x("x", ArgumentOptions<double>{.unit = "m"});
  EXPECT_THAT([&] { x.SetValueAsString("1,5"); },
              ThrowsMessage<ArgumentError>(HasSubstr("decimal point, not a comma")));
  EXPECT_THAT([&] { x.SetValueAsString("abc"); },
              ThrowsMessage<ArgumentError>(
                  AllOf(HasSubstr("expected a number in m, found 'abc'"), HasSubstr("decimal point"))));
  for (const char* text : {"1 2", "--1", "+-1", "1e999", "0x10", "1/3", "1;", "."})
    EXPECT_THROW(x.SetValueAsString(text), ArgumentError) << text;
  ArgumentItem n("n", ArgumentOptions<int>{});
  for (const char* text : {"1.5", "99999999999", "-99999999999999999999", "one", "1 0"})
    EXPECT_THROW(n.SetValueAsString(text), ArgumentError) << text;
  ArgumentItem flag("flag", ArgumentOptions<bool>{});
  EXPECT_THAT([&] { flag.SetValueAsString("maybe"); }, ThrowsMessage<ArgumentError>(HasSubstr("write true or false")));
  for (const char* text : {"true", "1", "Yes", "ON"}) {
    flag.SetValueAsString(text);
    EXPECT_EQ(flag.Value(), Value(true)) << text;
  }
  for (const char* text : {"false", "0", "no", "Off"}) {
    flag.SetValueAsString(text);
    EXPECT_EQ(flag.Value(), Value(false)) << text;
  }
}

TEST(ArgumentItem, HidesSecretsEverywhereButFromTheComponent) {
  ArgumentItem password("password", ArgumentOptions<std::string>{.meaning = ArgumentMeaning::Secret});
  EXPECT_TRUE(password.IsSecret());
  EXPECT_EQ(password.DisplayText(), "");
  password.SetValue("hunter2");
  EXPECT_EQ(password.DisplayText(), "********");
  EXPECT_EQ(password.ValueAsString(), "hunter2");
  const IArgument& seen = password;
  EXPECT_TRUE(IsSecret(seen));
  EXPECT_EQ(DisplayText(seen), "********");
  const ArgumentItem open("user", ArgumentOptions<std::string>{.value = "guest"});
  EXPECT_FALSE(IsSecret(open));
  EXPECT_EQ(DisplayText(open), "guest");
  ArgumentItem pin("pin", ArgumentOptions<int>{.minimum = 1000, .maximum = 9999, .meaning = ArgumentMeaning::Secret});
  EXPECT_THAT([&] { pin.SetValue(123); }, ThrowsMessage<ArgumentError>(Not(HasSubstr("123"))));
  EXPECT_THAT([&] { pin.SetValueAsString("12x4"); }, ThrowsMessage<ArgumentError>(Not(HasSubstr("12x4"))));
  ArgumentItem key(
      "key", ArgumentOptions<std::string>{.possible_values = {"alpha", "beta"}, .meaning = ArgumentMeaning::Secret});
  EXPECT_THAT([&] { key.SetValue("alpho"); },
              ThrowsMessage<ArgumentError>(AllOf(Not(HasSubstr("alpho")), Not(HasSubstr("alpha")))));
  ArgumentItem rate("rate", ArgumentOptions<double>{.unit = "m", .meaning = ArgumentMeaning::Secret});
  EXPECT_THAT([&] { rate.SetValueAsString("77 kittens"); },
              ThrowsMessage<ArgumentError>(AllOf(Not(HasSubstr("77")), Not(HasSubstr("kittens")))));
}

TEST(ArgumentItem, TellsOfChangesOnlyAndTakesBackRefusedOnes) {
  ArgumentItem k = Storage();
  int changes = 0;
  k.changed = [&] { ++changes; };
  k.SetValue(3.0);
  k.SetValue(3.0);
  EXPECT_EQ(changes, 1);
  k.SetValueAsString("");
  EXPECT_EQ(changes, 2);
  EXPECT_THROW(k.SetValue(-1.0), ArgumentError);
  EXPECT_EQ(changes, 2);
  k.changed = [] { throw std::runtime_error("not now"); };
  EXPECT_THROW(k.SetValue(9.0), std::runtime_error);
  EXPECT_EQ(k.Value(), Value(2.0));
  EXPECT_FALSE(k.IsSet());
}

TEST(ArgumentItem, RefusesDeclarationsThatMakeNoSense) {
  EXPECT_THROW(ArgumentItem("", ArgumentOptions<int>{}), ArgumentError);
  EXPECT_THROW(ArgumentItem("flag", ArgumentOptions<bool>{.unit = "m"}), ArgumentError);
  EXPECT_THROW(ArgumentItem("name", ArgumentOptions<std::string>{.minimum = "a"}), ArgumentError);
  EXPECT_THROW(ArgumentItem("k", ArgumentOptions<int>{.value = 3, .possible_values = {1, 2}}), ArgumentError);
}

TEST(ArgumentItem, IsTheSameUnderADecimalComma) {
  const tests::DecimalCommaLocale locale;
  ArgumentItem x("x", ArgumentOptions<double>{.unit = "h"});
  x.SetValueAsString("1234.5");
  EXPECT_EQ(x.Value(), Value(1234.5));
  EXPECT_EQ(x.ValueAsString(), "1234.5");
  x.SetValueAsString("0.5 d");
  EXPECT_EQ(x.Value(), Value(12.0));
  EXPECT_THROW(x.SetValueAsString("1,5"), ArgumentError);
  ArgumentItem n("n", ArgumentOptions<int>{.value = 1234567});
  EXPECT_EQ(n.ValueAsString(), "1234567");
}

TEST(Argument, GivesTheValueAsItsOwnType) {
  ArgumentItem n("n", ArgumentOptions<int>{.value = 3});
  ArgumentItem whole("whole", ArgumentOptions<std::int64_t>{.value = 1LL << 40});
  ArgumentItem k = Storage();
  ArgumentItem flag("flag", ArgumentOptions<bool>{.value = true});
  ArgumentItem name("name", ArgumentOptions<std::string>{.value = "creek"});
  EXPECT_EQ(Argument<int>(n).Value(), 3);
  EXPECT_EQ(Argument<std::int64_t>(whole).Value(), 1LL << 40);
  EXPECT_EQ(Argument<bool>(flag).Value(), true);
  EXPECT_EQ(Argument<std::string>(name).Value(), "creek");
  Argument<double> handle;
  handle = Argument<double>(k);
  EXPECT_EQ(handle.Value(), 2.0);
  k.SetValue(5);
  EXPECT_EQ(handle.Value(), 5.0);
  EXPECT_EQ(&handle.Item(), &k);
}

TEST(Argument, SaysWhichValueIsMissing) {
  ArgumentItem file("file", ArgumentOptions<std::string>{});
  file.SetOwner("rain");
  const Argument<std::string> handle(file);
  EXPECT_FALSE(handle.HasValue());
  EXPECT_THAT([&] { handle.Value(); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("rain.file: expected a text, found no value"),
                                                 HasSubstr("set the argument 'file'"))));
  file.SetValue("rain.csv");
  EXPECT_EQ(handle.Value(), "rain.csv");
}

TEST(Argument, GivesTheValueThatATextNames) {
  enum class Method { Nearest, Linear };
  static constexpr EnumNames<Method> kMethods{{"linear", Method::Linear}, {"nearest", Method::Nearest}};
  static_assert(kMethods.Find("nearest") == Method::Nearest && !kMethods.Find("cubic"));
  ArgumentList arguments;
  const auto method = arguments.Add<Method>("method", {.value = Method::Nearest, .names = kMethods});
  EXPECT_EQ(method.Value(), Method::Nearest);
  EXPECT_EQ(method.Item().DefaultValue(), Value("nearest"));
  EXPECT_EQ(method.Item().PossibleValues()->front(), Value("linear"));
  method.Item().SetValue("linear");
  EXPECT_EQ(method.Value(), Method::Linear);
  EXPECT_THROW(method.Item().SetValue("cubic"), ArgumentError);
  const auto other = arguments.Add<Method>("other", {.names = kMethods, .optional = true});
  EXPECT_FALSE(other.HasValue());
  EXPECT_THROW(other.Value(), ArgumentError);
}

TEST(Argument, IsSmallWhereNothingLimitsIt) {
  // A library of BMI has thirty of them, and a composition thousands of libraries.
  EXPECT_LE(sizeof(ArgumentItem), 240U);
}

}  // namespace
}  // namespace openmi
