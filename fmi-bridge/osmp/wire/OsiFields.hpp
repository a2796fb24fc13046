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
                               kOrientationRate = 6, kPolygon = 7, kOrientationAcceleration = 8;
}
namespace ground_truth {
inline constexpr std::uint32_t kHostVehicleId = 3, kStationaryObject = 4, kMovingObject = 5, kTrafficSign = 6,
                               kTrafficLight = 7, kRoadMarking = 8, kLaneBoundary = 9, kLane = 10, kOccupant = 11,
                               kEnvironmentalConditions = 12, kCountryCode = 13, kProjString = 14, kMapReference = 15,
                               kModelReference = 16, kReferenceLine = 17, kLogicalLaneBoundary = 18, kLogicalLane = 19,
                               kProjFrameOffset = 20;
}
namespace moving_object {
inline constexpr std::uint32_t kId = 1, kBase = 2, kType = 3, kVehicleAttributes = 5, kVehicleClassification = 6,
                               kModelReference = 7, kFutureTrajectory = 8;
}
namespace stationary_object {
inline constexpr std::uint32_t kId = 1, kBase = 2, kClassification = 3, kModelReference = 4;
}
namespace lane {
inline constexpr std::uint32_t kId = 1, kClassification = 2;
namespace classification {
inline constexpr std::uint32_t kType = 1, kCenterline = 3;
}
}  // namespace lane
namespace lane_boundary {
inline constexpr std::uint32_t kId = 1, kBoundaryLine = 2;
}
namespace vehicle_attributes {
inline constexpr std::uint32_t kCenterToRear = 4, kCenterToFront = 5;
}
namespace state_point {
inline constexpr std::uint32_t kTimestamp = 1, kPosition = 2, kOrientation = 3;
}
namespace sensor_view {
inline constexpr std::uint32_t kSensorId = 3, kMountingPosition = 4, kHostVehicleData = 6, kGlobalGroundTruth = 7,
                               kHostVehicleId = 8;
}
namespace sensor_view_configuration {
inline constexpr std::uint32_t kSensorId = 2, kMountingPosition = 3, kMountingPositionRmse = 4,
                               kFieldOfViewHorizontal = 5, kFieldOfViewVertical = 6, kRange = 7, kUpdateCycleTime = 8,
                               kUpdateCycleOffset = 9, kSimulationStartTime = 10, kOmitStaticInformation = 11,
                               kGeneric = 1000, kRadar = 1001, kLidar = 1002, kCamera = 1003, kUltrasonic = 1004;
}
namespace sensor_data {
inline constexpr std::uint32_t kHostVehicleLocation = 3, kSensorId = 5, kMountingPosition = 6, kSensorView = 8,
                               kLastMeasurementTime = 9, kStationaryObjectHeader = 10, kStationaryObject = 11,
                               kMovingObjectHeader = 12, kMovingObject = 13;
}
namespace detected_entity_header {
inline constexpr std::uint32_t kMeasurementTime = 1, kCycleCounter = 2, kDataQualifier = 3;
}
namespace detected_item_header {
inline constexpr std::uint32_t kTrackingId = 1, kGroundTruthId = 2, kExistenceProbability = 3, kAge = 4,
                               kMeasurementState = 5, kSensorId = 6;
}
namespace detected_moving_object {
inline constexpr std::uint32_t kHeader = 1, kBase = 2, kBaseRmse = 3, kReferencePoint = 4, kMovementState = 5,
                               kCandidate = 8;
namespace candidate {
inline constexpr std::uint32_t kProbability = 1, kType = 2;
}
}  // namespace detected_moving_object
namespace traffic_update {
inline constexpr std::uint32_t kUpdate = 3, kInternalState = 4;
}
namespace traffic_command {
inline constexpr std::uint32_t kParticipantId = 3, kAction = 4;
}
namespace traffic_action {
inline constexpr std::uint32_t kFollowTrajectory = 1, kFollowPath = 2, kAcquireGlobalPosition = 3, kLaneChange = 4,
                               kSpeed = 5, kAbortActions = 6, kEndActions = 7, kCustom = 8, kLongitudinalDistance = 9,
                               kLaneOffset = 10, kLateralDistance = 11, kTeleport = 12;
inline constexpr std::uint32_t kHeader = 1;    // of every action
inline constexpr std::uint32_t kActionId = 1;  // of the action's header
namespace follow {
inline constexpr std::uint32_t kPoint = 2, kConstrainOrientation = 3, kFollowingMode = 4;
}
namespace speed {
inline constexpr std::uint32_t kTarget = 2, kShape = 3, kDuration = 4, kDistance = 5;
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
inline constexpr std::uint32_t kStationaryObject = 3, kMovingObject = 4, kHostVehicleData = 8, kObsoleteId = 9;
}
namespace host_vehicle_data {
inline constexpr std::uint32_t kLocation = 1, kVersion = 9, kTimestamp = 10, kHostVehicleId = 11;
}

}  // namespace openmi::osi::field
