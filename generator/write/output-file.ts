/** A file of the output folder, before it is written. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file an emitter wants to exist. */
export interface OutputFile {
  /** Relative to the output folder, with forward slashes. */
  readonly path: string;
  /** Text, or its UTF-8 if the emitter has it already. */
  readonly content: string | Uint8Array;
  /**
   * A text that changes with all inputs of the content. If the file was written with the same key before, the content
   * is not used. Without a key, the content is always used.
   */
  readonly key?: string;
}

/** Makes a file that is printed once, when its content is first used. */
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

/** Returns the SHA-256 of bytes, or of a text's UTF-8, in hexadecimal. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Returns the hash of a file; `undefined` if it cannot be read. */
export function hashOfFile(path: string): string | undefined {
  try {
    return hashOf(readFileSync(path));
  } catch {
    return undefined;
  }
}
