/**
 * Whether rows must not move: the user has just moved the pointer over them or pressed a key, and may click or press
 * another key next. A resting pointer does not hold rows. The focus and the selection follow their rows.
 */

/** How long rows stay after each move, and how long they may move after a change by the user, milliseconds. */
const times = { held: 2_000, free: 2_000 };

export class Hold {
  isHeld = $state(false);
  #freeUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #place = '';

  /** Takes a move of the pointer. Browsers also report a move if rows move below a resting pointer. */
  move({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): void {
    const place = `${clientX} ${clientY}`;
    if (place === this.#place) return;
    this.#place = place;
    this.touch();
  }

  /** Holds rows for a moment. */
  touch(): void {
    if (Date.now() < this.#freeUntil) return;
    clearTimeout(this.#timer);
    this.isHeld = true;
    this.#timer = setTimeout(() => this.release(), times.held);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.isHeld = false;
  }

  /** Lets rows move for a moment, so that the user's own change appears at once. */
  free(): void {
    this.#freeUntil = Date.now() + times.free;
    this.release();
  }
}
