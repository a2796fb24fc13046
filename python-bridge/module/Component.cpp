#include <memory>
#include <string_view>

#include "python-bridge/module/Call.hpp"

namespace openmi::interpreter {
namespace py = pybind11;

namespace {

py::handle Object(const Instance& instance) {
  return instance.object;
}

/// A time for Python: `openmi.Time`, a tuple of the stamp and the seconds since the start of the run.
PyObject* MakeTime(double mjd, double seconds) {
  static PyTypeObject* const type = PairType("Time");
  return MakePair(type, mjd, seconds);
}

int Create(openmi_instance* me) {
  const Gil gil;
  me->data = std::make_unique<Instance>(*me, ClassOf(*me->type)).release();
  return SetUp(me, "step");
}

/// Items that initialize declares depend on arguments, and are declared again when it is called again.
int Initialize(openmi_instance* me) {
  return Call(me, "initialize", [](Instance& instance) {
    instance.has_values = true;
    instance.DropItemsFrom(instance.items_of_setup);
    Object(instance).attr("initialize")();
  });
}

int Validate(openmi_instance* me) {
  return Call(me, "validate", [](Instance& instance) { Object(instance).attr("_validate")(); });
}

int Start(openmi_instance* me, double begin) {
  return Call(me, "start", [begin](Instance& instance) {
    Object(instance).attr("start")(py::reinterpret_steal<py::object>(MakeTime(begin, 0.0)));
    Object(instance).attr("_has_started") = true;
  });
}

int Step(openmi_instance* me, const openmi_times* times) {
  const Gil gil;
  Instance* const instance = InstanceOf(me);
  if (!instance->is_open) return -1;
  instance->BeginCall();
  PyObject* arguments[] = {instance->object, nullptr, nullptr};
  PyObject* result = nullptr;
  try {
    arguments[1] = MakeTime(times->from, times->from_seconds);
    arguments[2] = MakeTime(times->to, times->to_seconds);
    result = PyObject_Vectorcall(instance->compute, arguments, 3, nullptr);
  } catch (py::error_already_set& error) {
    error.restore();
  }
  Py_XDECREF(arguments[1]);
  Py_XDECREF(arguments[2]);
  if (result != nullptr) [[likely]] {
    Py_DECREF(result);
    if (instance->EndCall()) [[likely]]
      return 0;
  }
  Fail(me, "step");
  if (!instance->EndCall()) PyErr_Clear();
  return -1;
}

int Finish(openmi_instance* me) {
  return Call(me, "finish", [](Instance& instance) { Object(instance).attr("finish")(); });
}

void Destroy(openmi_instance* me) {
  if (me->data == nullptr || Py_IsInitialized() == 0) return;
  const Gil gil;
  const std::unique_ptr<Instance> instance(InstanceOf(me));
  me->data = nullptr;
}

int Next(openmi_instance* me, double now, double* end) {
  return Call(me, "step_end",
              [&](Instance& instance) { *end = Object(instance).attr("_next")(now, *end).cast<double>(); });
}

int Save(openmi_instance* me) {
  return Call(me, "save", [me](Instance& instance) {
    const py::bytes state = py::module_::import("openmi._state").attr("bytes_of")(Object(instance));
    const std::string_view bytes = state;
    if (me->host->write_state(me, bytes.data(), bytes.size()) != 0) {
      SetRefused(instance.Host());
      throw py::error_already_set();
    }
  });
}

int Load(openmi_instance* me, const void* bytes, std::size_t size) {
  return Call(me, "load", [&](Instance& instance) {
    py::module_::import("openmi._state")
        .attr("take")(Object(instance), py::bytes(static_cast<const char*>(bytes), size));
  });
}

int Balance(openmi_instance* me, openmi_balance* balance) {
  return Call(me, "balance", [&](Instance& instance) {
    const py::tuple terms = Object(instance).attr("_balance")();
    balance->storage = terms[0].cast<double>();
    balance->in = terms[1].cast<double>();
    balance->out = terms[2].cast<double>();
    balance->losses = terms[3].cast<double>();
    Py_XSETREF(instance.unit, terms[4].cast<py::object>().release().ptr());
    balance->unit = PyUnicode_AsUTF8(instance.unit);
    balance->area = terms[5].cast<double>();
  });
}

}  // namespace

int SetUp(openmi_instance* me, const char* compute) {
  return Call(me, "setup", [&](Instance& made) {
    const py::handle of = made.Class();
    made.host = MakeHost(made).release().ptr();
    const py::object object = py::module_::import("openmi.component").attr("_make")(of, py::handle(made.host));
    made.object = py::object(object).release().ptr();
    made.compute = of.attr(compute).cast<py::object>().release().ptr();
    object.attr("setup")();
    made.items_of_setup = made.ItemCount();
  });
}

void FillTable(openmi_component& table, const Functions& has) {
  table.create = &Create;
  table.initialize = &Initialize;
  table.validate = &Validate;
  table.start = &Start;
  table.step = &Step;
  table.finish = has.finish ? &Finish : nullptr;
  table.destroy = &Destroy;
  table.next = has.step_end ? &Next : nullptr;
  table.save = has.state ? &Save : nullptr;
  table.load = has.state ? &Load : nullptr;
  table.balance = has.balance ? &Balance : nullptr;
}

}  // namespace openmi::interpreter
