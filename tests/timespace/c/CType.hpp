#pragma once

#include <functional>
#include <memory>

#include "openmi/c/openmi_component.h"
#include "timespace/c/Component.hpp"

namespace openmi::scripted {

/// A type of components in C whose functions a test writes as lambdas.
struct CType : openmi_component {
  CType() : openmi_component{} {
    size = sizeof(openmi_component);
    type = "scripted";
    openmi_component::create = [](openmi_instance* me) { return Of(me).on_create ? Of(me).on_create(me) : 0; };
    openmi_component::initialize = [](openmi_instance* me) {
      return Of(me).on_initialize ? Of(me).on_initialize(me) : 0;
    };
    openmi_component::validate = [](openmi_instance* me) { return Of(me).on_validate ? Of(me).on_validate(me) : 0; };
    openmi_component::start = [](openmi_instance* me, double begin) {
      return Of(me).on_start ? Of(me).on_start(me, begin) : 0;
    };
    openmi_component::step = [](openmi_instance* me, const openmi_times* times) {
      return Of(me).on_step ? Of(me).on_step(me, *times) : 0;
    };
    openmi_component::finish = [](openmi_instance* me) { return Of(me).on_finish ? Of(me).on_finish(me) : 0; };
    openmi_component::destroy = [](openmi_instance* me) {
      if (Of(me).on_destroy) Of(me).on_destroy(me);
    };
  }
  /// Lets the component keep states.
  void KeepStates() {
    openmi_component::save = [](openmi_instance* me) { return Of(me).on_save(me); };
    openmi_component::load = [](openmi_instance* me, const void* bytes, std::size_t count) {
      return Of(me).on_load(me, bytes, count);
    };
  }
  std::unique_ptr<ITimeSpaceComponent> Make() const { return c::MakeComponent(*this, "libscripted.so"); }

  std::function<int(openmi_instance*)> on_create, on_initialize, on_validate, on_finish, on_save;
  std::function<int(openmi_instance*, double)> on_start;
  std::function<int(openmi_instance*, const openmi_times&)> on_step;
  std::function<void(openmi_instance*)> on_destroy;
  std::function<int(openmi_instance*, const void*, std::size_t)> on_load;

 private:
  static const CType& Of(const openmi_instance* me) { return *static_cast<const CType*>(me->type); }
};

inline openmi_item ItemNamed(const char* id, int elements = 0, int type = OPENMI_NUMBER, int flags = 0) {
  openmi_item item{};
  item.size = sizeof item;
  item.id = id;
  item.elements = elements;
  item.type = type;
  item.flags = flags;
  return item;
}

inline openmi_argument ArgumentNamed(const char* id, const char* value, int type = OPENMI_NUMBER) {
  openmi_argument argument{};
  argument.size = sizeof argument;
  argument.id = id;
  argument.value = value;
  argument.type = type;
  return argument;
}

}  // namespace openmi::scripted
