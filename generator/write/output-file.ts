/** A file of the output folder, before it is written. */

/** A file an emitter wants to exist. */
export interface OutputFile {
  /** Relative to the output folder, with forward slashes. */
  readonly path: string;
  /** Text, or the UTF-8 of it where an emitter has that at hand. */
  readonly content: string | Uint8Array;
}
