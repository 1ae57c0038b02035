/** Collects what one validation finds, up to a bound, so that no input causes an endless answer. */
import type { ErrorSink, FieldError, Place } from '../../contract/index.js';

/** The most errors one validation reports, and the most characters they may have together. */
const maxErrors = 1000;
const maxCharacters = 1024 * 1024;

/** The result of a check. `unknown` means that it found no error, but met something that it cannot judge. */
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

  /** Whether further errors would not be kept. */
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

  /** Notes that something could not be judged. */
  doubt(): void {
    this.doubtful = true;
  }

  /** Takes over all errors of another walk. */
  pushAll(other: Findings): void {
    for (const { error, place } of other.errors) this.push(error, place);
  }

  /** The number of errors so far, for `dropSince`. */
  get count(): number {
    return this.errors.length;
  }

  /** Drops the errors that were added after there were `count`, and returns them. */
  dropSince(count: number): readonly FieldError[] {
    const dropped = this.errors.splice(count).map(({ error }) => error);
    for (const { field, message } of dropped) this.characters -= field.length + message.length;
    return dropped;
  }

  /** Drops repeats of an error, which several branches of a combined schema can find. */
  dropRepeats(): void {
    if (this.errors.length < 2) return;
    const distinct = new Map(
      this.errors.map((found) => [`${found.error.field}\n${found.error.message}`, found] as const),
    );
    // A Map keeps the position of a key's first entry, which is where the error was found first.
    this.errors = [...distinct.values()];
  }

  /** Hands everything to the caller's sink. */
  reportTo(sink: ErrorSink): void {
    for (const { error, place } of this.errors) {
      if (place !== undefined && sink.pushAt !== undefined) sink.pushAt(error, place);
      else sink.push(error);
    }
  }
}
