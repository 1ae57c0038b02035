/** Works out the results of a recursive function from the deepest parts up, where its recursion would get too deep. */

/** A part of a value whose result its surroundings need. */
interface Part<Result> {
  /** The arguments; the first tells most parts apart. */
  readonly of: readonly unknown[];
  readonly work: () => Result;
  result?: { readonly value: Result };
}

type Parts<Result> = Map<unknown, Part<Result>[]>;

/**
 * For pure functions that make a result of the results of their parts, such as the union of two trees. Each function
 * has one of its own, and asks it for the parts that are `recursionLevels` down. The first time, it looks ahead: it runs
 * the function for these parts, which only finds the next ones further down, then for those, and so on. Then it runs the
 * function for all of them again, the deepest first, each finding the results of the parts below it. Both times the
 * function is never more than `recursionLevels` deep; values that deep are walked twice.
 */
export class FromBelow<Result> {
  readonly #meanwhile: Result;
  #known: Parts<Result> | undefined;
  /** Parts that were found while looking ahead; none where nothing is to be looked for. */
  #found: Part<Result>[] | undefined;
  /** How often the stand-in has been given out. */
  #guesses = 0;

  /** @param meanwhile the result that stands in for those further down while looking ahead. It must end no walk. */
  constructor(meanwhile: Result) {
    this.#meanwhile = meanwhile;
  }

  /** The function's result for a part. `of` are the arguments on which it depends, `work` calls it with them. */
  resultOf(of: readonly [object, ...unknown[]], work: () => Result): Result {
    const part = this.#known?.get(of[0])?.find((each) => each.of.every((one, i) => one === of[i]));
    if (part?.result !== undefined) return part.result.value;
    if (this.#found === undefined) return this.#begin({ of, work });
    if (part === undefined) this.#add({ of, work }, this.#found);
    this.#guesses++;
    return this.#meanwhile;
  }

  #begin(first: Part<Result>): Result {
    const [known, found] = [this.#known, this.#found];
    this.#known = new Map();
    try {
      const rounds = [[first]];
      for (const round of rounds) {
        const below = this.#lookAhead(round);
        if (below.length > 0) rounds.push(below);
      }
      this.#found = undefined;
      for (const round of rounds.reverse()) for (const part of round) part.result ??= { value: part.work() };
      return first.result === undefined ? first.work() : first.result.value;
    } finally {
      this.#known = known;
      this.#found = found;
    }
  }

  /** Returns the parts that are next below those given. Of those that have none below, the result is known by this. */
  #lookAhead(round: readonly Part<Result>[]): Part<Result>[] {
    const below: Part<Result>[] = [];
    this.#found = below;
    for (const part of round) {
      const before = this.#guesses;
      const value = part.work();
      if (this.#guesses === before) part.result = { value };
    }
    return below;
  }

  #add(part: Part<Result>, found: Part<Result>[]): void {
    found.push(part);
    const same = this.#known?.get(part.of[0]);
    if (same) same.push(part);
    else this.#known?.set(part.of[0], [part]);
  }
}
