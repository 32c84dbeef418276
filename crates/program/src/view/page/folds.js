// Long stillness, folded: on the line of ticks, and where time plays, it is half a second, or one picture if that is longer.

const FOLDED_SECONDS = 0.5;

// The pictures that are to be folded: where no recording that is shown moves, and not where two of them part.
function stillParts({ tracks, every }, divergedAt) {
  const [shown, other] = tracks;
  const moving = divergedAt === null ? [] : [[Math.floor(divergedAt) - 1, Math.ceil(divergedAt) + 1]];
  if (other) {
    const shift = (other.first - shown.first) / every;
    let before = 0;
    for (const [from, to] of [...other.still, [other.pictures - 1, other.pictures - 1]]) {
      if (from > before) moving.push([Math.floor(before + shift), Math.ceil(from + shift)]);
      before = to;
    }
  }
  let parts = shown.still;
  for (const [from, to] of moving) {
    parts = parts.flatMap(([begin, end]) => [[begin, Math.min(end, from)], [Math.max(begin, to), end]]);
    parts = parts.filter(([begin, end]) => begin < end);
  }
  return parts.filter(([begin, end], index) => !parts.slice(0, index).some(([a, b]) => begin < b && end > a));
}

// Times are in pictures; places are along the line, in pictures as well, with less of them where nothing moves.
class Folds {
  // `still` has the first and the last picture of what is to be folded.
  constructor(still, pictures, picturesPerSecond) {
    Object.assign(this, { last: pictures - 1, all: [], length: pictures - 1 });
    this.folded = Math.max(1, FOLDED_SECONDS * picturesPerSecond);
    for (const [from, to] of still) if (to - from > this.folded) this.add(from, to);
  }

  add(from, to) {
    const place = from - (this.last - this.length);
    this.all.push({ from, to, place });
    this.length -= to - from - this.folded;
  }

  placeOf(time) {
    let saved = 0;
    for (const { from, to, place } of this.all) {
      if (time <= from) break;
      if (time < to) return place + ((time - from) / (to - from)) * this.folded;
      saved += to - from - this.folded;
    }
    return time - saved;
  }

  timeOf(place) {
    let saved = 0;
    for (const fold of this.all) {
      if (place <= fold.place) break;
      if (place < fold.place + this.folded) return fold.from + ((place - fold.place) / this.folded) * (fold.to - fold.from);
      saved += fold.to - fold.from - this.folded;
    }
    return place + saved;
  }

  // True if a time is within a fold, not at its ends.
  holds(time) {
    return this.all.some(({ from, to }) => time > from && time < to);
  }
}
