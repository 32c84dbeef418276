// The part of the field that is seen. Both canvases see the same, so that one can compare them.

const FIELD = 120, WHOLE = [156, 90];
const ZOOM_MIN = 0.6, ZOOM_MAX = 12;

class Camera {
  constructor() {
    this.home();
  }

  home() {
    Object.assign(this, { x: 0, y: 0, zoom: 1 });
  }

  // Pixels per unit of length on a canvas of this size.
  scale([width, height]) {
    return Math.min(width / WHOLE[0], height / WHOLE[1]) * this.zoom;
  }

  toField([px, py], size) {
    const scale = this.scale(size);
    return [this.x + (px - size[0] / 2) / scale, this.y - (py - size[1] / 2) / scale];
  }

  move(dx, dy) {
    const corner = FIELD * Math.SQRT2, clamped = (value) => Math.max(-corner, Math.min(corner, value));
    [this.x, this.y] = [clamped(this.x + dx), clamped(this.y + dy)];
  }

  // Zooms so that the place under a pixel stays there.
  zoomBy(factor, pixel, size) {
    const [x, y] = this.toField(pixel, size);
    this.zoom = Math.max(ZOOM_MIN, Math.min(ZOOM_MAX, this.zoom * factor));
    const [nx, ny] = this.toField(pixel, size);
    this.move(x - nx, y - ny);
  }
}
