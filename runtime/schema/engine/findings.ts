/** Collects what one validation finds, up to a bound, so that no input makes an answer without end. */
import type { ErrorSink, FieldError } from '../../contract/index.js';

/** The most errors one validation reports, and the most characters they may have together. */
const maxErrors = 1000;
const maxCharacters = 1024 * 1024;

/** The errors of one walk. Walks over lists and maps stop once it is full. */
export class Findings implements ErrorSink {
  private errors: FieldError[] = [];
  private characters = 0;

  /** Whether further errors would not be kept. */
  get full(): boolean {
    return this.errors.length >= maxErrors || this.characters >= maxCharacters;
  }

  get empty(): boolean {
    return this.errors.length === 0;
  }

  push(error: FieldError): void {
    if (this.full) return;
    this.characters += error.field.length + error.message.length;
    this.errors.push(error);
  }

  /** Takes over all errors of another walk. */
  pushAll(other: Findings): void {
    for (const error of other.errors) this.push(error);
  }

  /** Drops repeats of an error, which several branches of a combined schema can find. */
  dropRepeats(): void {
    if (this.errors.length < 2) return;
    const distinct = new Map(this.errors.map((error) => [`${error.field}\n${error.message}`, error] as const));
    // A Map keeps the place of a key's first entry, which is where the error was found first.
    this.errors = [...distinct.values()];
  }

  /** Hands everything to the caller's sink. */
  reportTo(sink: ErrorSink): void {
    for (const error of this.errors) sink.push(error);
  }
}
