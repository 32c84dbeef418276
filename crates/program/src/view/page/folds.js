// Long stillness, folded: on the line of ticks, and where time plays, it is half a second.

const FOLDED_SECONDS = 0.5;

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
