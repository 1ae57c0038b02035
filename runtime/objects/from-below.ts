/** Computes the results of a recursive function from the deepest parts up, if its recursion would get too deep. */
import type { JsonObject, JsonValue } from '../contract/index.js';

/** A part of a value. The walk needs its result for the parts above it. */
interface Part<Result> {
  /** The arguments; the first differs between most parts. */
  readonly of: readonly unknown[];
  readonly work: () => Result;
  result?: { readonly value: Result };
}

type Parts<Result> = Map<unknown, Part<Result>[]>;

/**
 * Serves pure functions that combine the results of parts, such as the union of two trees. Each function has its own
 * instance, and asks it for the parts that are `recursionLevels` down. First the instance looks ahead: it runs the
 * function for these parts, only to find the parts that are another `recursionLevels` down, then for these, and so on.
 * Then it runs the function for all parts again, the deepest first, so that each finds the results of the parts below.
 * The function never gets more than `recursionLevels` deep, but it visits such deep values twice.
 */
export class FromBelow<Result> {
  readonly #meanwhile: Result;
  #known: Parts<Result> | undefined;
  /** Parts found during the look ahead; `undefined` if the walk does not look ahead. */
  #found: Part<Result>[] | undefined;
  /** How often `meanwhile` was returned. */
  #guesses = 0;

  /** @param meanwhile the result to assume for deeper parts during the look ahead. It must not end a walk. */
  constructor(meanwhile: Result) {
    this.#meanwhile = meanwhile;
  }

  /** Returns the function's result for a part. `of` are the arguments that it depends on, `work` calls it with them. */
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

  /** Returns the parts directly below the given ones. This also sets the result of parts with nothing below them. */
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

/** The most levels of JSON that are read, as in the reference. */
export const readableLevels = 10_000;

/**
 * The most levels that a function goes down by calling itself. Then it continues with an empty stack (`Later`,
 * `FromBelow`). Several functions that call each other so deep must fit on the stack together. Only hostile values have
 * more levels.
 */
export const recursionLevels = 200;

/** The most levels that V8 encodes and that are indented. Deeper texts would be mostly indentation. */
export const indentedLevels = 1000;

/** Returns whether a value nests deeper than `levels`; a scalar has 0 levels. */
export function isDeeper(value: JsonValue, levels: number): boolean {
  let these: readonly Container[] = [value].filter(isContainer);
  for (let at = 0; at < levels && these.length > 0; at++)
    these = these.flatMap((container) => Object.values(container).filter(isContainer));
  return these.length > 0;
}

type Container = JsonObject | JsonValue[];

const isContainer = (value: JsonValue | undefined): value is Container => typeof value === 'object' && value !== null;

/**
 * Runs walks with parts that do not need the results of other parts: copies that are filled in place, and checks that
 * end at the first `false`. Each walk has its own instance. A walk that is `recursionLevels` deep hands in a task for
 * the rest. The first caller waits until all later tasks are done, so the stack never holds more than twice these
 * levels.
 */
export class Later {
  #waiting: (() => boolean)[] | undefined;

  /** Runs the task now or later; the walk must not need its result. */
  run(task: () => void): void {
    this.all(() => {
      task();
      return true;
    });
  }

  /**
   * Returns whether the task and all tasks that it hands in are true. Also returns true if the answer is only known
   * later.
   */
  all(task: () => boolean): boolean {
    if (this.#waiting !== undefined) {
      this.#waiting.push(task);
      return true;
    }
    const waiting = [task];
    this.#waiting = waiting;
    try {
      // Tasks that arrive during the loop are added to the end of the list.
      for (const next of waiting) if (!next()) return false;
      return true;
    } finally {
      this.#waiting = undefined;
    }
  }
}

/** A list or an object that is not yet completely written. */
interface Open {
  readonly value: JsonObject | readonly JsonValue[];
  readonly keys: readonly string[] | undefined;
  /** The position of the next member. */
  next: number;
}

/** How JSON is laid out. */
interface Layout {
  /** Indented by two spaces rather than in one line. */
  readonly pretty?: boolean;
  /** The order of the keys of each object; by default the object's own. */
  readonly order?: (a: string, b: string) => number;
}

/** Returns a value as JSON. */
export function writeJson(value: JsonValue, { pretty = false, order }: Layout = {}): string {
  const breakAt = (level: number): string => (pretty ? `\n${'  '.repeat(level)}` : '');
  const colon = pretty ? ': ' : ':';
  const open: Open[] = [];
  let text = '';
  let now = value;
  for (;;) {
    if (typeof now === 'object' && now !== null) {
      text += Array.isArray(now) ? '[' : '{';
      open.push(opened(now, order));
    } else text += typeof now === 'bigint' ? now.toString() : JSON.stringify(now);
    for (;;) {
      const top = open.at(-1);
      if (top === undefined) return text;
      const at = top.next++;
      const member = memberAt(top, at);
      if (member !== undefined) {
        const key = top.keys?.[at];
        text += (at > 0 ? ',' : '') + breakAt(open.length) + (key === undefined ? '' : JSON.stringify(key) + colon);
        now = member;
        break;
      }
      open.pop();
      text += (at > 0 ? breakAt(open.length) : '') + (top.keys ? '}' : ']');
    }
  }
}

function opened(value: JsonObject | readonly JsonValue[], order: Layout['order']): Open {
  if (isList(value)) return { value, keys: undefined, next: 0 };
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return { value, keys: order ? keys.sort(order) : keys, next: 0 };
}

function memberAt({ value, keys }: Open, at: number): JsonValue | undefined {
  if (isList(value)) return at < value.length ? (value[at] ?? null) : undefined;
  const key = keys?.[at];
  return key === undefined ? undefined : value[key];
}

const isList = (value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] => Array.isArray(value);
