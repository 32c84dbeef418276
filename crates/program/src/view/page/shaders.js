// What the graphics card runs. An instance is three edges, an axis that pulls rods apart, a center and a colour.

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in float end;
layout(location = 2) in vec3 normal;
layout(location = 3) in vec3 edge0;
layout(location = 4) in vec3 edge1;
layout(location = 5) in vec3 edge2;
layout(location = 6) in vec3 axis;
layout(location = 7) in vec3 center;
layout(location = 8) in vec4 colour;
layout(location = 9) in vec2 look;
uniform mat4 camera;
uniform mat4 light;
out vec3 at;
out vec3 facing;
out vec3 own;
out vec3 sizes;
out vec3 face;
out vec4 paint;
out vec2 special;
out vec4 lit;
out float raised; // of ground, above the level's
void main() {
  at = center + axis * end + edge0 * position.x + edge1 * position.y + edge2 * position.z;
  sizes = vec3(length(edge0), length(edge1), length(edge2));
  vec3 square = max(sizes * sizes, vec3(1e-20));
  facing = normalize(edge0 * (normal.x / square.x) + edge1 * (normal.y / square.y) + edge2 * (normal.z / square.z));
  own = position;
  face = abs(normal);
  paint = colour;
  special = look;
  raised = end;
  lit = light * vec4(at, 1.0);
  gl_Position = camera * vec4(at, 1.0);
}`;

// The light that reaches a point: its shadow is softened over a few points.
const SHADE = `
uniform highp sampler2DShadow shadows;
uniform float shadowed;
float reach(vec4 lit, float slope) {
  vec3 spot = lit.xyz * 0.5 + 0.5;
  if (shadowed < 0.5 || any(lessThan(spot, vec3(0.0))) || any(greaterThan(spot, vec3(1.0)))) return 1.0;
  float step = 1.0 / float(textureSize(shadows, 0).x);
  float sum = 0.0;
  for (int k = 0; k < 4; k++) {
    vec2 aside = vec2(k % 2, k / 2) * 2.0 - 1.0;
    sum += texture(shadows, vec3(spot.xy + aside * step * 0.9, spot.z - 0.0012 - 0.003 * slope));
  }
  return sum / 4.0;
}`;

// The look of a point of a solid, given what it is painted with.
const LOOK = `${SHADE}
uniform vec3 eye;
uniform vec3 sun;
uniform vec3 up;
uniform vec3 accent;
vec3 lookOf(vec3 base, vec3 at, vec3 normal, vec4 lit, float followed) {
  vec3 toEye = normalize(eye - at);
  if (dot(normal, toEye) < 0.0) normal = -normal;
  float toSun = max(dot(normal, sun), 0.0);
  float sunny = toSun * reach(lit, 1.0 - toSun);
  float sky = 0.5 + 0.5 * dot(normal, up);
  vec3 shade = base * (0.5 + 0.22 * sky + 0.43 * sunny);
  shade += vec3(0.1) * pow(max(dot(normal, normalize(sun + toEye)), 0.0), 40.0) * step(0.01, sunny);
  float rim = pow(1.0 - max(dot(normal, toEye), 0.0), 2.0);
  return followed > 0.5 ? mix(shade, accent, 0.25 + 0.75 * rim) : shade;
}`;

// Lines of a grid, which are gone where they are too near to each other.
const GRID = `
float grid(vec2 spot, float size) {
  vec2 cells = spot / size;
  vec2 wide = max(fwidth(cells), vec2(1e-6));
  vec2 away = abs(fract(cells - 0.5) - 0.5) / wide;
  vec2 line = (1.0 - smoothstep(0.5, 1.5, away)) * (1.0 - smoothstep(0.15, 0.45, wide));
  return max(line.x, line.y);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 at;
in vec3 facing;
in vec3 own;
in vec3 sizes;
in vec3 face;
in vec4 paint;
in vec2 special;
in vec4 lit;
in float raised;
uniform float kind;
uniform float side; // 1 or -1: only the front or the back of triangles is seen
uniform float hatched;
uniform float cell;
out vec4 colour;
${LOOK}
${GRID}
// Ground: the lines of its cells, brown where it is dug, and sandy where it is raised.
vec3 soilOf(vec3 base, float cells) {
  float dug = clamp(-raised / (0.3 * cells), 0.0, 1.0);
  float heaped = clamp(raised / (0.3 * cells), 0.0, 1.0);
  base *= mix(vec3(1.0), vec3(0.86, 0.64, 0.44), dug) * mix(vec3(1.0), vec3(1.17, 1.03, 0.74), heaped);
  return base * (1.0 - 0.1 * grid(own.xz, cells) - 0.08 * grid(own.xz, cells * 8.0));
}
void main() {
  bool isFront = dot(facing, eye - at) > 0.0;
  if (side != 0.0 && isFront != (side > 0.0)) discard;
  vec3 base = kind == 4.0 ? soilOf(paint.rgb, special.x) : paint.rgb;
  if (kind == 1.0) {
    // Edges of boxes are a little darker, as wide as a point or as a part of the box.
    vec3 inside = (1.0 - abs(own)) * sizes;
    float least = min(sizes.x, min(sizes.y, sizes.z));
    vec3 wide = max(fwidth(own) * sizes * 1.3, vec3(least * 0.025));
    vec3 edges = (1.0 - smoothstep(vec3(0.0), wide, inside)) * (1.0 - step(0.5, face));
    base *= 1.0 - 0.3 * max(edges.x, max(edges.y, edges.z));
  }
  vec3 shade = kind == 3.0 ? base : lookOf(base, at, normalize(facing), lit, special.y);
  float stripe = 0.0;
  if (hatched > 0.5) {
    // What is passed has stripes that stay on it.
    float spot = dot(own * sizes, vec3(1.0, 1.27, 0.83)) / (cell * 0.17);
    float wide = max(fwidth(spot), 1e-6);
    stripe = mix(1.0 - smoothstep(0.16, 0.16 + wide, abs(fract(spot) - 0.5)), 0.32, smoothstep(0.3, 0.7, wide));
  }
  colour = vec4(shade, mix(paint.a, 0.7, stripe));
}`;

// Balls are squares that face the camera; each point of them looks for the ball along its ray.
const BALL_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 3) in vec3 edge0;
layout(location = 4) in vec3 edge1;
layout(location = 5) in vec3 edge2;
layout(location = 7) in vec3 center;
layout(location = 8) in vec4 colour;
layout(location = 9) in vec2 look;
uniform mat4 camera;
uniform vec4 viewer; // where the eye is, or, with 0 behind, where the light comes from
out vec3 at;
flat out vec3 middle;
flat out mat3 edges;
flat out vec4 paint;
flat out vec2 special;
void main() {
  vec3 away = viewer.w > 0.5 ? viewer.xyz - center : viewer.xyz;
  float far = length(away);
  vec3 ahead = away / far;
  vec3 right = normalize(cross(abs(ahead.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), ahead));
  float radius = length(edge1);
  float seen = viewer.w > 0.5 ? radius * far / sqrt(max(far * far - radius * radius, radius * radius * 0.01)) : radius;
  at = center + (right * position.x + cross(ahead, right) * position.z) * seen * 1.06;
  middle = center;
  edges = mat3(edge0, edge1, edge2);
  paint = colour;
  special = look;
  gl_Position = camera * vec4(at, 1.0);
}`;

const BALL = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 at;
flat in vec3 middle;
flat in mat3 edges;
flat in vec4 paint;
flat in vec2 special;
uniform mat4 camera;
uniform mat4 light;
uniform vec4 viewer;
uniform float drawn; // 0 for shadows
out vec4 colour;
${LOOK}
void main() {
  float square = dot(edges[1], edges[1]);
  vec3 ray = viewer.w > 0.5 ? normalize(at - viewer.xyz) : -viewer.xyz;
  vec3 from = at - middle;
  float along = dot(from, ray);
  vec3 nearest = from - ray * along;
  float miss = length(nearest);
  float radius = sqrt(square);
  float cover = clamp((radius - miss) / max(fwidth(miss), 1e-9) + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  vec3 out_ = nearest - ray * sqrt(max(square - miss * miss, 0.0));
  vec3 spot = middle + out_;
  vec4 clip = camera * vec4(spot, 1.0);
  gl_FragDepth = clamp(0.5 * clip.z / clip.w + 0.5, 0.0, 1.0);
  colour = vec4(0.0);
  if (drawn < 0.5) return;
  vec3 base = paint.rgb;
  if (special.x > 0.5) {
    // A body that rotates shows it.
    float own = dot(out_, edges[1]) / square;
    base = mix(base, base * 0.72 + 0.2, 0.6 * smoothstep(0.23, 0.2, abs(own)));
  }
  colour = vec4(lookOf(base, spot, out_ / radius, light * vec4(spot, 1.0), special.y), paint.a * cover);
}`;

const SHADOW_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

// Planes: a grid that fades out with the distance, cut off where other planes are.
const GROUND = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 at;
in vec3 facing;
in vec4 paint;
in vec4 lit;
uniform vec3 eye;
uniform vec3 middle;
uniform vec3 sides[2];
uniform float cell;
uniform float reachOf;
uniform vec4 others[8];
uniform int count;
uniform vec3 lines;
uniform vec3 paper;
out vec4 colour;
${SHADE}
${GRID}
void main() {
  for (int k = 0; k < count; k++) if (dot(others[k].xyz, at) < others[k].w) discard;
  vec3 from = at - middle;
  vec2 spot = vec2(dot(from, sides[0]), dot(from, sides[1]));
  float far = length(spot) / reachOf;
  float fade = 1.0 - smoothstep(0.25, 1.0, far);
  float line = 0.35 * grid(spot, cell) + 0.5 * grid(spot, cell * 5.0);
  float shadow = 1.0 - reach(lit, 0.3);
  vec3 ground = mix(paint.rgb, lines, line * paint.a);
  ground *= 1.0 - 0.3 * shadow;
  colour = vec4(mix(paper, ground, fade), fade);
}`;
