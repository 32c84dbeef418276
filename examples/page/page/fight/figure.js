// A fighter as a figure: joints by pose, limbs bent in the middle. For the eye only; what hits are the boxes.

// Where hands, feet, head and the two ends of the trunk are, from the body's center, facing right. F is nearer to the other.
const JOINTS = {
  stand: { head: [0.1, 1.0], neck: [0.03, 0.66], hip: [-0.02, -0.08], handF: [0.42, 0.52], handB: [0.24, 0.34], footF: [0.24, -0.9], footB: [-0.28, -0.9] },
  block: { head: [0.0, 0.92], neck: [-0.05, 0.58], hip: [-0.1, -0.16], handF: [0.3, 0.86], handB: [0.24, 0.58], footF: [0.24, -0.9], footB: [-0.38, -0.9] },
  jump: { head: [0.1, 1.0], neck: [0.04, 0.66], hip: [0, -0.02], handF: [0.42, 0.72], handB: [-0.36, 0.5], footF: [0.2, -0.58], footB: [-0.2, -0.68] },
  punch: { head: [0.2, 1.0], neck: [0.14, 0.64], hip: [0, -0.1], handF: [1.08, 0.5], handB: [0.1, 0.42], footF: [0.4, -0.9], footB: [-0.4, -0.9] },
  kick: { head: [-0.02, 1.0], neck: [-0.1, 0.64], hip: [0.02, -0.06], handF: [0.24, 0.62], handB: [-0.34, 0.36], footF: [1.36, -0.2], footB: [-0.08, -0.9] },
  throw: { head: [0.2, 1.0], neck: [0.12, 0.64], hip: [0, -0.1], handF: [0.76, 0.34], handB: [0.7, 0.1], footF: [0.36, -0.9], footB: [-0.36, -0.9] },
  reach: { head: [0.1, 1.0], neck: [0.06, 0.65], hip: [0, -0.09], handF: [0.74, 0.42], handB: [0.14, 0.36], footF: [0.3, -0.9], footB: [-0.3, -0.9] },
  hurt: { head: [-0.25, 0.98], neck: [-0.16, 0.62], hip: [0.02, -0.1], handF: [0.2, 0.34], handB: [-0.14, 0.16], footF: [0.3, -0.9], footB: [-0.22, -0.9] },
  kickBack: { head: [0.1, 1.0], neck: [0.02, 0.65], hip: [0, -0.06], handF: [0.3, 0.6], handB: [-0.1, 0.4], footF: [0.46, -0.5], footB: [-0.12, -0.9] },
};
const UPPER_ARM = 0.34, LOWER_ARM = 0.36, UPPER_LEG = 0.44, LOWER_LEG = 0.44;

function poseOf(fighter) {
  if (fighter.doing === "block" || fighter.doing === "guard") return "block";
  if (fighter.pose === "reach" && fighter.doing === "kick") return "kickBack";
  return fighter.pose;
}

// The figure of one fighter in one view, going softly from pose to pose.
class Figure {
  constructor() {
    this.joints = null;
    this.facing = 1;
  }

  // One tick further. What strikes is there at once, what is drawn back takes a moment.
  follow(fighter) {
    const target = structuredClone(JOINTS[poseOf(fighter)]);
    if (fighter.pose === "stand" && fighter.doing === "free") this.walk(target, fighter);
    const soft = fighter.active ? 0.85 : fighter.held ? 0.2 : 0.32;
    if (this.joints === null) this.joints = target;
    for (const [name, [x, y]] of Object.entries(target)) {
      const joint = this.joints[name];
      joint[0] += (x - joint[0]) * soft;
      joint[1] += (y - joint[1]) * soft;
    }
    this.facing += ((fighter.facesLeft ? -1 : 1) - this.facing) * 0.45;
  }

  walk(target, fighter) {
    const pace = Math.min(1, Math.abs(fighter.vx) / 0.07);
    const phase = fighter.x * 3.4;
    const swing = (at) => [0.34 * Math.sin(phase + at), Math.max(0, 0.16 * Math.cos(phase + at))];
    for (const [foot, at] of [["footF", 0], ["footB", Math.PI]]) {
      const [x, y] = swing(at);
      target[foot] = [target[foot][0] * (1 - pace) + x * pace, -0.9 + y * pace];
    }
    target.hip[1] += 0.03 * pace * Math.cos(2 * phase);
    target.handF[0] -= 0.08 * pace * Math.sin(phase);
    target.handB[0] += 0.08 * pace * Math.sin(phase);
  }

  // Draws it with its center where the context's origin is, y up.
  draw(brush, { near, far, outline }) {
    const { head, neck, hip, handF, handB, footF, footB } = this.joints;
    const shoulderF = [neck[0] + 0.06, neck[1] - 0.02], shoulderB = [neck[0] - 0.1, neck[1] - 0.02];
    const hipF = [hip[0] + 0.07, hip[1]], hipB = [hip[0] - 0.08, hip[1]];
    const limb = (from, to, [upper, lower], bend, width) => {
      stroke(brush, [from, bent(from, to, upper, lower, bend), to], width, outline);
    };
    brush.save();
    brush.scale(this.facing, 1);
    brush.lineCap = brush.lineJoin = "round";
    brush.strokeStyle = brush.fillStyle = far;
    limb(shoulderB, handB, [UPPER_ARM, LOWER_ARM], -1, 0.17);
    limb(hipB, footB, [UPPER_LEG, LOWER_LEG], 1, 0.23);
    brush.strokeStyle = brush.fillStyle = near;
    limb(hipF, footF, [UPPER_LEG, LOWER_LEG], 1, 0.23);
    stroke(brush, [neck, hip], 0.42, outline);
    disc(brush, head, 0.235, outline);
    limb(shoulderF, handF, [UPPER_ARM, LOWER_ARM], -1, 0.18);
    disc(brush, handF, 0.115, outline);
    brush.restore();
  }
}

// Where a limb of two parts bends between its ends; one that is too short is stretched.
function bent([x, y], [toX, toY], upper, lower, side) {
  const [dx, dy] = [toX - x, toY - y];
  const far = Math.max(1e-6, Math.hypot(dx, dy));
  const along = far >= upper + lower ? far * upper / (upper + lower) : (far * far + upper * upper - lower * lower) / (2 * far);
  const aside = side * Math.sqrt(Math.max(0, upper * upper - along * along)) * (far >= upper + lower ? 0 : 1);
  return [x + dx / far * along - dy / far * aside, y + dy / far * along + dx / far * aside];
}

function stroke(brush, points, width, outline) {
  brush.beginPath();
  points.forEach(([x, y], index) => (index === 0 ? brush.moveTo(x, y) : brush.lineTo(x, y)));
  brush.lineWidth = width + (outline ?? 0);
  brush.stroke();
}

function disc(brush, [x, y], radius, outline) {
  brush.beginPath();
  brush.arc(x, y, radius + (outline ?? 0) / 2, 0, 2 * Math.PI);
  brush.fill();
}
