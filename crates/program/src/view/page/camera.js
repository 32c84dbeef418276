// A camera that orbits what it looks at.

class Camera {
  // `up` is where things do not fall to; `bounds` a box that holds what there is to see; `floor` says the least height of the eye at a place.
  constructor(up, bounds, flat, floor) {
    Object.assign(this, { up, flat, floor });
    this.angle = 0.6;
    [this.side, this.back] = axesAround(up);
    this.home = { bounds, yaw: flat ? 0 : 0.62, pitch: flat ? 0 : 0.38 };
    this.reset();
  }

  reset() {
    const { low, high } = this.home.bounds;
    this.target = mix(low, high, 0.5);
    this.radius = Math.max(length(sub(high, low)) / 2, 1e-3);
    [this.yaw, this.pitch, this.fit] = [this.home.yaw, this.home.pitch, true];
  }

  // Turns to look along an axis: of the front, a side or the top.
  face(yaw, pitch) {
    [this.yaw, this.pitch] = [yaw, pitch];
  }

  // Fits what there is to see into a window, until the camera is moved.
  resize(aspect) {
    this.aspect = aspect;
    if (!this.fit) return;
    if (this.flat) {
      const { low, high } = this.home.bounds;
      const [wide, high_] = [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2];
      // From the front of what has depth.
      const depth = (high[2] - low[2]) / 2;
      this.distance = depth + (1.2 * Math.max(high_, wide / aspect, this.radius * 0.2)) / Math.tan(this.angle / 2);
    } else {
      this.distance = (1.02 * this.radius) / Math.sin(this.angle / 2) / Math.min(1, Math.sqrt(aspect));
    }
  }

  turn(dx, dy) {
    this.yaw -= dx * 0.006;
    this.pitch = Math.max(-1.55, Math.min(1.55, this.lean + dy * 0.006));
  }

  zoom(by) {
    this.fit = false;
    this.distance = Math.max(this.radius * 2e-3, Math.min(this.radius * 60, this.distance * by));
  }

  // Moves along the window, in parts of its height.
  move(dx, dy) {
    const height = 2 * this.distance * Math.tan(this.angle / 2);
    const { right, above } = this.axes();
    this.target = add(this.target, add(scaled(right, -dx * height), scaled(above, dy * height)));
  }

  axes() {
    const ahead = this.direction();
    const right = unit(add(scaled(this.side, Math.cos(this.yaw)), scaled(this.back, -Math.sin(this.yaw))));
    return { ahead, right, above: cross(right, ahead) };
  }

  // How far it looks down: more than was asked for where the eye would be below the floor, unless the target is.
  get lean() {
    if (dot(this.target, this.up) < this.floor(this.target, Math.min)) return this.pitch;
    let lean = this.pitch;
    // Where the eye is raised it is above another place.
    for (let tries = 0; tries < 32; tries++) {
      const eye = sub(this.target, scaled(this.toward(lean), this.distance));
      const lack = this.floor(eye, Math.max) - dot(eye, this.up);
      if (!(lack > 1e-9 * this.distance)) break;
      lean = Math.asin(Math.min(1, Math.sin(lean) + lack / this.distance));
    }
    return lean;
  }

  // Where it looks.
  direction() {
    return this.toward(this.lean);
  }

  // Where it would look so far down.
  toward(lean) {
    const [sin, cos] = [Math.sin(lean), Math.cos(lean)];
    const from = add(scaled(this.side, Math.sin(this.yaw) * cos), scaled(this.back, Math.cos(this.yaw) * cos));
    return scaled(add(from, scaled(this.up, sin)), -1);
  }

  get eye() {
    return sub(this.target, scaled(this.direction(), this.distance));
  }

  // What the shaders need: everything is seen from the target, where floats are finest.
  matrix() {
    const eye = sub(this.eye, this.target);
    const far = this.distance + this.radius * 8;
    const near = Math.max(this.distance * 0.02, far * 2e-4);
    const view = lookAt(eye, [0, 0, 0], this.axes().above);
    return multiplied(perspective(this.angle, this.aspect, near, far), view);
  }

  // The ray from the eye through a point of the window, both coordinates from -1 to 1.
  ray(x, y) {
    const { ahead, right, above } = this.axes();
    const size = Math.tan(this.angle / 2);
    return unit(add(ahead, add(scaled(right, x * size * this.aspect), scaled(above, y * size))));
  }
}

// The two axes across the one that points up: to the right, and toward a viewer in front.
function axesAround(up) {
  const across = Math.abs(up[2]) > 0.9 ? [0, -1, 0] : [0, 0, 1];
  const side = unit(cross(up, across));
  return [side, cross(side, up)];
}

// Mouse, pen and fingers: one turns (in a flat world moves), two or another button move, and the wheel comes nearer.
function steer(canvas, camera, { changed, clicked }) {
  const held = new Map();
  let way = 0;
  const middle = () => {
    const points = [...held.values()];
    const sum = points.reduce((sum, point) => [sum[0] + point[0], sum[1] + point[1]], [0, 0]);
    const spread = points.length > 1 ? Math.hypot(points[0][0] - points[1][0], points[0][1] - points[1][1]) : 0;
    return { x: sum[0] / points.length, y: sum[1] / points.length, spread };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, [event.clientX, event.clientY]);
    if (held.size === 1) way = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held.has(event.pointerId)) return;
    const before = middle();
    held.set(event.pointerId, [event.clientX, event.clientY]);
    const now = middle();
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    way += Math.abs(dx) + Math.abs(dy);
    const moves = held.size > 1 || event.buttons & 6 || event.shiftKey;
    if (Boolean(moves) !== (camera.flat && held.size === 1)) camera.move(dx / canvas.clientHeight, dy / canvas.clientHeight);
    else camera.turn(dx, dy);
    if (before.spread > 0 && now.spread > 0) camera.zoom(before.spread / now.spread);
    changed();
  });
  const release = (event) => {
    if (held.delete(event.pointerId) && event.type === "pointerup" && way < 5 && event.button === 0) {
      const box = canvas.getBoundingClientRect();
      clicked((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.03 : 0.0012)));
    changed();
  }, { passive: false });
}
