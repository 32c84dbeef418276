// The module: bytes in, bytes out. Nothing here knows a game.

class Module {
  // Opens the bytes of a module. It asks the page for nothing: there are no imports.
  static async open(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Module(instance.exports);
  }

  constructor(exports) {
    this.exports = exports;
  }

  call(name, ...numbers) {
    return this.exports[name](...numbers) >>> 0;
  }

  // The bytes that a call lets out, as a copy: memory may move in the next call.
  bytes(name, ...numbers) {
    const length = this.call(name, ...numbers);
    return new Uint8Array(this.exports.memory.buffer, this.exports.out_at(), length).slice();
  }

  words(name, ...numbers) {
    return new TextDecoder().decode(this.bytes(name, ...numbers));
  }

  // Lines of a word, a tab and the rest, in order.
  lines(name, ...numbers) {
    const lines = this.words(name, ...numbers).split("\n").filter((line) => line !== "");
    return lines.map((line) => line.split("\t"));
  }

  // Whole numbers of 32 bits, least byte first.
  numbers(name, ...numbers) {
    const view = new DataView(this.bytes(name, ...numbers).buffer);
    return Int32Array.from({ length: view.byteLength / 4 }, (_, index) => view.getInt32(index * 4, true));
  }

  // Puts bytes where the next call takes them from.
  give(bytes) {
    const at = this.exports.in_at(bytes.length);
    if (at === 0) throw new Error(`${bytes.length} bytes are too many`);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  // A call that says what is wrong, if something is.
  demand(name, ...numbers) {
    const wrong = this.words(name, ...numbers);
    if (wrong !== "") throw new Error(wrong);
  }
}

// The letters of Base64 in the page, unpacked.
async function unpacked(letters) {
  const packed = Uint8Array.from(atob(letters.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
