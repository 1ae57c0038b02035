/** Explains errors of the operating system by naming the option to change. */
import { readFileSync } from 'node:fs';
import { type NameOf, OptionError, type OptionName } from './option-error.js';

/** An error of the operating system, as in `EADDRINUSE`. */
export type SystemError = Error & { readonly code: string };

/** Reports whether an error is from the operating system. */
export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

/** Opens something. Rejects with an `OptionError` if the system refuses, and with any other error unchanged. */
export async function explaining<T>(
  opening: () => Promise<T> | T,
  explain: (error: SystemError, nameOf: NameOf) => string,
): Promise<T> {
  try {
    return await opening();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new OptionError((nameOf) => explain(error, nameOf), { cause: error });
  }
}

/** Reads a file. Throws an `OptionError` that names its option. */
export function readGiven(option: OptionName, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${error.message}`, { cause: error });
  }
}

/** The address of a listener, and its option. */
export interface ListenAddress {
  readonly option: 'http' | 'tls';
  readonly host: string;
  readonly port: number;
  /** The passed socket, which replaces both. */
  readonly fd: number | undefined;
}

/** Returns why a server cannot listen. */
export function explainListening(
  { code, message }: SystemError,
  { option, host, port, fd }: ListenAddress,
  nameOf: NameOf,
): string {
  if (fd !== undefined) return `${nameOf(`${option}.fd`)} ${fd} cannot be listened on: ${message}`;
  if (code === 'EADDRINUSE') {
    return `port ${port} of ${host} is in use; choose another one with ${nameOf(`${option}.port`)}`;
  }
  if (code === 'EACCES') {
    return `port ${port} needs rights that this user does not have; choose one above 1023 with ${nameOf(`${option}.port`)}`;
  }
  return `${nameOf(`${option}.host`)} ${host}: ${message}`;
}
