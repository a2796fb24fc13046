#include "python/bindings/Specs.hpp"

#include "composition/control/RunDesk.hpp"
#include "python/bindings/Module.hpp"

namespace openmi::python {
namespace py = pybind11;

ItemSpec Member<ItemSpec>::FromPython(py::handle given, const char*) {
  return RunDesk::Cut(given.cast<std::string>());
}

void AddSpecs(py::module_& module) {
  SpecClass<ArgumentSpec>(module, "ArgumentSpec", "A setting of a component or an adaptor, as the file gives it.")
      .Field("key", &ArgumentSpec::key, "Its key.")
      .Field("value", &ArgumentSpec::value, "Its value as text.")
      .Field("line", &ArgumentSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<IsolationSpec>(module, "IsolationSpec", "How a component is separated from the others.")
      .Field("isolation", &IsolationSpec::isolation,
             "'none': in this process; 'process': in a process that all instances of its library share; 'instance': in "
             "a process of its own.")
      .Field("time_limit_seconds", &IsolationSpec::time_limit_seconds,
             "Longest time in seconds that it may compute without asking for values; 0: no limit.")
      .Field("memory_limit_bytes", &IsolationSpec::memory_limit_bytes,
             "Address space of its process in bytes; 0: no limit.")
      .Field("on_failure", &IsolationSpec::on_failure, "'stop': the run ends; 'freeze': its last values stay.")
      .Field("group", &IsolationSpec::group,
             "Components with the same group share a process if the run places the group on a host; empty: none.")
      .Field("ranks", &IsolationSpec::ranks,
             "The number of processes that compute it together, with MPI; 0: one, without.")
      .Done();
  SpecClass<TableSpec>(module, "TableSpec", "A table of a population.")
      .Field("id", &TableSpec::id, "What is before the names of its columns; empty: the table with the rows.")
      .Field("of", &TableSpec::of, "Path of the file, relative to the composition.")
      .Field("layer", &TableSpec::layer, "The layer in the file; empty: the only one.")
      .Field("key", &TableSpec::key, "The column with the keys.")
      .Field("line", &TableSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<NetworkSpec>(module, "NetworkSpec", "A link of a population to itself.")
      .Field("from_item", &NetworkSpec::from, "Output of the members.")
      .Field("to_item", &NetworkSpec::to, "Input of the members.")
      .Field("column", &NetworkSpec::column, "Column with the key downstream; empty: a table of edges.")
      .Field("edges", &NetworkSpec::edges, "The table of edges: a TableSpec.")
      .Field("from_column", &NetworkSpec::from_column, "Column of the edges with the key upstream.")
      .Field("to_column", &NetworkSpec::to_column, "Column of the edges with the key downstream.")
      .Field("weight_column", &NetworkSpec::weight_column, "Column of the edges with a factor; empty: 1.")
      .Field("line", &NetworkSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<PopulationSpec>(module, "PopulationSpec", "What makes a component a population.")
      .Field("table", &PopulationSpec::table, "The table with a row for each member: a TableSpec.")
      .Field("tables", &PopulationSpec::tables, "Further tables with the same keys: TableSpec objects.")
      .Field("networks", &PopulationSpec::networks, "Its links to itself: NetworkSpec objects.")
      .Field("parts", &PopulationSpec::parts, "Into how many groups its rows are divided; 1: none.")
      .Field("parts_by", &PopulationSpec::parts_by, "A column whose cells keep rows in one part; empty: any.")
      .Done();
  SpecClass<ComponentSpec>(module, "ComponentSpec", "A component of a composition.")
      .Field("id", &ComponentSpec::id, "Its id, unique in the composition.")
      .Field("caption", &ComponentSpec::caption, "Text for users.")
      .Field("omi", &ComponentSpec::omi,
             "Path of its OMI file, relative to the composition; empty: type and assembly are given.")
      .Field("type", &ComponentSpec::type, "Its type in the assembly.")
      .Field("assembly", &ComponentSpec::assembly, "The library that holds the type.")
      .Field("initial_state", &ComponentSpec::initial_state,
             "Path of its initial state, relative to the composition; empty: none.")
      .Field("apart", &ComponentSpec::apart, "How it is separated from the others: an IsolationSpec.")
      .Field("keep_state", &ComponentSpec::keep_state,
             "Whether a family that is engaged again continues with its last state.")
      .Field("invented", &ComponentSpec::invented, "Whether reports mark it as invented.")
      .Field("arguments", &ComponentSpec::arguments, "Its settings: ArgumentSpec objects.")
      .Field("population", &ComponentSpec::population,
             "What makes it a population: a PopulationSpec; None: it is none.")
      .Field("line", &ComponentSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<AdaptorSpec>(module, "AdaptorSpec", "An adaptor on a link.")
      .Field("id", &AdaptorSpec::id, "Which adaptor: 'linear', 'area-weighted-mean'.")
      .Field("factory", &AdaptorSpec::factory, "The factory that makes it; empty: every known one is tried.")
      .Field("arguments", &AdaptorSpec::arguments, "Its settings: ArgumentSpec objects.")
      .Field("line", &AdaptorSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<LinkSpec>(module, "LinkSpec", "A link from an output to an input, through adaptors.")
      .Field("id", &LinkSpec::id, "Its id; may be empty.")
      .Field("from_item", &LinkSpec::from, "The output: 'component.item'.")
      .Field("to_item", &LinkSpec::to, "The input: 'component.item'.")
      .Field("loop", &LinkSpec::loop, "What a question gets that comes back through a loop: 'last' or 'extrapolate'.")
      .Field("balance", &LinkSpec::balance, "Whether the link is balanced; None: if it carries a conserved quantity.")
      .Field("adaptors", &LinkSpec::adaptors, "Its adaptors, in order from the output: AdaptorSpec objects.")
      .Field("line", &LinkSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<ToleranceSpec>(module, "ToleranceSpec", "When one input of an iterated loop has converged.")
      .Field("item", &ToleranceSpec::item, "The input at the end of a link of the loop: 'component.item'.")
      .Field("absolute", &ToleranceSpec::absolute, "In the unit of the input; None: as the loop.")
      .Field("relative", &ToleranceSpec::relative, "Of the largest value of the input; None: as the loop.")
      .Field("line", &ToleranceSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<IterateSpec>(module, "IterateSpec", "A loop of links that is iterated to convergence within each step.")
      .Field("components", &IterateSpec::components, "Ids of all components of the loop, in the order of computing.")
      .Field("order", &IterateSpec::order, "'gauss-seidel' or 'jacobi'.")
      .Field("method", &IterateSpec::method, "'fixed-point', 'relaxation', 'aitken', 'anderson' or 'quasi-newton'.")
      .Field("guess", &IterateSpec::guess, "The first iterate of a step: 'last', 'linear' or 'quadratic'.")
      .Field("on_failure", &IterateSpec::on_failure, "If a step does not converge: 'fail', 'warn' or 'shorten'.")
      .Field("relaxation", &IterateSpec::relaxation, "Above 0 and at most 2.")
      .Field("absolute_tolerance", &IterateSpec::absolute_tolerance, "In the unit of each input.")
      .Field("relative_tolerance", &IterateSpec::relative_tolerance, "Of the largest value of each input.")
      .Field("max_iterations", &IterateSpec::max_iterations, "Most iterations in a step.")
      .Field("reused_steps", &IterateSpec::reused_steps, "Earlier steps that quasi-Newton uses.")
      .Field("tolerances", &IterateSpec::tolerances, "Tolerances of single inputs: ToleranceSpec objects.")
      .Field("line", &IterateSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<ObserveSpec>(module, "ObserveSpec", "An item whose values are recorded in the results.")
      .Field("id", &ObserveSpec::id, "Name of the series in the results; empty: the item.")
      .Field("item", &ObserveSpec::item, "The item: 'component.item'.")
      .Field("elements", &ObserveSpec::elements, "Ids of its elements; empty: all.")
      .Field("every", &ObserveSpec::every, "Length of a period, timedelta64; None: each row.")
      .Field("kind", &ObserveSpec::as, "'instant', 'mean', 'sum', 'minimum' or 'maximum'.")
      .Field("line", &ObserveSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<WindowSpec>(module, "WindowSpec", "A part of the run that has its own measures.")
      .Field("label", &WindowSpec::label, "Text for users.")
      .Field("start", &WindowSpec::from, "Its start, datetime64, UTC.")
      .Field("end", &WindowSpec::to, "Its end, datetime64, UTC.")
      .Field("line", &WindowSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<CompareSpec>(module, "CompareSpec", "A simulated item that is compared with an observed one.")
      .Field("id", &CompareSpec::id, "Name of the comparison; may be empty.")
      .Field("simulated", &CompareSpec::simulated, "The simulated item: 'component.item'.")
      .Field("observed", &CompareSpec::observed, "The observed item: 'component.item'.")
      .Field("measures", &CompareSpec::measures, "Names of measures: 'nse', 'kge', ...")
      .Field("windows", &CompareSpec::windows, "Parts of the run with measures of their own: WindowSpec objects.")
      .Field("line", &CompareSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<PaceSpec>(module, "PaceSpec", "How fast simulated time passes.")
      .Field("factor", &PaceSpec::factor, "Simulated seconds per second, above 0.")
      .Field("late", &PaceSpec::late, "What a late run does: 'carry-on', 'catch-up' or 'fail'.")
      .Field("late_after_seconds", &PaceSpec::late_after_seconds, "A greater delay, in seconds, counts as late.")
      .Done();
  SpecClass<CheckpointSpec>(module, "CheckpointSpec", "When the run keeps its state.")
      .Field("every", &CheckpointSpec::every, "Simulated time between two checkpoints, timedelta64; None: not by it.")
      .Field("every_seconds", &CheckpointSpec::every_seconds, "Seconds of the clock between two; None: not by it.")
      .Field("keep", &CheckpointSpec::keep, "Number of checkpoints that are kept.")
      .Field("skips", &CheckpointSpec::skips, "Whether components without a state are omitted.")
      .Field("line", &CheckpointSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<RunSpec>(module, "RunSpec", "The run of a composition.")
      .Field("start", &RunSpec::from, "Its start, datetime64, UTC.")
      .Field("end", &RunSpec::to, "Its end, datetime64, UTC.")
      .Field("warm_up", &RunSpec::warm_up, "Its first part, which balances and measures leave out; timedelta64.")
      .Field("trigger", &RunSpec::trigger,
             "Ids of the components that the run updates; empty: those that no other component takes values from.")
      .Field("mode", &RunSpec::mode, "'pull' or 'step'.")
      .Field("threads", &RunSpec::threads, "Number of threads that update components.")
      .Field("pace", &RunSpec::pace, "How fast simulated time passes: a PaceSpec; None: as fast as possible.")
      .Field("line", &RunSpec::line, "Its line in the file; 0: unknown.")
      .Done();
  SpecClass<ResultsSpec>(module, "ResultsSpec", "Names of the files of results.")
      .Field("csv", &ResultsSpec::csv, "Empty: the id of the composition with .csv.")
      .Field("netcdf", &ResultsSpec::netcdf, "Empty: the id of the composition with .nc.")
      .Field("report", &ResultsSpec::report, "Empty: the id of the composition with .html.")
      .Field("geopackage", &ResultsSpec::geopackage, "A GeoPackage with the statistics of each element; empty: none.")
      .Field("compression", &ResultsSpec::compression, "Of the NetCDF file: 0 for the classic form, 1 to 9: netCDF-4.")
      .Field("line", &ResultsSpec::line, "Its line in the file; 0: unknown.")
      .Done();
}

}  // namespace openmi::python
