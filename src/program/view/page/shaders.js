// What the graphics card runs. An instance is three edges, an axis that pulls rods apart, a center and a colour.

const VERTEX = `#version 300 es
layout(location = 0) in vec3 place;
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
void main() {
  at = center + axis * end + edge0 * place.x + edge1 * place.y + edge2 * place.z;
  sizes = vec3(length(edge0), length(edge1), length(edge2));
  vec3 square = max(sizes * sizes, vec3(1e-20));
  facing = normalize(edge0 * (normal.x / square.x) + edge1 * (normal.y / square.y) + edge2 * (normal.z / square.z));
  own = place;
  face = abs(normal);
  paint = colour;
  special = look;
  lit = light * vec4(at, 1.0);
  gl_Position = camera * vec4(at, 1.0);
}`;

// The light that reaches a place: its shadow is softened over a few points.
const SHADE = `
uniform highp sampler2DShadow shadows;
uniform float shadowed;
float reach(vec4 lit, float slope) {
  vec3 spot = lit.xyz * 0.5 + 0.5;
  if (shadowed < 0.5 || any(lessThan(spot, vec3(0.0))) || any(greaterThan(spot, vec3(1.0)))) return 1.0;
  float step = 1.0 / float(textureSize(shadows, 0).x);
  float sum = 0.0;
  for (int x = -1; x <= 1; x++) {
    for (int y = -1; y <= 1; y++) {
      sum += texture(shadows, vec3(spot.xy + vec2(x, y) * step * 1.4, spot.z - 0.0012 - 0.003 * slope));
    }
  }
  return sum / 9.0;
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
uniform vec3 eye;
uniform vec3 sun;
uniform vec3 up;
uniform float kind;
uniform vec3 accent;
out vec4 colour;
${SHADE}
void main() {
  vec3 normal = normalize(facing);
  vec3 toEye = normalize(eye - at);
  if (dot(normal, toEye) < 0.0) normal = -normal;
  float toSun = dot(normal, sun);
  float sunny = max(toSun, 0.0) * reach(lit, 1.0 - max(toSun, 0.0));
  float sky = 0.5 + 0.5 * dot(normal, up);
  vec3 base = paint.rgb;
  if (kind > 0.5 && kind < 1.5) {
    // Edges of boxes are a little darker, as wide as two points or as a part of the box.
    vec3 inside = (1.0 - abs(own)) * sizes;
    float least = min(sizes.x, min(sizes.y, sizes.z));
    vec3 wide = max(fwidth(own) * sizes * 1.3, vec3(least * 0.025));
    vec3 edges = (1.0 - smoothstep(vec3(0.0), wide, inside)) * (1.0 - step(0.5, face));
    base *= 1.0 - 0.3 * max(edges.x, max(edges.y, edges.z));
  }
  if (special.x > 0.5) {
    // What turns shows it.
    float band = smoothstep(0.2, 0.2 - 2.0 * fwidth(own.y), abs(own.y));
    base = mix(base, base * 0.72 + 0.2, 0.6 * band);
  }
  vec3 shade = base * (0.42 + 0.26 * sky) + base * sunny * 0.5;
  vec3 half_ = normalize(sun + toEye);
  shade += vec3(0.1) * pow(max(dot(normal, half_), 0.0), 40.0) * step(0.01, sunny);
  if (special.y > 0.5) {
    float rim = pow(1.0 - max(dot(normal, toEye), 0.0), 2.0);
    shade = mix(shade, accent, 0.25 + 0.75 * rim);
  }
  if (kind > 2.5) shade = paint.rgb;
  colour = vec4(shade, paint.a);
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
float grid(vec2 spot, float size) {
  vec2 cells = spot / size;
  vec2 wide = max(fwidth(cells), vec2(1e-6));
  vec2 away = abs(fract(cells - 0.5) - 0.5) / wide;
  vec2 line = (1.0 - smoothstep(0.5, 1.5, away)) * (1.0 - smoothstep(0.15, 0.45, wide));
  return max(line.x, line.y);
}
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
