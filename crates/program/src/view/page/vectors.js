// Vectors, quaternions (real part first) and matrices (by columns).

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, by) => [a[0] * by, a[1] * by, a[2] * by];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(a[0], a[1], a[2]);
const mix = (a, b, part) => a.map((from, k) => from + (b[k] - from) * part);

function unit(a) {
  const size = length(a);
  return size > 0 ? scaled(a, 1 / size) : [0, 1, 0];
}

// Two directions across another one.
function across(normal) {
  const other = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const side = unit(cross(normal, other));
  return [side, cross(normal, side)];
}

// From one orientation to another by the nearer way.
function mixTurns(a, b, part) {
  const near = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  const turn = [0, 1, 2, 3].map((k) => a[k] * (1 - part) + near * b[k] * part);
  const size = Math.hypot(...turn);
  return size > 0 ? turn.map((value) => value / size) : [1, 0, 0, 0];
}

function turned([w, x, y, z], v) {
  const axis = [x, y, z];
  const twice = scaled(cross(axis, v), 2);
  return add(add(v, scaled(twice, w)), cross(axis, twice));
}

function multiplied(a, b) {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
      product[column * 4 + row] = sum;
    }
  }
  return product;
}

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  const depth = 1 / (near - far);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) * depth, -1, 0, 0, 2 * far * near * depth, 0];
}

function orthographic(half, near, far) {
  const depth = 1 / (near - far);
  return [1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 * depth, 0, 0, 0, (far + near) * depth, 1];
}

function lookAt(eye, target, up) {
  const back = unit(sub(eye, target));
  const right = unit(cross(up, back));
  const above = cross(back, right);
  const row = (k) => [right[k], above[k], back[k], 0];
  return [...row(0), ...row(1), ...row(2), -dot(right, eye), -dot(above, eye), -dot(back, eye), 1];
}
