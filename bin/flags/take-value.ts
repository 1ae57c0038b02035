/** Takes the value of a flag that has been read. */
import { FlagError } from './flag-error.js';

type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: { readonly message: string } };

/** Throws a `FlagError` where it could not be read; `flag` is how the message begins. */
export function takeValue<T>(flag: string, read: Read<T>): T {
  if (read.ok) return read.value;
  throw new FlagError(`${flag} ${read.failure.message}`);
}
