// A strip: how many ticks each frame of each peer played again. The first peer goes up, the second down.

const FRAMES = 300;
const MOST = 12;

class Chart {
  constructor(canvas) {
    this.canvas = canvas;
    this.brush = canvas.getContext("2d");
    this.frames = [];
  }

  // A frame: how deep both went back, and whether both stood still.
  add(depths, stalled) {
    this.frames.push({ depths, stalled });
    if (this.frames.length > FRAMES) this.frames.shift();
  }

  draw(colours) {
    const { brush, canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, width, height);
    const [left, middle] = [22, height / 2];
    const step = (width - left) / FRAMES, unit = (middle - 4) / MOST;
    brush.font = "10px ui-sans-serif, system-ui, sans-serif";
    brush.textAlign = "right";
    for (const lines of [4, 8, 12]) {
      for (const side of [-1, 1]) {
        const y = Math.round(middle + side * lines * unit) + 0.5;
        brush.fillStyle = colours.line;
        brush.fillRect(left, y, width - left, 1);
        brush.fillStyle = colours.soft;
        if (lines !== 4) brush.fillText(`${lines}`, left - 6, y + 3);
      }
    }
    this.frames.forEach(({ depths, stalled }, index) => {
      const x = width - (this.frames.length - index) * step;
      depths.forEach((depth, side) => {
        brush.fillStyle = colours.players[side];
        const long = Math.min(depth, MOST) * unit;
        brush.fillRect(x, side === 0 ? middle - long : middle, Math.max(1, step - 0.4), long);
        if (!stalled[side]) return;
        brush.fillStyle = faded(colours.soft, 0.5);
        brush.fillRect(x, side === 0 ? middle - MOST * unit : middle + MOST * unit - 4, Math.max(1, step), 4);
      });
    });
    brush.fillStyle = colours.line;
    brush.fillRect(left, middle - 0.5, width - left, 1);
  }
}
