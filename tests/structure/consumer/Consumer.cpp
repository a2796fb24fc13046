// A program outside the tree: throws and catches an error of the SDK's own family.
#include <cstdio>
#include <cstring>
#include <openmi/sdk/Error.hpp>
#include <openmi/standard.hpp>
#include <timespace/standard.hpp>

int main() {
  try {
    throw openmi::LinkError({.file = "rhine.xml", .line = 41}, "expected a volume per time, found 'mm'");
  } catch (const openmi::Error& error) {
    std::puts(error.what());
    return std::strstr(error.what(), "rhine.xml:41: expected a volume per time, found 'mm'") == nullptr ? 1 : 0;
  }
}
