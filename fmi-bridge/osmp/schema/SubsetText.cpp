#include "fmi-bridge/osmp/schema/Schema.hpp"

namespace openmi::osi {

// Numbers, names and types of OSI 3.5.0 to 3.8.0; a message of an older release lacks some fields. Nested enumerations
// are numbers. A unit after a message is that of its numbers.
std::string_view Schema::SubsetText() {
  return R"(openmi osi table 1
version 3.8.0

message InterfaceVersion
  1 version_major uint32
  2 version_minor uint32
  3 version_patch uint32
message Timestamp
  1 seconds int64 s
  2 nanos uint32 ns
message Identifier
  1 value uint64
message Vector2d
  1 x double m
  2 y double m
message Vector3d
  1 x double m
  2 y double m
  3 z double m
message Dimension3d
  1 length double m
  2 width double m
  3 height double m
message Orientation3d
  1 roll double rad
  2 pitch double rad
  3 yaw double rad
message BoundingBox
  1 dimension Dimension3d m
  2 position Vector3d m
  3 orientation Orientation3d rad
  4 contained_object_type enum
  5 model_reference string
message BaseStationary
  1 dimension Dimension3d m
  2 position Vector3d m
  3 orientation Orientation3d rad
  4 base_polygon Vector2d* m
  5 bounding_box_section BoundingBox*
message BaseMoving
  1 dimension Dimension3d m
  2 position Vector3d m
  3 orientation Orientation3d rad
  4 velocity Vector3d m/s
  5 acceleration Vector3d m/s2
  6 orientation_rate Orientation3d rad/s
  7 base_polygon Vector2d* m
  8 orientation_acceleration Orientation3d rad/s2
  9 bounding_box_section BoundingBox*
message MountingPosition
  1 position Vector3d m
  2 orientation Orientation3d rad
message StatePoint
  1 timestamp Timestamp
  2 position Vector3d m
  3 orientation Orientation3d rad
message LogicalLaneAssignment
  1 assigned_lane_id Identifier
  2 s_position double m
  3 t_position double m
  4 angle_to_lane double rad
message ExternalReference
  1 reference string
  2 type string
  3 identifier string*
message KeyValuePair
  1 key string
  2 value string
message GeodeticPosition
  1 longitude double degree
  2 latitude double degree
  3 altitude double m

message GroundTruth
  1 version InterfaceVersion
  2 timestamp Timestamp
  3 host_vehicle_id Identifier
  4 stationary_object StationaryObject*
  5 moving_object MovingObject*
  9 lane_boundary LaneBoundary*
  10 lane Lane*
  13 country_code uint32
  14 proj_string string
  15 map_reference string
  16 model_reference string
  20 proj_frame_offset GroundTruth.ProjFrameOffset
message GroundTruth.ProjFrameOffset
  1 position Vector3d m
  2 yaw double rad
message MovingObject
  1 id Identifier
  2 base BaseMoving
  3 type enum
  4 assigned_lane_id Identifier*
  5 vehicle_attributes MovingObject.VehicleAttributes
  6 vehicle_classification MovingObject.VehicleClassification
  7 model_reference string
  8 future_trajectory StatePoint*
  9 moving_object_classification MovingObject.MovingObjectClassification
  10 source_reference ExternalReference*
message MovingObject.VehicleAttributes
  1 driver_id Identifier
  2 radius_wheel double m
  3 number_wheels uint32
  4 bbcenter_to_rear Vector3d m
  5 bbcenter_to_front Vector3d m
  6 ground_clearance double m
  8 steering_wheel_angle double rad
message MovingObject.VehicleClassification
  1 type enum
  2 light_state MovingObject.VehicleClassification.LightState
  3 has_trailer bool
  4 trailer_id Identifier
  5 role enum
message MovingObject.VehicleClassification.LightState
  1 indicator_state enum
  2 front_fog_light enum
  3 rear_fog_light enum
  4 head_light enum
  5 high_beam enum
  6 reversing_light enum
  7 brake_light_state enum
  8 license_plate_illumination_rear enum
  9 emergency_vehicle_illumination enum
  10 service_vehicle_illumination enum
message MovingObject.MovingObjectClassification
  1 assigned_lane_id Identifier*
  2 assigned_lane_percentage double* %
  3 logical_lane_assignment LogicalLaneAssignment*
message StationaryObject
  1 id Identifier
  2 base BaseStationary
  3 classification StationaryObject.Classification
  4 model_reference string
  5 source_reference ExternalReference*
message StationaryObject.Classification
  1 type enum
  2 material enum
  3 density enum
  4 color enum
  6 assigned_lane_id Identifier*
  7 assigned_lane_percentage double* %
  8 logical_lane_assignment LogicalLaneAssignment*
message Lane
  1 id Identifier
  2 classification Lane.Classification
  3 source_reference ExternalReference*
message Lane.Classification
  1 type enum
  2 is_host_vehicle_lane bool
  3 centerline Vector3d* m
  4 centerline_is_driving_direction bool
  5 left_adjacent_lane_id Identifier*
  6 right_adjacent_lane_id Identifier*
  7 lane_pairing Lane.Classification.LanePairing*
  8 right_lane_boundary_id Identifier*
  9 left_lane_boundary_id Identifier*
  10 free_lane_boundary_id Identifier*
  12 subtype enum
message Lane.Classification.LanePairing
  1 antecessor_lane_id Identifier
  2 successor_lane_id Identifier
message LaneBoundary
  1 id Identifier
  2 boundary_line LaneBoundary.BoundaryPoint*
  3 classification LaneBoundary.Classification
  4 source_reference ExternalReference*
message LaneBoundary.BoundaryPoint
  1 position Vector3d m
  2 width double m
  3 height double m
  4 dash enum
message LaneBoundary.Classification
  1 type enum
  2 color enum
  3 limiting_structure_id Identifier*

message SensorView
  1 version InterfaceVersion
  2 timestamp Timestamp
  3 sensor_id Identifier
  4 mounting_position MountingPosition
  5 mounting_position_rmse MountingPosition
  6 host_vehicle_data HostVehicleData
  7 global_ground_truth GroundTruth
  8 host_vehicle_id Identifier
message SensorViewConfiguration
  1 version InterfaceVersion
  2 sensor_id Identifier
  3 mounting_position MountingPosition
  4 mounting_position_rmse MountingPosition
  5 field_of_view_horizontal double rad
  6 field_of_view_vertical double rad
  7 range double m
  8 update_cycle_time Timestamp
  9 update_cycle_offset Timestamp
  10 simulation_start_time Timestamp
  11 omit_static_information bool
message SensorData
  1 version InterfaceVersion
  2 timestamp Timestamp
  3 host_vehicle_location BaseMoving
  4 host_vehicle_location_rmse BaseMoving
  5 sensor_id Identifier
  6 mounting_position MountingPosition
  7 mounting_position_rmse MountingPosition
  8 sensor_view SensorView*
  9 last_measurement_time Timestamp
  10 stationary_object_header DetectedEntityHeader
  12 moving_object_header DetectedEntityHeader
  13 moving_object DetectedMovingObject*
message DetectedEntityHeader
  1 measurement_time Timestamp
  2 cycle_counter uint64
  3 data_qualifier enum
message DetectedItemHeader
  1 tracking_id Identifier
  2 ground_truth_id Identifier*
  3 existence_probability double
  4 age double s
  5 measurement_state enum
  6 sensor_id Identifier*
message DetectedMovingObject
  1 header DetectedItemHeader
  2 base BaseMoving
  3 base_rmse BaseMoving
  4 reference_point enum
  5 movement_state enum
  6 percentage_side_lane_left double %
  7 percentage_side_lane_right double %
  8 candidate DetectedMovingObject.CandidateMovingObject*
message DetectedMovingObject.CandidateMovingObject
  1 probability double
  2 type enum
  3 vehicle_classification MovingObject.VehicleClassification
  4 head_pose Orientation3d rad
  5 upper_body_pose Orientation3d rad

message TrafficUpdate
  1 version InterfaceVersion
  2 timestamp Timestamp
  3 update MovingObject*
  4 internal_state HostVehicleData*
message TrafficCommand
  1 version InterfaceVersion
  2 timestamp Timestamp
  3 traffic_participant_id Identifier
  4 action TrafficAction*
message TrafficAction
  1 follow_trajectory_action TrafficAction.FollowTrajectoryAction
  2 follow_path_action TrafficAction.FollowPathAction
  3 acquire_global_position_action TrafficAction.AcquireGlobalPositionAction
  4 lane_change_action TrafficAction.LaneChangeAction
  5 speed_action TrafficAction.SpeedAction
  6 abort_actions_action TrafficAction.AbortActionsAction
  7 end_actions_action TrafficAction.EndActionsAction
  8 custom_action TrafficAction.CustomAction
  9 longitudinal_distance_action TrafficAction.LongitudinalDistanceAction
  10 lane_offset_action TrafficAction.LaneOffsetAction
  11 lateral_distance_action TrafficAction.LateralDistanceAction
  12 teleport_action TrafficAction.TeleportAction
message TrafficAction.ActionHeader
  1 action_id Identifier
message TrafficAction.FollowTrajectoryAction
  1 action_header TrafficAction.ActionHeader
  2 trajectory_point StatePoint*
  3 constrain_orientation bool
  4 following_mode enum
message TrafficAction.FollowPathAction
  1 action_header TrafficAction.ActionHeader
  2 path_point StatePoint*
  3 constrain_orientation bool
  4 following_mode enum
message TrafficAction.AcquireGlobalPositionAction
  1 action_header TrafficAction.ActionHeader
  2 position Vector3d m
  3 orientation Orientation3d rad
message TrafficAction.LaneChangeAction
  1 action_header TrafficAction.ActionHeader
  2 relative_target_lane int32
  3 dynamics_shape enum
  4 duration double s
  5 distance double m
message TrafficAction.SpeedAction
  1 action_header TrafficAction.ActionHeader
  2 absolute_target_speed double m/s
  3 dynamics_shape enum
  4 duration double s
  5 distance double m
message TrafficAction.AbortActionsAction
  1 action_header TrafficAction.ActionHeader
  2 target_action_id Identifier*
message TrafficAction.EndActionsAction
  1 action_header TrafficAction.ActionHeader
  2 target_action_id Identifier*
message TrafficAction.CustomAction
  1 action_header TrafficAction.ActionHeader
  2 command string
  3 command_type string
message TrafficAction.DynamicConstraints
  1 max_acceleration double m/s2
  2 max_deceleration double m/s2
  3 max_speed double m/s
message TrafficAction.LongitudinalDistanceAction
  1 action_header TrafficAction.ActionHeader
  2 target_traffic_participant_id Identifier
  3 distance double m
  4 freespace bool
  5 follow bool
  6 dynamic_constraints TrafficAction.DynamicConstraints
message TrafficAction.LaneOffsetAction
  1 action_header TrafficAction.ActionHeader
  2 target_lane_offset double m
  3 dynamics_shape enum
message TrafficAction.LateralDistanceAction
  1 action_header TrafficAction.ActionHeader
  2 target_traffic_participant_id Identifier
  3 distance double m
  4 freespace bool
  5 follow bool
  6 dynamic_constraints TrafficAction.DynamicConstraints
message TrafficAction.TeleportAction
  1 action_header TrafficAction.ActionHeader
  2 position Vector3d m
  3 orientation Orientation3d rad
message TrafficCommandUpdate
  1 version InterfaceVersion
  2 timestamp Timestamp
  3 traffic_participant_id Identifier
  4 dismissed_action TrafficCommandUpdate.DismissedAction*
message TrafficCommandUpdate.DismissedAction
  1 dismissed_action_id Identifier
  2 failure_reason string
message StreamingUpdate
  1 version InterfaceVersion
  2 timestamp Timestamp
  3 stationary_object_update StationaryObject*
  4 moving_object_update MovingObject*
  8 host_vehicle_data_update HostVehicleData*
  9 obsolete_id Identifier*
message HostVehicleData
  1 location BaseMoving
  2 location_rmse BaseMoving
  4 vehicle_powertrain HostVehicleData.VehiclePowertrain
  5 vehicle_brake_system HostVehicleData.VehicleBrakeSystem
  6 vehicle_steering HostVehicleData.VehicleSteering
  9 version InterfaceVersion
  10 timestamp Timestamp
  11 host_vehicle_id Identifier
  13 vehicle_motion HostVehicleData.VehicleMotion
message HostVehicleData.VehiclePowertrain
  1 pedal_position_acceleration double
  2 pedal_position_clutch double
  3 gear_transmission int32
message HostVehicleData.VehicleBrakeSystem
  1 pedal_position_brake double
message HostVehicleData.VehicleSteering
  1 vehicle_steering_wheel VehicleSteeringWheel
message VehicleSteeringWheel
  1 angle double rad
  2 angular_speed double rad/s
  3 torque double N m
message HostVehicleData.VehicleMotion
  1 position Vector3d m
  2 orientation Orientation3d rad
  3 velocity Vector3d m/s
  4 orientation_rate Orientation3d rad/s
  5 acceleration Vector3d m/s2
  6 current_curvature double m-1
message MotionRequest
  1 version InterfaceVersion
  2 timestamp Timestamp
)";
}

}  // namespace openmi::osi
