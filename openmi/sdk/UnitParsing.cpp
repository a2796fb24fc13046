// Unit::Parse, the only code that uses UDUNITS-2.
#include <fmt/format.h>
#include <locale.h>
#include <udunits2.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {

namespace {

struct FreeUnit {
  void operator()(ut_unit* unit) const { ut_free(unit); }
};
using UnitHandle = std::unique_ptr<ut_unit, FreeUnit>;

/// While an object lives, the calling thread (and no other) uses the C locale.
///
/// UDUNITS-2 reads numbers with strtod, and setlocale() of a program can change that to decimal commas. In a German
/// locale UDUNITS-2 cannot even read its own database.
class CLocale {
 public:
  CLocale() : before_(uselocale(Neutral())) {}
  ~CLocale() { uselocale(before_); }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  static locale_t Neutral() {
    static const locale_t neutral = newlocale(LC_ALL_MASK, "C", nullptr);
    return neutral;
  }
  locale_t before_;
};

/// Replaces what UDUNITS-2 does not read: superscript digits and minus, typographic signs, a leading division.
std::string Plain(std::string_view text) {
  struct Sign {
    std::string_view utf8;
    std::string_view plain;
    bool raised;
  };
  static constexpr Sign kSigns[] = {
      {"\u2070", "0", true},    {"\u00b9", "1", true},  {"\u00b2", "2", true},     {"\u00b3", "3", true},
      {"\u2074", "4", true},    {"\u2075", "5", true},  {"\u2076", "6", true},     {"\u2077", "7", true},
      {"\u2078", "8", true},    {"\u2079", "9", true},  {"\u207b", "-", true},     {"\u207a", "", true},
      {"\u00b7", ".", false},   {"\u22c5", ".", false}, {"\u2212", "-", false},    {"\u03bc", "\u00b5", false},
      {"\u00a0", " ", false},   {"\u202f", " ", false}, {"\u2103", "degC", false}, {"\u2109", "degF", false},
      {"\u20ac", "EUR", false},
  };
  std::string plain;
  bool raised = false;
  while (!text.empty()) {
    const Sign* found = nullptr;
    for (const Sign& sign : kSigns) {
      if (text.starts_with(sign.utf8)) found = &sign;
    }
    if (found) {
      if (found->raised && !raised) plain += '^';
      plain += found->plain;
    } else {
      plain += text.front();
    }
    raised = found && found->raised;
    text.remove_prefix(found ? found->utf8.size() : 1);
  }
  std::string_view trimmed = Trimmed(plain);
  if (trimmed == "-") return "1";
  return trimmed.starts_with('/') ? "1" + std::string(trimmed) : std::string(trimmed);
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether there is a power such as "m^0.5" or "m0.5", which UDUNITS-2 silently reads as "m^0 times 5".
bool HasFractionalPower(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (!IsLetter(text[i - 1]) && text[i - 1] != '^' && text[i - 1] != '*') continue;
    std::size_t j = i;
    if (text[j] == '-' || text[j] == '+') ++j;
    const std::size_t digits = j;
    while (j < text.size() && IsDigit(text[j])) ++j;
    if (j > digits && j + 1 < text.size() && text[j] == '.' && IsDigit(text[j + 1])) return true;
  }
  return false;
}

/// Names that UDUNITS-2 does not have, compared without regard to case and only for a whole text that it cannot read.
///
/// The flow units are those of EPANET and SWMM, with the international acre-foot of 43560 cubic feet.
const char* Alias(std::string_view text) {
  static constexpr std::pair<std::string_view, const char*> kAliases[] = {
      {"cfs", "ft3/s"},
      {"cusec", "ft3/s"},
      {"cusecs", "ft3/s"},
      {"gpm", "US_liquid_gallon/min"},
      {"mgd", "1e6 US_liquid_gallon/day"},
      {"imgd", "4546.09 m3/day"},
      {"afd", "43560 ft3/day"},
      {"lps", "l/s"},
      {"lpm", "l/min"},
      {"mld", "1000 m3/day"},
      {"cmh", "m3/h"},
      {"cmd", "m3/day"},
      {"cms", "m3/s"},
      {"cumec", "m3/s"},
      {"cumecs", "m3/s"},
      {"deg", "degree"},
      {"none", "1"},
      {"dimensionless", "1"},
      {"unitless", "1"},
  };
  const std::string lower = Lower(text);
  for (const auto& [name, meaning] : kAliases) {
    if (lower == name) return meaning;
  }
  return nullptr;
}

std::string RemedyFor(std::string_view text) {
  static const std::vector<std::string> kCommon = {
      "m",          "mm",         "cm",         "km",        "m2",         "km2",      "ha",
      "m3",         "l",          "m3 s-1",     "m3/s",      "m3/day",     "m3/h",     "l/s",
      "mm/h",       "mm h-1",     "mm/day",     "mm d-1",    "m/s",        "m s-1",    "m/day",
      "s",          "min",        "h",          "hour",      "day",        "kg",       "g",
      "t",          "kg/m3",      "kg m-3",     "mg/l",      "kg m-2 s-1", "K",        "degC",
      "celsius",    "Pa",         "hPa",        "kPa",       "bar",        "J",        "W",
      "W m-2",      "MW",         "kWh",        "degree",    "radian",     "EUR",      "EUR m-3",
      "mol",        "mol m-3",    "percent",    "ft3/s",     "in/h",       "meter",    "metre",
      "millimeter", "millimetre", "centimeter", "kilometer", "kilometre",  "second",   "minute",
      "kelvin",     "liter",      "litre",      "hectare",   "pascal",     "millibar", "dimensionless",
  };
  const std::string nearest = Nearest(text, kCommon);
  if (!nearest.empty() && nearest != text) return "did you mean '" + nearest + "'?";
  return "write it as UDUNITS-2 does, such as 'm3 s-1', 'mm h-1', 'kg m-3', 'degC', 'EUR m-3' or '1'";
}

/// The results of a visit of a unit's structure.
struct Structure {
  double factor = 1.0;
  double offset = 0.0;  // in multiples of `factor`
  std::array<double, kDimensionBaseCount> powers{};
  const char* refusal = nullptr;
};

ut_status AddBasic(const ut_unit* unit, int power, Structure& structure) {
  static constexpr std::pair<std::string_view, DimensionBase> kBases[] = {
      {"m", DimensionBase::Length},
      {"kg", DimensionBase::Mass},
      {"s", DimensionBase::Time},
      {"A", DimensionBase::ElectricCurrent},
      {"K", DimensionBase::Temperature},
      {"mol", DimensionBase::AmountOfSubstance},
      {"cd", DimensionBase::LuminousIntensity},
      {"EUR", DimensionBase::Currency},
  };
  const char* symbol = ut_get_symbol(unit, UT_ASCII);
  for (const auto& [name, base] : kBases) {
    if (symbol && name == symbol) {
      structure.powers[static_cast<std::size_t>(base)] += power;
      return UT_SUCCESS;
    }
  }
  // The remaining base unit is the radian, which has no dimension.
  if (!ut_is_dimensionless(unit)) structure.refusal = "a base unit that the standard does not have";
  return UT_SUCCESS;
}

Structure& StructureAt(void* argument) {
  return *static_cast<Structure*>(argument);
}

extern const ut_visitor kVisitor;

ut_status VisitBasic(const ut_unit* unit, void* argument) {
  return AddBasic(unit, 1, StructureAt(argument));
}

ut_status VisitProduct(const ut_unit*, int count, const ut_unit* const* units, const int* powers, void* argument) {
  for (int i = 0; i < count; ++i) AddBasic(units[i], powers[i], StructureAt(argument));
  return UT_SUCCESS;
}

// SI value = scale * (value + offset)
ut_status VisitGalilean(const ut_unit*, double scale, const ut_unit* underlying, double offset, void* argument) {
  Structure& structure = StructureAt(argument);
  structure.factor *= scale;
  structure.offset += offset;
  return ut_accept_visitor(underlying, &kVisitor, argument);
}

ut_status VisitTimestamp(const ut_unit*, const ut_unit*, double, void* argument) {
  StructureAt(argument).refusal = "a time since a date";
  return UT_SUCCESS;
}

ut_status VisitLogarithmic(const ut_unit*, double, const ut_unit*, void* argument) {
  StructureAt(argument).refusal = "a logarithmic unit";
  return UT_SUCCESS;
}

const ut_visitor kVisitor = {VisitBasic, VisitProduct, VisitGalilean, VisitTimestamp, VisitLogarithmic};

/// The only UDUNITS-2 system of the process, which is not thread-safe, and the units read so far.
class UnitSystem {
 public:
  /// \throws UnitError  the database cannot be read
  static UnitSystem& Instance() {
    // Never destroyed: destructors of other statics may read units.
    static UnitSystem& instance = *new UnitSystem;
    return instance;
  }

