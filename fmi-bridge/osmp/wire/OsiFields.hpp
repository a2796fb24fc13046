#pragma once

#include <cstdint>

/// Field numbers of the OSI messages that the code of this project reads and writes.
///
/// The tables of schema/ hold all others. Source: ASAM OSI 3.5.0 to 3.8.0, which agree in all of them.
namespace openmi::osi::field {

// Of every top-level message except HostVehicleData.
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kTimestamp = 2;

namespace interface_version {
inline constexpr std::uint32_t kMajor = 1, kMinor = 2, kPatch = 3;
}
namespace timestamp {
inline constexpr std::uint32_t kSeconds = 1, kNanos = 2;
}
namespace identifier {
inline constexpr std::uint32_t kValue = 1;
}
namespace mounting_position {
inline constexpr std::uint32_t kPosition = 1, kOrientation = 2;
}
namespace base {  // BaseMoving; BaseStationary ends with the orientation
inline constexpr std::uint32_t kDimension = 1, kPosition = 2, kOrientation = 3, kVelocity = 4, kAcceleration = 5,
                               kOrientationRate = 6;
}
namespace ground_truth {
inline constexpr std::uint32_t kHostVehicleId = 3, kStationaryObject = 4, kMovingObject = 5, kTrafficSign = 6,
                               kTrafficLight = 7, kRoadMarking = 8, kLaneBoundary = 9, kLane = 10, kOccupant = 11,
                               kEnvironmentalConditions = 12, kModelReference = 16, kReferenceLine = 17,
                               kLogicalLaneBoundary = 18, kLogicalLane = 19;
}
namespace moving_object {
inline constexpr std::uint32_t kId = 1, kBase = 2, kType = 3, kVehicleAttributes = 5, kModelReference = 7;
}
namespace stationary_object {
inline constexpr std::uint32_t kId = 1, kBase = 2, kModelReference = 4;
}
namespace lane {
inline constexpr std::uint32_t kId = 1;
namespace classification {
inline constexpr std::uint32_t kType = 1;
}
}  // namespace lane
namespace lane_boundary {
inline constexpr std::uint32_t kId = 1, kBoundaryLine = 2;
}
namespace vehicle_attributes {
inline constexpr std::uint32_t kCenterToRear = 4;
}
namespace state_point {
inline constexpr std::uint32_t kTimestamp = 1, kPosition = 2, kOrientation = 3;
}
namespace sensor_view {
inline constexpr std::uint32_t kSensorId = 3, kMountingPosition = 4, kGlobalGroundTruth = 7, kHostVehicleId = 8;
}
namespace sensor_view_configuration {
inline constexpr std::uint32_t kSensorId = 2, kMountingPosition = 3, kFieldOfViewHorizontal = 5, kRange = 7,
                               kUpdateCycleTime = 8, kSimulationStartTime = 10, kGeneric = 1000;
}
namespace sensor_data {
inline constexpr std::uint32_t kSensorId = 5, kMountingPosition = 6, kSensorView = 8, kLastMeasurementTime = 9,
                               kStationaryObject = 11, kMovingObjectHeader = 12, kMovingObject = 13;
}
namespace detected_entity_header {
inline constexpr std::uint32_t kMeasurementTime = 1, kCycleCounter = 2, kDataQualifier = 3;
}
namespace detected_item_header {
inline constexpr std::uint32_t kTrackingId = 1, kGroundTruthId = 2, kExistenceProbability = 3, kMeasurementState = 5,
                               kSensorId = 6;
}
namespace detected_moving_object {
inline constexpr std::uint32_t kHeader = 1, kBase = 2, kReferencePoint = 4, kCandidate = 8;
namespace candidate {
inline constexpr std::uint32_t kProbability = 1, kType = 2;
}
}  // namespace detected_moving_object
namespace traffic_update {
inline constexpr std::uint32_t kUpdate = 3;
}
namespace traffic_command {
inline constexpr std::uint32_t kParticipantId = 3, kAction = 4;
}
namespace traffic_action {
inline constexpr std::uint32_t kFollowTrajectory = 1, kLaneChange = 4, kSpeed = 5, kAbortActions = 6, kEndActions = 7,
                               kTeleport = 12;
inline constexpr std::uint32_t kHeader = 1;    // of every action
inline constexpr std::uint32_t kActionId = 1;  // of the action's header
namespace follow {
inline constexpr std::uint32_t kPoint = 2;
}
namespace speed {
inline constexpr std::uint32_t kTarget = 2;
}
namespace position {  // acquire global position, teleport
inline constexpr std::uint32_t kPosition = 2, kOrientation = 3;
}
}  // namespace traffic_action
namespace traffic_command_update {
inline constexpr std::uint32_t kParticipantId = 3, kDismissedAction = 4;
namespace dismissed {
inline constexpr std::uint32_t kActionId = 1, kReason = 2;
}
}  // namespace traffic_command_update
namespace streaming_update {
inline constexpr std::uint32_t kStationaryObject = 3, kMovingObject = 4;
}
namespace host_vehicle_data {
inline constexpr std::uint32_t kVersion = 9, kTimestamp = 10, kHostVehicleId = 11;
}

}  // namespace openmi::osi::field
