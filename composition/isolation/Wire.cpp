#include "composition/isolation/Wire.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "composition/proxy/PlainItems.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/PlainDefinition.hpp"
#include "openmi/sdk/Quality.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi {
namespace {

[[noreturn]] void Refuse(const char* what) {
  throw FormatError({}, fmt::format("expected the description of a component, found {}", what),
                    "the other process is not a worker of this build");
}

std::size_t ReadCount(StateReader& reader) {
  const std::int64_t count = reader.ReadInteger();
  if (count < 0 || count > std::int64_t{1} << 32) Refuse("a count out of range");
  return static_cast<std::size_t>(count);
}

ValueKind ReadKind(StateReader& reader) {
  const std::int64_t kind = reader.ReadInteger();
  if (kind < 0 || kind > static_cast<std::int64_t>(ValueKind::Object)) Refuse("an unknown kind of value");
  return static_cast<ValueKind>(kind);
}

void WriteDescription(StateWriter& writer, const IDescribable& described) {
  Write(writer, described.Caption());
  Write(writer, described.Description());
}

template <class Described>
void ReadDescription(StateReader& reader, Described& described) {
  described.SetCaption(reader.ReadText());
  described.SetDescription(reader.ReadText());
}

void WriteUnit(StateWriter& writer, const IUnit& unit) {
  WriteDescription(writer, unit);
  writer.Write(unit.ConversionFactorToSI());
  writer.Write(unit.OffSetToSI());
  for (std::size_t base = 0; base < kDimensionBaseCount; ++base) {
    writer.Write(unit.Dimension().GetPower(static_cast<DimensionBase>(base)));
  }
}

Unit ReadUnit(StateReader& reader) {
  std::string caption = reader.ReadText();
  const std::string description = reader.ReadText();
  const double factor = reader.ReadDouble();
  const double offset = reader.ReadDouble();
  std::array<double, kDimensionBaseCount> powers{};
  for (double& power : powers) power = reader.ReadDouble();
  Unit unit(std::move(caption), factor, offset, Dimension(powers));
  unit.SetDescription(description);
  return unit;
}

enum class DefinitionForm : std::int64_t { Plain, Quantity, Quality };
enum class SpatialForm : std::int64_t { None, Plain, Elements, OnceOnly };

}  // namespace

void WriteValue(StateWriter& writer, const Value& value) {
  writer.Write(static_cast<std::int64_t>(value.Kind()));
  switch (value.Kind()) {
    case ValueKind::Empty:
      break;
    case ValueKind::Boolean:
      writer.Write(*value.As<bool>());
      break;
    case ValueKind::Integer:
      writer.Write(*value.As<std::int64_t>());
      break;
    case ValueKind::Double:
      writer.Write(*value.As<double>());
      break;
    case ValueKind::String:
      Write(writer, *value.As<std::string>());
      break;
    case ValueKind::Binary:
      writer.Write(ByteView(*value.As<Bytes>()));
      break;
    case ValueKind::Object:
      throw TypeError({},
                      "expected a value that can go to another process, found an object of the component's own type",
                      "run this component in the same process as its neighbours");
  }
}

Value ReadValue(StateReader& reader) {
  switch (ReadKind(reader)) {
    case ValueKind::Boolean:
      return reader.ReadBool();
    case ValueKind::Integer:
      return reader.ReadInteger();
    case ValueKind::Double:
      return reader.ReadDouble();
    case ValueKind::String:
      return reader.ReadText();
    case ValueKind::Binary: {
      const ByteView bytes = reader.ReadBytes();
      return Bytes(bytes.begin(), bytes.end());
    }
    case ValueKind::Object:
      Refuse("an object");
    case ValueKind::Empty:
      break;
  }
  return {};
}

void WriteDefinition(StateWriter& writer, const IValueDefinition& definition) {
  const auto* quantity = dynamic_cast<const IQuantity*>(&definition);
  const auto* quality = dynamic_cast<const IQuality*>(&definition);
  const DefinitionForm form = quantity != nullptr  ? DefinitionForm::Quantity
                              : quality != nullptr ? DefinitionForm::Quality
                                                   : DefinitionForm::Plain;
  writer.Write(static_cast<std::int64_t>(form));
  WriteDescription(writer, definition);
  writer.Write(static_cast<std::int64_t>(definition.ValueType().kind));
  const Value missing = definition.MissingDataValue();
  WriteValue(writer, missing.Kind() == ValueKind::Object ? Value() : missing);
  if (quantity != nullptr) {
    WriteUnit(writer, quantity->Unit());
  } else if (quality != nullptr) {
    writer.Write(quality->IsOrdered());
    Write(writer, quality->Categories().size());
    for (const ICategory* category : quality->Categories()) {
      WriteValue(writer, category->Value());
      WriteDescription(writer, *category);
    }
  } else {
    Write(writer, MessageTypeOf(definition));
  }
}

