/** A file of the output folder, before it is written. */

/** A file an emitter wants to exist. */
export interface OutputFile {
  /** Relative to the output folder, with forward slashes. */
  readonly path: string;
  /** Text, or the UTF-8 of it where an emitter has that at hand. */
  readonly content: string | Uint8Array;
  /**
   * A text that changes with everything that the content follows from. If the file was written with the same key before,
   * nobody asks for the content. Without a key it is always asked for.
   */
  readonly key?: string;
}

/** A file that is printed when its content is asked for, once. */
export function lazyFile(path: string, key: string | undefined, print: () => OutputFile['content']): OutputFile {
  let content: OutputFile['content'] | undefined;
  return {
    path,
    ...(key === undefined ? {} : { key }),
    get content() {
      content ??= print();
      return content;
    },
  };
}
