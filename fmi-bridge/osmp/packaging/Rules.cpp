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
         "the annotations of the description have one element osmp in the namespace of the packaging"},
    Rule{RuleId::PackagingVersion, Warns, kBasic, "the version of the element osmp is 1.x.y"},
    Rule{RuleId::OsiVersion, Warns, kBasic,
         "the osi-version of the element osmp is x.y.z if the FMU has messages of OSI, and absent if it has none"},
    Rule{RuleId::CoSimulation, Refuses, kBasic, "the FMU is for co-simulation"},
    Rule{RuleId::FmiVersion, Refuses, kBasic, "the FMU is of FMI 2.0 or 3.0"},
    Rule{RuleId::StructuredNames, Warns, kBasic, "the naming convention is structured"},
    Rule{RuleId::StepSize, Warns, kBasic, "the default experiment has a step size: the period of the inputs"},
    Rule{RuleId::OtherVariables, Warns, kBasic,
         "the model runs with all other variables unconnected and at their defaults: other inputs have start values"},
    Rule{RuleId::LegalName, Warns, kBinary, "the name of a binary variable is a legal structured name"},
    Rule{RuleId::NameTaken, Refuses, kBinary, "no other variable has the name of a binary variable"},
    Rule{RuleId::OneOfEachRole, Refuses, kBinary,
         "a binary variable has one scalar of each role base.lo, base.hi and size, or, in FMI 3.0, one of role full"},
    Rule{RuleId::ScalarType, Refuses, kBinary,
         "the scalars of roles base.lo, base.hi and size are Integer; that of role full is Binary"},
    Rule{RuleId::NamesOfTheThree, Warns, kBinary,
         "the scalars have the name of the binary variable with .base.lo, .base.hi and .size; that of role full has "
         "its name alone"},
    Rule{RuleId::SameCausality, Refuses, kBinary, "the three scalars have the same causality and variability"},
    Rule{RuleId::StartValue, Warns, kBinary, "the start value of the scalars is 0, or empty, if they may have one"},
    Rule{RuleId::Annotated, Warns, kBinary, "each scalar of a binary variable has the annotation"},
    Rule{RuleId::MimeTypeValid, Refuses, kBinary, "the MIME type is valid"},
    Rule{RuleId::MimeTypesAgree, Refuses, kBinary,
         "the three scalars have the same MIME type; that of role full equals the mimeType of the variable"},
    Rule{RuleId::MessageKnown, Refuses, kBinary, "a MIME type of OSI names a top-level message of OSI"},
    Rule{RuleId::OsiVersionGiven, Warns, kBinary,
         "the version of OSI is given in the MIME type or in the element osmp, as x.y.z"},
    Rule{RuleId::RoleKnown, Refuses, kBinary, "a role is base.lo, base.hi, size or, in FMI 3.0, full"},
    Rule{RuleId::KindCausality, Refuses, kInputsAndOutputs, "a variable has the causality and variability of its kind"},
    Rule{RuleId::KindMessage, Refuses, kInputsAndOutputs, "the MIME type of a variable names the message of its kind"},
    Rule{RuleId::Indices, Warns, kInputsAndOutputs,
         "a single variable of a kind has no index; several have [1], [2], ... without gaps"},
    Rule{RuleId::ConfigExists, Refuses, kConfig, "each OSMPSensorViewInConfigRequest has its OSMPSensorViewInConfig"},
    Rule{RuleId::ConfigVariability, Warns, kConfig,
         "OSMPSensorViewInConfigRequest and OSMPSensorViewInConfig have the same variability"},
    Rule{RuleId::ConfigIndex, Warns, kConfig, "the index of a configuration is that of an OSMPSensorViewIn"},
    Rule{RuleId::GroundTruthSingle, Warns, kGround, "there is at most one OSMPGroundTruthInit, without an index"},
    Rule{RuleId::GroundTruthExact, Refuses, kGround, "the attribute initial of OSMPGroundTruthInit is exact"},
    Rule{RuleId::KnownPrefix, Warns, kInputsAndOutputs,
         "a variable with a message of OSI has a name that the packaging defines"},
    Rule{RuleId::NoDataIsHandled, Runs, kBinary, "address 0 and size 0, or empty bytes, mean that there is no message"},
    Rule{RuleId::SizeNotNegative, Runs, kBinary, "a size is not negative"},
    Rule{RuleId::AddressWithSize, Runs, kBinary, "a message with a size has an address"},
    Rule{RuleId::SizeBelowTwoGiB, Runs, kBinary, "a message is smaller than 2 GiB"},
    Rule{RuleId::MessageEncoded, Runs, kInputsAndOutputs,
         "the bytes are an encoded message of the type in the MIME type"},
    Rule{RuleId::InputLifetime, Runs, kInputsAndOutputs,
         "an input is valid from the time it is set to the end of the next step"},
    Rule{RuleId::OutputLifetime, Runs, kInputsAndOutputs,
         "an output is valid from the end of its step to the start of the second step after it"},
    Rule{RuleId::ConfigLifetime, Runs, kConfig, "configurations are valid to the end of ExitInitializationMode"},
    Rule{RuleId::RequestIsWish, Runs, kConfig,
         "before a configuration is set, OSMPSensorViewInConfigRequest is the configuration that the model wants"},
    Rule{RuleId::RequestEchoesConfig, Runs, kConfig,
         "after a configuration is set, OSMPSensorViewInConfigRequest holds the same data"},
    Rule{RuleId::ConfigIsSet, Runs, kConfig, "OSMPSensorViewInConfig is set before the end of initialization mode"},
    Rule{RuleId::GroundTruthLifetime, Runs, kGround,
         "OSMPGroundTruthInit is valid from the time it is set to the end of ExitInitializationMode, and is not read "
         "later"},
    Rule{RuleId::GroundTruthStatic, Runs, kGround,
         "OSMPGroundTruthInit holds only data that do not change during the run"},
    Rule{RuleId::GroundTruthIds, Runs, kGround,
         "the ids in OSMPGroundTruthInit are those of the same objects in later messages"},
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
