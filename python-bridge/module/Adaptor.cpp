#include <bit>
#include <cstdint>
#include <memory>

#include "python-bridge/module/Call.hpp"
#include "python-bridge/module/RowArray.hpp"

namespace openmi::interpreter {
namespace py = pybind11;

namespace {

/// An adaptor, with the arrays over the row that it reads and the one that it fills.
struct Adaptor : Instance {
  using Instance::Instance;
  Adaptor(const Adaptor&) = delete;
  Adaptor& operator=(const Adaptor&) = delete;
  ~Adaptor() {
    in.Forget();
    out.Forget();
  }
  RowArray in = {};
  RowArray out = {};
};

// A number that is not a number, and that no computation gives: the row was not filled where it is found.
constexpr std::uint64_t kNotFilled = 0x7ff8'6f70'656e'6d69;

bool IsFilled(double value) {
  return std::bit_cast<std::uint64_t>(value) != kNotFilled;
}

int Create(openmi_instance* me) {
  const Gil gil;
  Instance* const made = std::make_unique<Adaptor>(*me, ClassOf(*me->adaptor)).release();
  me->data = made;
  return SetUp(me, "map");
}

int Initialize(openmi_instance* me, openmi_adapted* adapted) {
  return Call(me, "initialize", [adapted](Instance& instance) {
    instance.has_values = true;
    const py::handle object = instance.object;
    Py_XSETREF(instance.unit, object.attr("_initialize")(adapted->unit, adapted->count).release().ptr());
    adapted->unit = PyUnicode_AsUTF8(instance.unit);
  });
}

/// Calls the function of the object.
/// \returns false, with a Python error
bool Fill(Adaptor& adaptor, const double* in, double duration, double* out, std::size_t count) {
  static PyTypeObject* const duration_type = PairType("Duration");
  const auto length = static_cast<Py_ssize_t>(count);
  const auto own = [](PyObject* object) {
    if (object == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(object);
  };
  const py::object values = own(adaptor.in.Over(const_cast<double*>(in), length, false, nullptr));
  const py::object filled = own(adaptor.out.Over(out, length, true, nullptr));
  const py::object time = own(MakePair(duration_type, duration, duration * 86400.0));
  for (const std::size_t i : {std::size_t{0}, count - 1}) out[i] = std::bit_cast<double>(kNotFilled);
  PyObject* const arguments[] = {adaptor.object, values.ptr(), filled.ptr(), time.ptr()};
  const py::object result = own(PyObject_Vectorcall(adaptor.compute, arguments, 4, nullptr));
  constexpr const char* kRemedy = "fill it in place: out[:] = ...";
  if (!result.is_none() && !result.is(filled)) {
    SetError("TypeError",
             std::string("expected map to fill 'out' and to return nothing, found that it returns a value of type ") +
                 Py_TYPE(result.ptr())->tp_name,
             kRemedy);
    return false;
  }
  if (IsFilled(out[0]) && IsFilled(out[count - 1])) return true;
  SetError("StateError", "expected map to fill all of 'out', found values that it did not set", kRemedy);
  return false;
}

int Map(openmi_instance* me, const double* in, double duration, double* out, std::size_t count) {
  const Gil gil;
  auto& adaptor = static_cast<Adaptor&>(*InstanceOf(me));
  if (!adaptor.is_open) return -1;
  if (count == 0) return 0;
  bool is_well = false;
  try {
    is_well = Fill(adaptor, in, duration, out, count);
  } catch (py::error_already_set& error) {
    error.restore();
  }
  if (is_well) adaptor.is_open = adaptor.in.Settle(nullptr) && adaptor.out.Settle(nullptr);
  if (is_well && adaptor.is_open) [[likely]]
    return 0;
  Fail(me, "map");
  // After a failure the rows are gone: arrays that an exception holds become copies, or no code is called again.
  if (is_well || !adaptor.in.Settle(nullptr) || !adaptor.out.Settle(nullptr)) {
    PyErr_Clear();
    adaptor.is_open = false;
  }
  return -1;
}

void Destroy(openmi_instance* me) {
  if (me->data == nullptr || Py_IsInitialized() == 0) return;
  const Gil gil;
  const std::unique_ptr<Adaptor> adaptor(static_cast<Adaptor*>(InstanceOf(me)));
  me->data = nullptr;
}

}  // namespace

void FillTable(openmi_adaptor& table) {
  table.create = &Create;
  table.initialize = &Initialize;
  table.map = &Map;
  table.destroy = &Destroy;
}

}  // namespace openmi::interpreter
