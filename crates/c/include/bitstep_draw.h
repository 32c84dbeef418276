// bitstep: poses and debug lines as floats, for drawing. Made by cbindgen from crates/c/src/draw.rs; a test compares it.
//
// The rules are those of bitstep.h. No float flows back: a picture cannot change a result.

#ifndef BITSTEP_DRAW_H
#define BITSTEP_DRAW_H

#include "bitstep.h"

// The poses of the last two ticks of a world, by handle.
typedef struct BitstepFrames {
  // The handle; 0 is none.
  uint64_t handle;
} BitstepFrames;

// An instant between two ticks, and a place to look from.
typedef struct BitstepView {
  // `sizeof(BitstepView)`.
  uint32_t struct_size;
  // The part of the way from the earlier frame to the later one, 0 to 1, which are the frames to the bit; outside it is clamped, and NaN is
  // `BITSTEP_ERROR_RANGE`.
  float alpha;
  // The origin of what is written, such as the camera's place, in units: at most 2^30 along an axis, else `BITSTEP_ERROR_RANGE`.
  BitstepVec3 origin;
} BitstepView;

// The pose of a body in a picture.
typedef struct BitstepPose {
  // The body.
  BitstepBody body;
  // The center as seen from the origin, in units: the difference of the places is exact, and each component of it the nearest float.
  float position[3];
  // A unit quaternion: x, y, z, and the real component w.
  float orientation[4];
  // 1 if the earlier frame does not have the body: it is where the later one has it.
  uint32_t is_new;
} BitstepPose;

// A line of a wireframe.
typedef struct BitstepLine {
  // The body or the static of which it is.
  BitstepCollider collider;
  // Its beginning as seen from the origin, in units.
  float a[3];
  // Its end.
  float b[3];
} BitstepLine;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Two frames without bodies. The caller frees them.
//
// # Safety
//
// `frames` must be valid for a handle, or null.
BitstepCode bitstep_frames_new(struct BitstepFrames *frames);

// Frees two frames.
BitstepCode bitstep_frames_free(struct BitstepFrames frames);

// Takes the poses of all bodies as the later frame; what was the later one is the earlier one then. To be called after each
// `bitstep_world_tick`, and after a rollback for the last two ticks that were played again.
BitstepCode bitstep_frames_push(struct BitstepFrames frames,
                                BitstepWorld world);

// The poses between the two frames, by slot: of the bodies that the later one has. Positions go straight, orientations along the shorter
// arc. A body that a command put elsewhere slides there: its pose for an `alpha` of 1 does not.
//
// # Safety
//
// `view` must be valid for the struct; `poses` for `capacity` structs, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_frames_between(struct BitstepFrames frames,
                                   const struct BitstepView *view,
                                   struct BitstepPose *poses,
                                   size_t capacity,
                                   size_t *count);

// The wireframes of all bodies as they are, by slot, and then of all statics, by index: for a picture of what collides. Circles have 24
// lines; a plane is a square patch around its point, 10 units each way. The origin is as in `BitstepView`.
//
// # Safety
//
// `origin` must be valid for a vector; `lines` for `capacity` structs, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_world_lines(BitstepWorld world,
                                const BitstepVec3 *origin,
                                struct BitstepLine *lines,
                                size_t capacity,
                                size_t *count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BITSTEP_DRAW_H */
