// Bytes: Base64, inflating, and numbers of variable length.

function bytesOf(letters) {
  const text = atob(letters);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The bytes of a piece of the page.
function piece(index) {
  const pieces = document.getElementsByClassName("piece");
  if (index >= pieces.length) throw new Error(`the page has no piece ${index}`);
  return inflate(bytesOf(pieces[index].textContent));
}

class Reader {
  constructor(bytes, from = 0, to = bytes.length) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  // Seven bits a byte, the lowest first.
  take() {
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte - 128;
    for (let scale = 128; ; scale *= 128) {
      if (this.at >= this.end) throw new Error("a piece of the page ends too early");
      byte = this.bytes[this.at++];
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
    }
  }

  // Small ones short, whatever the sign.
  signed() {
    const value = this.take();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  row(count) {
    return Array.from({ length: count }, () => this.signed());
  }

  text() {
    const length = this.take();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

// A piece as its columns.
function columnsOf(bytes, count) {
  const head = new Reader(bytes);
  const lengths = Array.from({ length: count }, () => head.take());
  let at = head.at;
  return lengths.map((length) => new Reader(bytes, at, (at += length)));
}
