#pragma once

#include <concepts>
#include <memory>
#include <type_traits>

namespace openmi {

template <typename Signature>
class FunctionView;

/// A borrowed callable: two pointers, no allocation, one indirect call.
///
/// It refers to the callable that it was made from, which must outlive it. Use it as a parameter; do not store it.
///
/// Source: [Romeo2023], `std::function_ref` in a reduced form.
template <typename Result, typename... Arguments>
class FunctionView<Result(Arguments...)> {
 public:
  template <typename Callable>
  requires(!std::same_as<std::remove_cvref_t<Callable>, FunctionView> &&
           std::is_invocable_r_v<Result, const std::remove_reference_t<Callable>&, Arguments...> &&
           std::is_object_v<std::remove_reference_t<Callable>>)
      FunctionView(const Callable& callable)  // NOLINT: meant to convert where a parameter is passed
      : object_(std::addressof(callable)), call_([](const void* object, Arguments... arguments) -> Result {
          return (*static_cast<const Callable*>(object))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, arguments...); }

 private:
  const void* object_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace openmi
