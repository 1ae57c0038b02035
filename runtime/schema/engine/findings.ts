/** Collects the findings of one validation, with their places, up to a bound that limits the size of an answer. */
import type { ErrorSink, FieldError, Place } from '../../contract/index.js';

/** The most reported errors of one validation, and their most characters in total. */
const maxErrors = 1000;
const maxCharacters = 1024 * 1024;

/** The result of a check. `unknown` means that it found no error, but could not decide something. */
export type Verdict = 'right' | 'wrong' | 'unknown';

interface PlacedError {
  readonly error: FieldError;
  readonly place: Place | undefined;
}

/** The errors of one walk. Walks over lists and maps stop once it is full. */
export class Findings {
  private errors: PlacedError[] = [];
  private characters = 0;
  private doubtful = false;

  /** Whether it drops further errors. */
  get full(): boolean {
    return this.errors.length >= maxErrors || this.characters >= maxCharacters;
  }

  get empty(): boolean {
    return this.errors.length === 0;
  }

  get verdict(): Verdict {
    if (!this.empty) return 'wrong';
    return this.doubtful ? 'unknown' : 'right';
  }

  /** Adds an error. Errors of structural schemas have a place. */
  push(error: FieldError, place?: Place): void {
    if (this.full) return;
    this.characters += error.field.length + error.message.length;
    this.errors.push({ error, place });
  }

  /** Notes that the check could not decide something. */
  doubt(): void {
    this.doubtful = true;
  }

  /** Adds all errors of another walk. */
  pushAll(other: Findings): void {
    for (const { error, place } of other.errors) this.push(error, place);
  }

  /** The number of errors so far, for `dropSince`. */
  get count(): number {
    return this.errors.length;
  }

  /** Drops the errors after the first `count`. Returns them. */
  dropSince(count: number): readonly FieldError[] {
    const dropped = this.errors.splice(count).map(({ error }) => error);
    for (const { field, message } of dropped) this.characters -= field.length + message.length;
    return dropped;
  }

  /** Drops repeats of an error. Several branches of a combined schema can find the same error. */
  dropRepeats(): void {
    if (this.errors.length < 2) return;
    const distinct = new Map(
      this.errors.map((found) => [`${found.error.field}\n${found.error.message}`, found] as const),
    );
    // A Map keeps the position of a key's first entry, so an error stays at the place of its first occurrence.
    this.errors = [...distinct.values()];
  }

  /** Reports all errors to the caller's sink. */
  reportTo(sink: ErrorSink): void {
    for (const { error, place } of this.errors) {
      if (place !== undefined && sink.pushAt !== undefined) sink.pushAt(error, place);
      else sink.push(error);
    }
  }
}

/** The path to the place that a walk has reached. */
export class Path {
  readonly #steps: (string | number)[] = [];

  /**
   * Enters an item by its index, or a part by a step such as `.name` or `[key]`. An empty step does not change the
   * path.
   */
  enter(step: string | number): void {
    this.#steps.push(step);
  }

  /** Leaves the part entered last. */
  leave(): void {
    this.#steps.pop();
  }

  /** Returns the path as errors write it: `spec.ports[0].name`; empty for the whole object. */
  toString(): string {
    let path = '';
    for (const step of this.#steps) path += typeof step === 'number' ? `[${step}]` : step;
    return path.startsWith('.') ? path.slice(1) : path;
  }

  /** Returns the steps as names and indexes, without dots and brackets. */
  place(): Place {
    return this.#steps.filter((step) => step !== '').map((step) => (typeof step === 'number' ? step : nameOf(step)));
  }

  /** Returns the path of a part one step below. */
  below(step: string): string {
    const path = this.toString();
    return path === '' && step.startsWith('.') ? step.slice(1) : path + step;
  }
}

const nameOf = (step: string): string => (step.startsWith('[') ? step.slice(1, -1) : step.slice(1));