std::unique_ptr<const IValueDefinition> ReadDefinition(StateReader& reader) {
  const auto form = static_cast<DefinitionForm>(reader.ReadInteger());
  const std::string caption = reader.ReadText();
  const std::string description = reader.ReadText();
  const ValueKind kind = ReadKind(reader);
  Value missing = ReadValue(reader);
  if (form == DefinitionForm::Quantity) {
    Unit unit = ReadUnit(reader);
    const bool is_number = kind == ValueKind::Integer || kind == ValueKind::Double;
    auto quantity = is_number ? std::make_unique<Quantity>(std::move(unit), caption, std::move(missing), kind)
                              : std::make_unique<Quantity>(std::move(unit), caption);
    quantity->SetDescription(description);
    return quantity;
  }
  if (form == DefinitionForm::Quality) {
    const bool ordered = reader.ReadBool();
    std::vector<Category> categories;
    for (std::size_t left = ReadCount(reader); left > 0; --left) {
      Value value = ReadValue(reader);
      const std::string name = reader.ReadText();
      categories.emplace_back(std::move(value), name, reader.ReadText());
    }
    auto quality = std::make_unique<Quality>(caption, std::move(categories), ordered);
    quality->SetDescription(description);
    return quality;
  }
  if (form != DefinitionForm::Plain) Refuse("an unknown definition of values");
  auto plain = std::make_unique<PlainDefinition>(ValueType{kind, nullptr}, std::move(missing), reader.ReadText());
  plain->SetCaption(caption);
  plain->SetDescription(description);
  return plain;
}

void WriteSpatial(StateWriter& writer, const ISpatialDefinition* spatial, KnownPlaces* known) {
  const auto* elements = dynamic_cast<const IElementSet*>(spatial);
  const SpatialForm form = spatial == nullptr    ? SpatialForm::None
                           : elements == nullptr ? SpatialForm::Plain
                           : known == nullptr    ? SpatialForm::Elements
                                                 : SpatialForm::OnceOnly;
  writer.Write(static_cast<std::int64_t>(form));
  if (form == SpatialForm::OnceOnly) {
    known->Write(writer, *elements);
  } else if (elements != nullptr) {
    WriteElementSet(writer, *elements);
  } else if (spatial != nullptr) {
    writer.Write(static_cast<std::int64_t>(spatial->ElementCount()));
    Write(writer, spatial->SpatialReferenceSystemWkt());
    writer.Write(static_cast<std::int64_t>(spatial->Version()));
    WriteDescription(writer, *spatial);
  }
}

std::shared_ptr<const ISpatialDefinition> ReadSpatial(StateReader& reader, KnownPlaces* known) {
  switch (static_cast<SpatialForm>(reader.ReadInteger())) {
    case SpatialForm::None:
      return nullptr;
    case SpatialForm::Elements:
      return std::make_shared<const ElementSet>(ReadElementSet(reader));
    case SpatialForm::OnceOnly:
      if (known != nullptr) return known->Read(reader);
      break;
    case SpatialForm::Plain: {
      const int count = static_cast<int>(reader.ReadInteger());
      std::string wkt = reader.ReadText();
      auto plain = std::make_shared<PlainPlaces>(count, std::move(wkt), static_cast<int>(reader.ReadInteger()));
      ReadDescription(reader, *plain);
      return plain;
    }
  }
  Refuse("an unknown form of places");
}

void WriteTimeSet(StateWriter& writer, const ITimeSet* times) {
  writer.Write(times != nullptr);
  if (times == nullptr) return;
  writer.Write(times->HasDurations());
  writer.Write(times->OffsetFromUtcInHours());
  writer.Write(times->TimeHorizon().StampAsModifiedJulianDay());
  writer.Write(EndOf(times->TimeHorizon()).mjd);
  Write(writer, times->Times().size());
  for (const ITime* time : times->Times()) {
    writer.Write(time->StampAsModifiedJulianDay());
    writer.Write(time->DurationInDays());
  }
}

