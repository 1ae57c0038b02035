/** Says what went wrong when something was opened, in words that name the flag to change. */

/** Opens something; an error that tells of the machine, not of the flag, is put into words. */
export async function explaining<T>(
  opening: () => Promise<T> | T,
  explain: (error: SystemError) => string,
): Promise<T> {
  try {
    return await opening();
  } catch (error) {
    throw isSystemError(error) ? new Error(explain(error), { cause: error }) : error;
  }
}

/** An error of the operating system, as in `EADDRINUSE`. */
export type SystemError = Error & { readonly code: string };

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

/** Why a server cannot listen. */
export function explainListening({ code, message }: SystemError, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use; choose another one with --http-port`;
  if (code === 'EACCES') return `port ${port} is not for this user; choose one above 1023 with --http-port`;
  return `--host ${host}: ${message}`;
}
