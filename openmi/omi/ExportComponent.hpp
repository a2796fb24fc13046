#pragma once

#include <concepts>
#include <memory>

#include "openmi/omi/ComponentLibrary.hpp"

/// \file
/// Macros that export classes as types that an OMI file can name.
///
/// ```cpp
/// OPENMI_EXPORT_COMPONENT(LinearReservoir)                          // Type="LinearReservoir"
/// OPENMI_EXPORT_COMPONENT_AS("org.example.Runoff", hydro::Runoff)    // Type="org.example.Runoff"
/// OPENMI_EXPORT_FACTORY(GateFactory)                                // an IAdaptedOutputFactory
/// ```
///
/// Write each macro in a source file at namespace scope. A library may have any number of them, in any number of files.
/// The class must have a constructor without arguments. An executable may use the macros too: OMI files that name no
/// Assembly find its types. The file with the macros must be linked for certain, because the linker drops unreferenced
/// members of a static library.
///
/// Build a library with the CMake function `openmi_add_component`. It exports the two symbols below and nothing else,
/// so that the library can really be unloaded.

namespace openmi::export_detail {

/// The table of this library. Hidden, so that each library has its own, however it is loaded.
[[gnu::visibility("hidden")]] inline constinit ComponentLibrary this_library{};

template <class Class, class Interface>
std::unique_ptr<Interface> Create() {
  return std::make_unique<Class>();
}

}  // namespace openmi::export_detail

extern "C" {

/// The entry point of a component library. Emitted only when a macro below refers to it.
[[gnu::visibility("default")]] inline const openmi::ComponentLibrary* openmi_component_library_v1() noexcept {
  return &openmi::export_detail::this_library;
}

/// The build properties of the library. The host compares them before it calls anything in the library.
[[gnu::visibility("default")]] inline constinit const openmi::BuildText openmi_component_build_v1 =
    openmi::ThisBuildText();
}

namespace openmi::export_detail {

/// Adds one entry to the table of this library while the library is loaded.
template <class Interface>
class [[gnu::visibility("hidden")]] Registrar {
 public:
  Registrar(const char* type, std::unique_ptr<Interface> (*create)(), ComponentLibraryFunction* entry_point,
            const BuildText* build) noexcept
      : entry_{type, create, nullptr}, entry_point_(entry_point), build_(build) {
    if constexpr (std::same_as<Interface, IBaseLinkableComponent>) {
      entry_.next = this_library.components;
      this_library.components = &entry_;
    } else {
      entry_.next = this_library.factories;
      this_library.factories = &entry_;
    }
    AnnounceLibrary(this_library);
  }
  ~Registrar() {
    WithdrawLibrary(this_library);
  }
  Registrar(const Registrar&) = delete;
  Registrar& operator=(const Registrar&) = delete;

 private:
  LibraryEntry<Interface> entry_;
  ComponentLibraryFunction* entry_point_;  // kept only to make the compiler emit the symbols
  const BuildText* build_;
};

}  // namespace openmi::export_detail

#define OPENMI_EXPORT_JOIN_2(a, b) a##b
#define OPENMI_EXPORT_JOIN(a, b) OPENMI_EXPORT_JOIN_2(a, b)
#define OPENMI_EXPORT_ENTRY(type, Interface, ...)                                                                \
  namespace {                                                                                                    \
  static_assert(std::derived_from<__VA_ARGS__, Interface>, "expected a class that implements " #Interface);      \
  static_assert(std::default_initializable<__VA_ARGS__>, "expected a class that can be made without arguments"); \
  [[gnu::used]] ::openmi::export_detail::Registrar<Interface> OPENMI_EXPORT_JOIN(openmi_export_, __COUNTER__)(   \
      type, &::openmi::export_detail::Create<__VA_ARGS__, Interface>, &openmi_component_library_v1,              \
      &openmi_component_build_v1);                                                                               \
  }                                                                                                              \
  static_assert(true)

/// Exports the component class under its name as written.
#define OPENMI_EXPORT_COMPONENT(Class) OPENMI_EXPORT_ENTRY(#Class, ::openmi::IBaseLinkableComponent, Class);
/// Exports the component class under the name `type`, a string literal.
#define OPENMI_EXPORT_COMPONENT_AS(type, ...) OPENMI_EXPORT_ENTRY(type, ::openmi::IBaseLinkableComponent, __VA_ARGS__);
/// Exports the factory class under its name as written.
#define OPENMI_EXPORT_FACTORY(Class) OPENMI_EXPORT_ENTRY(#Class, ::openmi::IAdaptedOutputFactory, Class);
/// Exports the factory class under the name `type`, a string literal.
#define OPENMI_EXPORT_FACTORY_AS(type, ...) OPENMI_EXPORT_ENTRY(type, ::openmi::IAdaptedOutputFactory, __VA_ARGS__);
