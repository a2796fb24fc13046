// host LIBRARY TYPE: makes a component of a library, feeds it 1 m3 s-1 for an hour, and tells the outflow.
#include <iostream>
#include <openmi/omi/ComponentLoader.hpp>
#include <openmi/omi/SdkVersion.hpp>
#include <openmi/sdk/Error.hpp>
#include <timespace/items/NumericOutput.hpp>
#include <timespace/testing/Driver.hpp>
#include <timespace/testing/TableComponent.hpp>

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  openmi::ComponentLoader loader;
  const openmi::LoadedComponent loaded = loader.Load(argv[1], argv[2]);
  openmi::IBaseLinkableComponent& reservoir = *loaded.component;
  openmi::TableComponent spring({{openmi::Stamp{58849.0}, {1.0}, openmi::Hours(1)}}, "m3 s-1");
  openmi::Driver provider(spring);
  openmi::Driver driver(reservoir);
  driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T01:00Z");
  provider.Initialize();
  driver.Initialize();
  spring.Outputs()[0]->AddConsumer(*reservoir.Inputs()[0]);
  provider.Prepare();
  driver.Prepare();
  driver.UpdateToEnd();
  std::cout << "openmi2 " << openmi::kSdkVersion << ", outflow "
            << dynamic_cast<openmi::NumericOutput&>(*reservoir.Outputs()[0]).LastRow()[0] << '\n';
  spring.Outputs()[0]->RemoveConsumer(*reservoir.Inputs()[0]);
  driver.Finish();
  return 0;
} catch (const openmi::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
