// The module: its memory, its calls, and its errors.

import { scalar, show, u32 } from "./layout.js";

const CODES = ["ok", "argument", "handle", "size", "buffer", "range", "refused", "data", "missingBody", "order", "panic", "poisoned"];
const [OK, BUFFER] = [0, 4];
const PAGE = 65536;
const ABI_VERSION = 1;

// A call that failed: the name of its code, and why.
export class BitstepError extends Error {
  constructor(code, words) {
    super(words);
    this.name = "BitstepError";
    this.code = code;
  }
}

export class Memory {
  #room = { start: 0, top: 0, end: 0 };
  #sizes = new Map();
  #view;
  #isBroken = false;

  constructor(exports) {
    this.exports = exports;
    this.registry = new FinalizationRegistry(([free, handle]) => this.release(free, handle));
    const version = exports.bitstep_abi_version?.();
    if (version !== ABI_VERSION) throw new BitstepError("size", `the module has ABI version ${version}, this package is for ${ABI_VERSION}`);
  }

  // Of the memory as it is: any call may let it grow.
  get view() {
    if (this.#view?.buffer !== this.exports.memory.buffer) this.#view = new DataView(this.exports.memory.buffer);
    return this.#view;
  }

  // Rooms that are taken in a scope are free after it.
  scope(work) {
    const { start, top } = this.#room;
    try {
      return work();
    } finally {
      this.#room.top = this.#room.start === start ? top : this.#room.start;
    }
  }

  // Zeros at an address of the module's memory, in pages for which the module did not ask, so that it never uses them.
  room(size) {
    const room = this.#room;
    if (room.top + size > room.end) {
      const pages = Math.ceil(Math.max(size, 2 * (room.end - room.start)) / PAGE);
      const at = this.exports.memory.grow(pages) * PAGE;
      this.#room = { start: at, top: at, end: at + pages * PAGE };
    }
    const at = this.#room.top;
    this.#room.top = at + Math.ceil(size / 8) * 8;
    new Uint8Array(this.exports.memory.buffer, at, size).fill(0);
    return at;
  }

  // The address of a value in a room.
  put(type, value) {
    const at = this.room(type.size);
    type.write(this, at, value);
    return at;
  }

  // The address of bytes in a room.
  putBytes(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`${show(bytes)} is no Uint8Array`);
    const at = this.room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  // The address of a text with a zero at its end in a room.
  putText(text) {
    return this.putBytes(new TextEncoder().encode(`${text}\0`));
  }

  // The address of an array of values in a room.
  putList(type, values) {
    const at = this.room(type.size * values.length);
    values.forEach((value, index) => type.write(this, at + index * type.size, value));
    return at;
  }

  // Calls a function; gives its code. A fault of the library is a trap, and its memory is of no use after it.
  code(name, ...numbers) {
    if (this.#isBroken) throw new BitstepError("poisoned", "this module met a fault of bitstep: load another one");
    try {
      return this.exports[name](...numbers);
    } catch (trap) {
      this.#isBroken = true;
      throw new BitstepError("panic", `a fault of bitstep in ${name}: ${trap.message}`);
    }
  }

  // Frees a handle. One that is stale is a code, and of a module that is of no use nothing is freed.
  release(name, handle) {
    if (!this.#isBroken) this.code(name, handle);
  }

  // Calls a function that may fail.
  call(name, ...numbers) {
    this.check(this.code(name, ...numbers));
  }

  // The value that a function writes to its last parameter.
  out(type, name, ...numbers) {
    return this.scope(() => {
      const at = this.room(type.size);
      this.call(name, ...numbers, at);
      return type.read(this, at);
    });
  }

  // The struct that a function writes to its last parameter, whose size is set before.
  outSized(type, name, ...numbers) {
    return this.scope(() => {
      const at = this.put(type, {});
      this.call(name, ...numbers, at);
      return type.read(this, at);
    });
  }

  // The array that a function writes, of elements of a size, where it lies.
  #elements(size, name, numbers, take) {
    let capacity = this.#sizes.get(name) ?? 64;
    for (;;) {
      const [code, value, count] = this.scope(() => {
        const [at, length] = [this.room(capacity * size), this.room(u32.size)];
        const code = this.code(name, ...numbers, at, capacity, length);
        const count = u32.read(this, length);
        return [code, code === OK ? take(at, count) : undefined, count];
      });
      if (code !== BUFFER) {
        this.check(code);
        return value;
      }
      capacity = count;
      this.#sizes.set(name, count);
    }
  }

  // The array that a function writes; the call is repeated if the room is too small.
  list(type, name, ...numbers) {
    const read = (at, count) => Array.from({ length: count }, (_, index) => type.read(this, at + index * type.size));
    return this.#elements(type.size, name, numbers, read);
  }

  // The bytes that a function writes, as a copy.
  bytes(name, ...numbers) {
    return this.#elements(1, name, numbers, (at, count) => new Uint8Array(this.exports.memory.buffer, at, count).slice());
  }

  // The text that a function writes, without the zero at its end.
  text(name, ...numbers) {
    return new TextDecoder().decode(this.bytes(name, ...numbers).subarray(0, -1));
  }

  // The text at an address, up to its zero.
  textAt(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  // Raw fixed point: a bigint is, a whole number is in units, and a text is rounded exactly.
  raw(value) {
    if (typeof value === "bigint") return value;
    if (typeof value === "string") return this.scope(() => this.out(scalar, "bitstep_lit", this.putText(value)));
    if (Number.isInteger(value)) return BigInt(value) << 32n;
    throw new TypeError(`${show(value)} is no bigint, whole number or text: a number with a fraction is another one on another day`);
  }

  // Throws unless a code is that of success.
  check(code) {
    if (code !== OK) throw new BitstepError(CODES[code] ?? `${code}`, this.text("bitstep_last_error"));
  }
}

// The owner of a handle, which is freed by `free`, or some time after nothing uses it.
export class Owned {
  constructor(memory, handle, free) {
    for (const [name, value] of Object.entries({ memory, handle, freeName: free })) Object.defineProperty(this, name, { value });
    memory.registry.register(this, [free, handle]); // freed before, it is a stale one, which is a code
  }

  free() {
    this.memory.release(this.freeName, this.handle);
  }
}
