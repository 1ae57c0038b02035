/** The error of a call that has one answer, with gRPC's code. */
import { status as Code } from '@grpc/grpc-js';

export class CallError extends Error {
  constructor(
    readonly code: Code,
    /** The words of the server, or of this side where that has not answered. */
    readonly details: string,
    /** Whether the server has certainly not begun with the call. */
    readonly isUnsent = false,
  ) {
    super(details);
    this.name = 'CallError';
  }
}

/** The error of a call that has not left. */
export const unsent = (details: string): CallError => new CallError(Code.UNAVAILABLE, details, true);

/** The words of an error. One that stands for several, as for all addresses of a name, has none of its own. */
export function wordsOf(error: Error): string {
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name;
}
