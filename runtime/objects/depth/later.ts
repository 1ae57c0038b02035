/** Puts off the deep parts of a recursive walk until the stack is empty again. */

/**
 * For walks whose parts do not need each other's results: copies that are filled in place, and questions that are
 * answered by the first part that says no. Each walk has one of its own. A walk that is `recursionLevels` deep hands in
 * the rest of the way down; the first to do so waits there until everything that is handed in from then on is done, so
 * the stack never holds more than twice these levels.
 */
export class Later {
  #waiting: (() => boolean)[] | undefined;

  /** Does the task now or later; the walk must not ask what comes of it. */
  run(task: () => void): void {
    this.all(() => {
      task();
      return true;
    });
  }

  /** Whether the task and all that it hands in are true; true as well where that is only found out later. */
  all(task: () => boolean): boolean {
    if (this.#waiting !== undefined) {
      this.#waiting.push(task);
      return true;
    }
    const waiting = [task];
    this.#waiting = waiting;
    try {
      // Tasks that are handed in meanwhile are at the end of the list.
      for (const next of waiting) if (!next()) return false;
      return true;
    } finally {
      this.#waiting = undefined;
    }
  }
}
