// Drawing instances of meshes with WebGL 2.

const FLOATS = 21; // of an instance: three edges, an axis, a center, a colour, and two marks
const SHADOWS = 2048;

class Painter {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("This browser has no WebGL 2, which draws the bodies. The numbers below work.");
    this.gl = gl;
    this.canvas = canvas;
    this.programs = {
      solid: this.program(VERTEX, FRAGMENT),
      ground: this.program(VERTEX, GROUND),
      shadow: this.program(VERTEX, SHADOW_FRAGMENT),
      ball: this.program(BALL_VERTEX, BALL),
    };
    this.meshes = {};
    const meshes = { ball: squareMesh(), box: boxMesh(), arrow: arrowMesh(), ring: ringMesh(), square: squareMesh() };
    for (const [level, rings] of [10, 18, 40].entries()) {
      meshes[`capsule${level}`] = rodMesh(rings);
    }
    for (const [name, mesh] of Object.entries(meshes)) this.meshes[name] = this.upload(mesh);
    this.makeShadows();
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const at = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const name = gl.getActiveUniform(program, k).name.replace("[0]", "");
      at[name] = gl.getUniformLocation(program, name);
    }
    return { program, at };
  }

  // A mesh, and room for its instances.
  upload(mesh) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const vertices = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(mesh.vertices), gl.STATIC_DRAW);
    for (const [index, size, from] of [[0, 3, 0], [1, 1, 3], [2, 3, 4]]) {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, gl.FLOAT, false, 28, from * 4);
    }
    const instances = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    let from = 0;
    for (const [index, size] of [[3, 3], [4, 3], [5, 3], [6, 3], [7, 3], [8, 4], [9, 2]]) {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, gl.FLOAT, false, FLOATS * 4, from * 4);
      gl.vertexAttribDivisor(index, 1);
      from += size;
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(mesh.triangles), gl.STATIC_DRAW);
    return { array, vertices, instances, count: mesh.triangles.length };
  }

  // The same triangles with their corners elsewhere.
  refill(name, mesh) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.meshes[name].vertices);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(mesh.vertices), gl.STATIC_DRAW);
  }

  makeShadows() {
    const gl = this.gl;
    this.shadows = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadows);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOWS, SHADOWS);
    for (const name of ["TEXTURE_MIN_FILTER", "TEXTURE_MAG_FILTER"]) gl.texParameteri(gl.TEXTURE_2D, gl[name], gl.LINEAR);
    for (const name of ["TEXTURE_WRAP_S", "TEXTURE_WRAP_T"]) gl.texParameteri(gl.TEXTURE_2D, gl[name], gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    this.shadowFrame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadows, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // Fits the picture to the window; returns how much wider than high it is.
  resize() {
    const dots = Math.min(window.devicePixelRatio || 1, 2);
    const [wide, high] = [this.canvas.clientWidth, this.canvas.clientHeight].map((size) => Math.max(1, Math.round(size * dots)));
    if (this.canvas.width !== wide || this.canvas.height !== high) [this.canvas.width, this.canvas.height] = [wide, high];
    return wide / high;
  }

  // The shadows of some batches as the light sees them.
  shade(batches, light, sun) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, null); // nothing is read while it is written
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.viewport(0, 0, SHADOWS, SHADOWS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.use("shadow", { camera: light });
    for (const batch of batches) if (batch.mesh !== "ball") this.draw(batch);
    this.use("ball", { camera: light, light, viewer: [...sun, 0], drawn: 0 });
    for (const batch of batches) if (batch.mesh === "ball") this.draw(batch);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  begin(paper) {
    const gl = this.gl;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadows);
  }

  // Takes a program, and tells it what holds for the whole picture.
  use(name, values) {
    const gl = this.gl;
    const { program, at } = this.programs[name];
    gl.useProgram(program);
    if (name !== "shadow") gl.uniform1i(at.shadows, 0);
    for (const [key, value] of Object.entries(values)) {
      if (at[key] === undefined) continue;
      if (key === "count") gl.uniform1i(at[key], value);
      else if (typeof value === "number") gl.uniform1f(at[key], value);
      else if (value.length === 16) gl.uniformMatrix4fv(at[key], false, value);
      else if (key === "others" || key === "viewer") gl.uniform4fv(at[key], value);
      else gl.uniform3fv(at[key], value);
    }
    this.at = at;
  }

  // The instances of one mesh, uploaded once a picture.
  load(batch) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.meshes[batch.mesh].instances);
    gl.bufferData(gl.ARRAY_BUFFER, batch.data.subarray(0, batch.count * FLOATS), gl.DYNAMIC_DRAW);
  }

  draw(batch) {
    if (batch.count === 0) return;
    const gl = this.gl;
    const mesh = this.meshes[batch.mesh];
    this.load(batch);
    gl.bindVertexArray(mesh.array);
    gl.drawElementsInstanced(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0, batch.count);
  }

  // Draws before everything else.
  above(draw) {
    this.gl.disable(this.gl.DEPTH_TEST);
    this.blended(draw);
    this.gl.enable(this.gl.DEPTH_TEST);
  }

  // Draws balls, whose edges cover parts of points.
  round(draw) {
    this.gl.enable(this.gl.SAMPLE_ALPHA_TO_COVERAGE);
    draw();
    this.gl.disable(this.gl.SAMPLE_ALPHA_TO_COVERAGE);
  }

  // Draws with colours that let through what is behind.
  blended(draw) {
    const gl = this.gl;
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    draw();
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}

// Instances of a mesh.
class Batch {
  constructor(mesh, kind) {
    Object.assign(this, { mesh, kind, count: 0, data: new Float32Array(FLOATS * 16) });
  }

  clear() {
    this.count = 0;
  }

  // `colour` has four parts, `marks` two.
  add(edges, axis, center, colour, marks) {
    if ((this.count + 1) * FLOATS > this.data.length) {
      const more = new Float32Array(this.data.length * 2);
      more.set(this.data);
      this.data = more;
    }
    const at = this.count++ * FLOATS;
    const data = this.data;
    for (let k = 0; k < 3; k++) {
      data[at + k] = edges[0][k];
      data[at + 3 + k] = edges[1][k];
      data[at + 6 + k] = edges[2][k];
      data[at + 9 + k] = axis[k];
      data[at + 12 + k] = center[k];
    }
    for (let k = 0; k < 3; k++) data[at + 15 + k] = colour[k];
    data[at + 18] = colour.length > 3 ? colour[3] : 1;
    data[at + 19] = marks[0];
    data[at + 20] = marks[1];
  }
}
