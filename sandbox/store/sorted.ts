/** Most keys of a piece; one that grows beyond is cut in two. */
const mostOfPiece = 1024;

/**
 * Keys in order, compared by UTF-16 code units as `sort()` does. They are stored in pieces, none of them empty, so that
 * adding or taking away a key anywhere costs about the same however many there are.
 */
export class SortedKeys {
  readonly #pieces: string[][] = [];

  add(key: string): void {
    // Keys mostly come in order: what is larger than all goes behind the last, where nothing is moved.
    let at = this.#pieces.length - 1;
    if ((this.#pieces[at]?.at(-1) ?? key) > key) at = this.#pieceOf(key);
    const piece = this.#pieces[at];
    if (piece === undefined) {
      this.#pieces.push([key]);
      return;
    }
    if ((piece.at(-1) ?? key) <= key) piece.push(key);
    else piece.splice(place(piece, key), 0, key);
    if (piece.length <= mostOfPiece) return;
    // Then the full piece stays full.
    const cut = piece.at(-1) === key ? mostOfPiece : mostOfPiece / 2;
    this.#pieces.splice(at + 1, 0, piece.splice(cut));
  }

  /** Takes away a key that is there. */
  remove(key: string): void {
    const at = this.#pieceOf(key);
    const piece = this.#pieces[at];
    if (piece === undefined) return;
    // The first of them mostly goes: that moves nothing either.
    if (piece[0] === key) piece.shift();
    else piece.splice(place(piece, key), 1);
    if (piece.length === 0) this.#pieces.splice(at, 1);
  }

  /** The keys strictly after `after` in order, or strictly before it in descending order. */
  *from(after: string | undefined, reverse: boolean): Generator<string> {
    const last = this.#pieces.length - 1;
    const step = reverse ? -1 : 1;
    let next = after === undefined ? (reverse ? last : 0) : Math.min(this.#pieceOf(after), last);
    for (let piece = this.#pieces[next]; piece !== undefined; piece = this.#pieces[next]) {
      const edge = after === undefined ? (reverse ? piece.length : 0) : place(piece, after);
      let at = reverse ? edge - 1 : piece[edge] === after ? edge + 1 : edge;
      for (let key = piece[at]; key !== undefined; key = piece[at]) {
        yield key;
        at += step;
      }
      next += step;
    }
  }

  /** The first piece whose last key is not before `key`: where the key is, or would be. */
  #pieceOf(key: string): number {
    let low = 0;
    let high = this.#pieces.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#pieces[middle]?.at(-1);
      if (last !== undefined && last < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Where in a piece the key is, or would be. */
function place(piece: readonly string[], key: string): number {
  let low = 0;
  let high = piece.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = piece[middle];
    if (there !== undefined && there < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