std::unique_ptr<TimeSet> ReadTimeSet(StateReader& reader) {
  if (!reader.ReadBool()) return nullptr;
  auto times = std::make_unique<TimeSet>(reader.ReadBool());
  times->SetOffsetFromUtcInHours(reader.ReadDouble());
  const Stamp begin{reader.ReadDouble()};
  times->SetHorizon(begin, Stamp{reader.ReadDouble()});
  std::vector<Time> list;
  for (std::size_t left = ReadCount(reader); left > 0; --left) {
    const Stamp stamp{reader.ReadDouble()};
    list.emplace_back(stamp, Days{reader.ReadDouble()});
  }
  times->Assign(list);
  return times;
}

void WriteValues(StateWriter& writer, const IBaseValueSet& values) {
  writer.Write(static_cast<std::int64_t>(values.ValueType().kind));
  if (const auto* rows = dynamic_cast<const INumericRows*>(&values)) {
    writer.Write(true);
    Write(writer, rows->RowCount());
    for (std::size_t row = 0; row < rows->RowCount(); ++row) writer.Write(rows->Row(row));
    return;
  }
  writer.Write(false);
  const std::size_t times = values.NumberOfIndices() == 2 ? values.GetIndexCount({}) : 0;
  if (values.NumberOfIndices() != 2) {
    throw TypeError({}, fmt::format("expected values by time and element, found {} indices", values.NumberOfIndices()),
                    "run this component in the same process as its neighbours");
  }
  Write(writer, times);
  for (std::size_t time = 0; time < times; ++time) {
    const std::size_t elements = values.GetIndexCount(std::span(&time, 1));
    Write(writer, elements);
    for (std::size_t element = 0; element < elements; ++element) {
      const std::size_t place[] = {time, element};
      WriteValue(writer, values.GetValue(std::span<const std::size_t>(place)));
    }
  }
}

std::unique_ptr<ITimeSpaceValueSet> ReadValues(StateReader& reader) {
  const ValueKind kind = ReadKind(reader);
  const bool is_numeric = reader.ReadBool();
  const std::size_t times = ReadCount(reader);
  if (is_numeric) {
    auto values = std::make_unique<NumericValueSet>(kind);
    for (std::size_t time = 0; time < times; ++time) {
      const std::vector<double> row = reader.ReadDoubles();
      values->ResizeTimes(time + 1);
      values->SetRow(time, row);
    }
    return values;
  }
  auto values = std::make_unique<ObjectValueSet>(ValueType{kind, nullptr});
  for (std::size_t time = 0; time < times; ++time) {
    std::vector<Value> row;
    for (std::size_t left = ReadCount(reader); left > 0; --left) row.push_back(ReadValue(reader));
    values->ResizeTimes(time + 1);
    values->Resize(time, row.size());
    values->SetElementValuesForTime(static_cast<int>(time), row);
  }
  return values;
}

void WriteItem(StateWriter& writer, const ITimeSpaceExchangeItem& item, KnownPlaces* known) {
  Write(writer, item.Id());
  WriteDescription(writer, item);
  WriteDefinition(writer, item.ValueDefinition());
  WriteSpatial(writer, item.SpatialDefinition(), known);
  WriteTimeSet(writer, item.TimeSet());
}

ItemDescription ReadItem(StateReader& reader, KnownPlaces* known) {
  // The fields are read in this order: the clauses of a braced list are evaluated one after the other.
  return {reader.ReadText(),      reader.ReadText(),          reader.ReadText(),
          ReadDefinition(reader), ReadSpatial(reader, known), ReadTimeSet(reader)};
}

void WriteProblems(StateWriter& writer, const Problems& problems) {
  Write(writer, problems.size());
  for (const Problem& problem : problems) {
    writer.Write(static_cast<std::int64_t>(problem.severity));
    Write(writer, problem.where.file);
    writer.Write(static_cast<std::int64_t>(problem.where.line));
    for (const std::string* text : {&problem.where.component, &problem.where.item, &problem.problem, &problem.remedy}) {
      Write(writer, *text);
    }
  }
}

Problems ReadProblems(StateReader& reader) {
  Problems problems;
  for (std::size_t left = ReadCount(reader); left > 0; --left) {
    Problem problem;
    const std::int64_t severity = reader.ReadInteger();
    problem.severity = severity == 0 ? Problem::Note : severity == 1 ? Problem::Warning : Problem::Error;
    problem.where.file = reader.ReadText();
    problem.where.line = static_cast<int>(reader.ReadInteger());
    for (std::string* text : {&problem.where.component, &problem.where.item, &problem.problem, &problem.remedy}) {
      *text = reader.ReadText();
    }
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace openmi
