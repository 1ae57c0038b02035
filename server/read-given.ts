/** Reads files that options name. */
import { readFileSync } from 'node:fs';
import { isSystemError } from './explain.js';
import { OptionError, type OptionName } from './option-error.js';

/** Reads a file. Throws an `OptionError` that names its option. */
export function readGiven(option: OptionName, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${error.message}`, { cause: error });
  }
}