  Unit Read(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
    const CLocale neutral;
    const Unit unit = ReadNew(text);
    return known_.emplace(text, unit).first->second;
  }

 private:
  UnitSystem() {
    const CLocale neutral;
    ut_set_error_message_handler(ut_ignore);
    system_ = ut_read_xml(nullptr);
    if (!system_) {
      throw UnitError({}, "expected the unit database of UDUNITS-2, found none that can be read",
                      "install the package libudunits2-data, or set UDUNITS2_XML_PATH to its udunits2.xml");
    }
    const UnitHandle euro(ut_new_base_unit(system_));
    ut_map_unit_to_symbol(euro.get(), "EUR", UT_ASCII);
    Add(euro, {"euro", "euros"}, "EUR");
    Add(Handle("W h"), {}, "Wh");
    // The database has these units with only seven digits. A US liquid gallon is 231 cubic inches.
    Add(Handle("231 inch3"),
        {"US_liquid_gallon", "US_liquid_gallons", "liquid_gallon", "liquid_gallons", "gallon", "gallons"}, nullptr);
  }

  /// Gives a unit names and a symbol, and replaces their earlier meaning.
  void Add(const UnitHandle& unit, std::initializer_list<const char*> names, const char* symbol) const {
    for (const char* name : names) {
      ut_unmap_name_to_unit(system_, name, UT_ASCII);
      ut_map_name_to_unit(name, UT_ASCII, unit.get());
    }
    if (symbol) ut_map_symbol_to_unit(symbol, UT_ASCII, unit.get());
  }

