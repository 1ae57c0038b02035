/** Puts errors of the operating system into words that name the option to change. */
import { type NameOf, OptionError } from './option-error.js';

/** An error of the operating system, as in `EADDRINUSE`. */
export type SystemError = Error & { readonly code: string };

/** Whether an error comes of the operating system. */
export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

/** Opens something. Rejects with an `OptionError` where the system refuses, and with any other error as it is. */
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

/** Where a server was to listen, and the option that says so. */
export interface Place {
  readonly option: 'http' | 'tls';
  readonly host: string;
  readonly port: number;
  /** The socket that was passed in place of both. */
  readonly fd: number | undefined;
}

/** Why a server cannot listen. */
export function explainListening(
  { code, message }: SystemError,
  { option, host, port, fd }: Place,
  nameOf: NameOf,
): string {
  if (fd !== undefined) return `${nameOf(`${option}.fd`)} ${fd} cannot be listened on: ${message}`;
  if (code === 'EADDRINUSE') {
    return `port ${port} of ${host} is in use; choose another one with ${nameOf(`${option}.port`)}`;
  }
  if (code === 'EACCES') {
    return `port ${port} is not for this user; choose one above 1023 with ${nameOf(`${option}.port`)}`;
  }
  return `${nameOf(`${option}.host`)} ${host}: ${message}`;
}
