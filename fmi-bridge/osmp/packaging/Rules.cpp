#include "fmi-bridge/osmp/packaging/Rules.hpp"

#include <algorithm>
#include <array>

namespace openmi::osmp {
namespace {

using enum RuleWeight;

constexpr const char* kBasic = "Basic conventions";
constexpr const char* kBinary = "Binary variables";
constexpr const char* kInputsAndOutputs = "Inputs and outputs";
constexpr const char* kConfig = "Sensor view input configuration";
constexpr const char* kGround = "Ground truth initialization parameters";

constexpr std::array kRules = {
    Rule{RuleId::Marker, Refuses, kBasic,
         "one element osmp of the packaging's namespace stands in the annotations of the description"},
    Rule{RuleId::PackagingVersion, Warns, kBasic, "its version is 1.x.y"},
    Rule{RuleId::OsiVersion, Warns, kBasic,
         "its osi-version is x.y.z where messages of OSI are carried, and is not there where none are"},
    Rule{RuleId::CoSimulation, Refuses, kBasic, "the FMU is for co-simulation"},
    Rule{RuleId::FmiVersion, Refuses, kBasic, "the FMU is of FMI 2.0 or 3.0"},
    Rule{RuleId::StructuredNames, Warns, kBasic, "the naming convention is structured"},
    Rule{RuleId::StepSize, Warns, kBasic, "the default experiment has a step size: the period of the inputs"},
    Rule{RuleId::OtherVariables, Warns, kBasic,
         "with all other variables unconnected and at their defaults the model runs: other inputs have start values"},
    Rule{RuleId::LegalName, Warns, kBinary, "the name of a binary variable is a legal structured name"},
    Rule{RuleId::NameTaken, Refuses, kBinary, "no other variable has the name of a binary variable"},
    Rule{RuleId::OneOfEachRole, Refuses, kBinary,
         "a binary variable has one scalar of each role base.lo, base.hi and size, or, in FMI 3.0, one of role full"},
    Rule{RuleId::ScalarType, Refuses, kBinary, "the three are scalars of type Integer; the one of role full is Binary"},
    Rule{RuleId::NamesOfTheThree, Warns, kBinary,
         "the three are called as the binary variable with .base.lo, .base.hi and .size, the one as it is"},
    Rule{RuleId::SameCausality, Refuses, kBinary, "the three have the same causality and variability"},
    Rule{RuleId::StartValue, Warns, kBinary, "their start value is 0, or empty, where they may have one"},
    Rule{RuleId::Annotated, Warns, kBinary, "each of the three, or the one, has the annotation"},
    Rule{RuleId::MimeTypeValid, Refuses, kBinary, "the MIME type is a valid one"},
    Rule{RuleId::MimeTypesAgree, Refuses, kBinary,
         "the MIME types of the three are the same; that of the one is the same as its mimeType"},
    Rule{RuleId::MessageKnown, Refuses, kBinary, "a MIME type of OSI names a top-level message of OSI"},
    Rule{RuleId::OsiVersionGiven, Refuses, kBinary,
         "the version of OSI stands in the MIME type or in the element osmp, as x.y.z"},
    Rule{RuleId::RoleKnown, Refuses, kBinary, "a role is base.lo, base.hi, size or, in FMI 3.0, full"},
    Rule{RuleId::KindCausality, Refuses, kInputsAndOutputs,
         "a variable of a kind has the causality and variability of the kind"},
    Rule{RuleId::KindMessage, Refuses, kInputsAndOutputs, "its MIME type names the message of the kind"},
    Rule{RuleId::Indices, Warns, kInputsAndOutputs, "one alone has no index; several have [1], [2], ... without gaps"},
    Rule{RuleId::ConfigExists, Refuses, kConfig,
         "where there is an OSMPSensorViewInConfigRequest, there is the OSMPSensorViewInConfig"},
    Rule{RuleId::ConfigVariability, Warns, kConfig, "the two have the same variability"},
    Rule{RuleId::ConfigIndex, Warns, kConfig, "their index is that of an OSMPSensorViewIn"},
    Rule{RuleId::GroundTruthSingle, Warns, kGround, "there is one OSMPGroundTruthInit at most, without index"},
    Rule{RuleId::GroundTruthExact, Refuses, kGround, "its initial is exact"},
    Rule{RuleId::KnownPrefix, Warns, kInputsAndOutputs,
         "a variable that carries a message of OSI has a name that the packaging knows"},
    Rule{RuleId::NoDataIsHandled, Runs, kBinary, "address 0 and size 0, or empty bytes, mean that there is no message"},
    Rule{RuleId::SizeNotNegative, Runs, kBinary, "a size is not negative"},
    Rule{RuleId::AddressWithSize, Runs, kBinary, "what has a size has an address"},
    Rule{RuleId::SizeBelowTwoGiB, Runs, kBinary, "a message is smaller than 2 GiB"},
    Rule{RuleId::MessageEncoded, Runs, kInputsAndOutputs,
         "the bytes are an encoded message of the type that the MIME type says"},
    Rule{RuleId::InputLifetime, Runs, kInputsAndOutputs,
         "an input stays from its setting to the end of the step that follows"},
    Rule{RuleId::OutputLifetime, Runs, kInputsAndOutputs,
         "an output stays from the end of its step to the start of the second one after it"},
    Rule{RuleId::ConfigLifetime, Runs, kConfig, "configurations stay to the end of ExitInitializationMode"},
    Rule{RuleId::RequestIsWish, Runs, kConfig,
         "before a configuration is set, OSMPSensorViewInConfigRequest is what the model wants"},
    Rule{RuleId::RequestEchoesConfig, Runs, kConfig, "after it was set, it holds the same data"},
    Rule{RuleId::ConfigIsSet, Runs, kConfig, "OSMPSensorViewInConfig is set before initialization mode is left"},
    Rule{RuleId::GroundTruthLifetime, Runs, kGround,
         "OSMPGroundTruthInit stays from its setting to the end of ExitInitializationMode, and is not read later"},
    Rule{RuleId::GroundTruthStatic, Runs, kGround, "it holds only what does not change during the run"},
    Rule{RuleId::GroundTruthIds, Runs, kGround, "its ids are those of the same objects in later messages"},
    Rule{RuleId::GroundTruthSame, Runs, kGround, "all instances of a model get the same bytes"},
};

}  // namespace

std::span<const Rule> Rules() {
  return kRules;
}

const Rule& RuleOf(RuleId id) {
  return *std::ranges::find(kRules, id, &Rule::id);
}

}  // namespace openmi::osmp