  UnitHandle Handle(const std::string& text) const { return UnitHandle(ut_parse(system_, text.c_str(), UT_UTF8)); }

  Unit ReadNew(const std::string& text) const {
    const std::string plain = Plain(text);
    if (HasFractionalPower(plain)) {
      throw UnitError({}, fmt::format("expected a unit with whole powers, found '{}'", text),
                      "units with fractional powers cannot be read; give the quantity another form");
    }
    UnitHandle handle;
    if (plain.find('\0') == std::string::npos) handle = Handle(plain);
    if (!handle) {
      if (const char* alias = Alias(plain)) handle = Handle(alias);
    }
    if (!handle) throw UnitError({}, fmt::format("expected a unit, found '{}'", text), RemedyFor(plain));
    Structure structure;
    ut_accept_visitor(handle.get(), &kVisitor, &structure);
    if (structure.refusal) {
      throw UnitError({}, fmt::format("expected a unit with a factor to SI, found '{}', {}", text, structure.refusal),
                      "give the values in a linear unit, or as '1' with the unit in the description");
    }
    const double factor = ExactNear(structure.factor);
    return {text.empty() ? "1" : text, factor, ExactNear(factor * structure.offset), Dimension(structure.powers)};
  }

  std::mutex mutex_;
  ut_system* system_ = nullptr;
  std::unordered_map<std::string, Unit> known_;
};

}  // namespace

Unit Unit::Parse(std::string_view text) {
  return UnitSystem::Instance().Read(std::string(Trimmed(text)));
}

}  // namespace openmi
