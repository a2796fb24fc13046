#include "timespace/c/Things.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/c/Declarations.hpp"

namespace openmi::c {

const char* Things::NameOf(Kind kind) {
  constexpr const char* kNames[] = {"an argument", "a set of elements", "an input", "an output"};
  return kNames[static_cast<std::size_t>(kind)];
}

Thing& Things::Find(int number, Kind kind) const {
  if (number >= 1 && static_cast<std::size_t>(number) <= things_.size()) [[likely]] {
    Thing& thing = *things_[static_cast<std::size_t>(number) - 1];
    if (thing.kind == kind) [[likely]]
      return thing;
    throw ArgumentError({.component = owner_.Name()},
                        fmt::format("expected the number of {}, found {}, which is that of {}", NameOf(kind), number,
                                    NameOf(thing.kind)),
                        "keep the numbers that the functions add_... return");
  }
  throw ArgumentError({.component = owner_.Name()},
                      fmt::format("expected the number of {}, found {} where {} things are declared", NameOf(kind),
                                  number, things_.size()),
                      "keep the numbers that the functions add_... return");
}

int Things::Add(Thing thing) {
  things_.push_back(std::make_unique<Thing>(std::move(thing)));
  if (!is_initialized_) lasting_ = things_.size();
  List(*things_.back());
  return static_cast<int>(things_.size());
}

void Things::List(Thing& thing) {
  if (thing.value_input != nullptr) value_inputs_.push_back(&thing);
  if (thing.kind == Kind::Output) outputs_.push_back(&thing);
  if (thing.output == nullptr) return;
  thing.shown_number = shown_.Count();
  shown_.Add(*thing.output);
}

void Things::BeginInitialize() {
  is_initialized_ = true;
  things_.resize(lasting_);
  outputs_.clear();
  value_inputs_.clear();
  shown_.Clear();
  for (const auto& thing : things_) List(*thing);
}

int Things::AddArgument(const openmi_argument* declared) {
  const openmi_argument argument = Taken(declared, "openmi_argument");
  return Add({.kind = Kind::Argument,
              .argument = &Declare(owner_.Arguments(), argument),
              .is_tunable = (argument.flags & OPENMI_TUNABLE) != 0});
}

int Things::AddElements(const openmi_elements* declared) {
  const openmi_elements elements = Taken(declared, "openmi_elements");
  return Add({.kind = Kind::Elements,
              .elements = std::make_shared<ElementSet>(ElementsOf(elements)),
              .shape = elements.shape});
}

void Things::SetAttribute(int elements, const char* name, const char* unit, const double* values, std::size_t count) {
  Thing& thing = Find(elements, Kind::Elements);
  if (values == nullptr) throw ArgumentError({}, "expected the values of an attribute, found null", "give them");
  thing.elements->SetAttribute(RequiredText(name, "the name of an attribute"), unit != nullptr ? unit : "1",
                               std::vector<double>(values, values + count));
}

void Things::MoveElements(int elements, const openmi_elements* moved) {
  Thing& thing = Find(elements, Kind::Elements);
  const openmi_elements taken = Taken(moved, "openmi_elements");
  if (taken.shape != thing.shape) {
    throw ArgumentError({}, fmt::format("expected elements of shape {}, found {}", thing.shape, taken.shape),
                        "elements keep their shape when they move");
  }
  thing.elements->ReplaceGeometry(ElementsOf(taken));
}

IOwner::Parts Things::PartsOf(const openmi_item& item) const {
  std::string id = RequiredText(item.id, "the id of an item");
  try {
    return {std::move(id), DefinitionOf(item),
            item.elements == 0 ? nullptr : Find(item.elements, Kind::Elements).elements, TextFrom(item.description)};
  } catch (const Error& error) {
    throw ArgumentError({.component = owner_.Name(), .item = item.id}, error.Problem(), error.Remedy());
  }
}

int Things::AddInput(const openmi_item* declared) {
  const openmi_item item = Taken(declared, "openmi_item");
  Thing thing{.kind = Kind::Input, .is_text = item.type == OPENMI_TEXT};
  if (item.type == OPENMI_TEXT || item.type == OPENMI_BYTES) {
    thing.value_input = &owner_.MakeValueInput(PartsOf(item));
    if (item.caption != nullptr) thing.value_input->SetCaption(item.caption);
    return Add(std::move(thing));
  }
  const bool over_step = (item.flags & OPENMI_OVER_STEP) != 0;
  thing.input = &owner_.MakeInput(PartsOf(item), over_step ? InputTime::Span : InputTime::Instant);
  if (item.caption != nullptr) thing.input->SetCaption(item.caption);
  if ((item.flags & OPENMI_HAS_VALUE) != 0) {
    thing.input->SetDefault(item.value);
  } else if ((item.flags & OPENMI_OPTIONAL) != 0) {
    thing.input->SetDefault(kNotANumber);
  }
  return Add(std::move(thing));
}

int Things::AddOutput(const openmi_item* declared) {
  const openmi_item item = Taken(declared, "openmi_item");
  Thing thing{.kind = Kind::Output, .is_text = item.type == OPENMI_TEXT};
  thing.has_first = (item.flags & OPENMI_UNSET_AT_START) == 0;
  thing.first = !thing.has_first ? kNotANumber : (item.flags & OPENMI_HAS_VALUE) != 0 ? item.value : 0.0;
  if (item.type == OPENMI_TEXT || item.type == OPENMI_BYTES) {
    thing.value_output = &owner_.MakeValueOutput(PartsOf(item));
    if (item.caption != nullptr) thing.value_output->SetCaption(item.caption);
    return Add(std::move(thing));
  }
  const bool over_step = (item.flags & OPENMI_OVER_STEP) != 0;
  thing.output = &owner_.MakeOutput(PartsOf(item), over_step ? OutputTime::Span : OutputTime::Instant);
  if (item.caption != nullptr) thing.output->SetCaption(item.caption);
  return Add(std::move(thing));
}

bool Things::IsTunable(const std::string& argument) const {
  return std::ranges::any_of(
      things_, [&](const auto& thing) { return thing->is_tunable && thing->argument->IdText() == argument; });
}

bool Things::HasFirstValue(const IBaseOutput& output) const {
  return std::ranges::all_of(outputs_, [&](const Thing* thing) {
    return thing->has_first || static_cast<const IBaseOutput*>(thing->output) != &output;
  });
}

bool Things::IsLinked(int input) const {
  const Thing& thing = Find(input, Kind::Input);
  return (thing.input != nullptr ? thing.input->Provider() : thing.value_input->Provider()) != nullptr;
}

NumericOutput& Things::NumbersOf(const Thing& output) const {
  if (output.output != nullptr) [[likely]]
    return *output.output;
  throw TypeError({.component = owner_.Name(), .item = output.value_output->IdText()},
                  "expected an output of numbers, found one of texts or bytes", "use set_bytes");
}

std::span<const double> Things::InputRow(int input) const {
  const Thing& thing = Find(input, Kind::Input);
  if (thing.input == nullptr) {
    throw TypeError({.component = owner_.Name(), .item = thing.value_input->IdText()},
                    "expected an input of numbers, found one of texts or bytes", "use input_bytes");
  }
  return thing.input->Row();
}

std::span<double> Things::OutputRow(int output) {
  Thing& thing = Find(output, Kind::Output);
  NumericOutput& item = NumbersOf(thing);
  if (is_starting_ && item.Gives() == OutputTime::Span) {
    throw StateError({.component = owner_.Name(), .item = item.IdText()},
                     "expected an output that holds at instants at the start, found one that holds over steps",
                     "write it in step");
  }
  if (thing.shown.data() != nullptr) {
    throw StateError({.component = owner_.Name(), .item = item.IdText()},
                     "expected one row for a step, found one that is shown and one to write",
                     "write it or show it, or publish the first one before");
  }
  shown_.Own(thing.shown_number);
  thing.is_written = true;
  return item.NextRow();
}

std::span<const double> Things::LastRow(int output) const {
  return NumbersOf(Find(output, Kind::Output)).LastRow();
}

void Things::ShowRow(int output, const double* values, std::size_t count) {
  Thing& thing = Find(output, Kind::Output);
  NumericOutput& item = NumbersOf(thing);
  if (values == nullptr || count != item.ElementCount()) {
    throw RangeError({.component = owner_.Name(), .item = item.IdText()},
                     fmt::format("expected a row of {} values, found {}", item.ElementCount(),
                                 values == nullptr ? std::string("null") : std::to_string(count)),
                     "show one value for each element");
  }
  if (is_starting_) {
    std::copy_n(values, count, OutputRow(output).begin());
    return;
  }
  if (thing.is_written) {
    throw StateError({.component = owner_.Name(), .item = item.IdText()},
                     "expected one row for a step, found one that is written and one to show",
                     "write it or show it, or publish the first one before");
  }
  thing.shown = {values, count};
}

void Things::Take(Thing& output, Stamp begin, Days duration) {
  const std::span<const double> row = std::exchange(output.shown, {});
  NumericOutput& item = *output.output;
  if (row.size() >= ShownRows::kLeastShown && shown_.MayShow()) {
    shown_.Show(output.shown_number, begin, duration, row);
    return;
  }
  shown_.Own(output.shown_number);
  std::ranges::copy(row, item.NextRow().begin());
  item.PublishAt(begin, duration);
}

void Things::Publish(int output, Stamp begin, Days duration) {
  Thing& thing = Find(output, Kind::Output);
  NumericOutput& item = NumbersOf(thing);
  const bool is_span = item.Gives() == OutputTime::Span;
  if (!(duration.count >= 0.0) || is_span != (duration.count > 0.0) || !Before(item.LatestEnd(), begin + duration)) {
    throw RangeError({.component = owner_.Name(), .item = item.IdText()},
                     fmt::format("expected {} after those before, found one at {} of {} days",
                                 is_span ? "a row over a span" : "a row at an instant", begin.mjd, duration.count),
                     "publish rows in the order of time");
  }
  if (thing.shown.data() != nullptr) {
    Take(thing, begin, duration);
  } else {
    shown_.Own(thing.shown_number);
    RepeatUnlessWritten(thing);
    item.PublishAt(begin, duration);
    thing.is_written = false;
  }
}

void Things::RepeatUnlessWritten(const Thing& output) {
  // A step that failed may have left a row behind.
  if (!output.is_written && output.output->IsWritten()) {
    const std::span<const double> last = output.output->LastRow();
    std::ranges::copy(last, output.output->NextRow().begin());
  }
}

std::pair<const void*, std::size_t> Things::InputBytes(int input, std::size_t element) {
  Thing& thing = Find(input, Kind::Input);
  if (thing.value_input == nullptr || element >= thing.value_input->ElementCount()) {
    throw RangeError({.component = owner_.Name(),
                      .item = thing.value_input == nullptr ? thing.input->IdText() : thing.value_input->IdText()},
                     fmt::format("expected an element of an input of texts or bytes, found {}", element),
                     "use input_row for numbers");
  }
  if (!thing.is_text) {
    const ByteView bytes = thing.value_input->GetBytes(element);
    return {bytes.data(), bytes.size()};
  }
  if (!TakeText(thing.value_input->Get(element), thing.text)) return {nullptr, 0};
  return {thing.text.c_str(), thing.text.size()};
}

void Things::SetBytes(int output, std::size_t element, const void* bytes, std::size_t size) {
  const Thing& thing = Find(output, Kind::Output);
  if (thing.value_output == nullptr || element >= thing.value_output->ElementCount()) {
    throw RangeError({.component = owner_.Name(),
                      .item = thing.value_output == nullptr ? thing.output->IdText() : thing.value_output->IdText()},
                     fmt::format("expected an element of an output of texts or bytes, found {}", element),
                     "use output_row for numbers");
  }
  if (!thing.is_text) {
    thing.value_output->KeepBytes(element, {static_cast<const std::byte*>(bytes), bytes == nullptr ? 0 : size});
    return;
  }
  if (bytes == nullptr) {
    thing.value_output->Set(element, Value());
    return;
  }
  const std::string_view text(static_cast<const char*>(bytes), size);
  if (FindInvalidUtf8(text) != std::string::npos) {
    throw FormatError({.component = owner_.Name(), .item = thing.value_output->IdText()},
                      "expected a text in UTF-8, found other bytes", "declare the output as OPENMI_BYTES");
  }
  thing.value_output->Set(element, Value(text));
}

void Things::BeforeStart() {
  is_starting_ = true;
  shown_.Reset();
  for (Thing* thing : outputs_) {
    thing->shown = {};
    if (thing->output != nullptr && thing->output->Gives() == OutputTime::Instant) {
      std::ranges::fill(thing->output->NextRow(), thing->first);
    }
  }
}

void Things::AfterStart(Stamp begin) {
  is_starting_ = false;
  for (const Thing* thing : outputs_) {
    if (thing->value_output != nullptr) thing->value_output->ShowAt(begin);
  }
}

void Things::BeforeStep(Stamp to) {
  is_starting_ = false;
  for (const Thing* thing : value_inputs_) thing->value_input->Pull(to);
  for (Thing* thing : outputs_) {
    thing->is_written = false;
    thing->shown = {};
  }
  shown_.Keep();
}

void Things::AfterStep(Stamp from, Stamp to) {
  for (Thing* thing : outputs_) {
    if (thing->value_output != nullptr) thing->value_output->Publish(to);
    if (thing->output == nullptr) continue;
    if (thing->shown.data() != nullptr) {
      const bool is_span = thing->output->Gives() == OutputTime::Span;
      Take(*thing, is_span ? from : to, is_span ? to - from : Days{});
    } else if (!thing->is_written && Before(thing->output->LatestEnd(), to)) {
      shown_.Own(thing->shown_number);
      RepeatUnlessWritten(*thing);  // or the base class does
    }
  }
}

void Things::SaveValues(StateWriter& writer) const {
  for (const Thing* thing : outputs_) {
    if (thing->value_output != nullptr) thing->value_output->SaveRows(writer);
  }
}

void Things::LoadValues(StateReader& reader) {
  shown_.OwnAll();
  for (const Thing* thing : outputs_) {
    if (thing->value_output != nullptr) thing->value_output->LoadRows(reader);
  }
}

}  // namespace openmi::c
