/** The error that ends an evaluation early. */

/**
 * An error of the language, as in `no such key: a`. Inside a compiled expression it is thrown, and the nearest operator
 * that may absorb it catches it, as the language requires. It never leaves the evaluation as an exception. It is not an
 * `Error`: recording a stack would cost more than the rest of an evaluation.
 */
export class EvaluationError {
  constructor(readonly message: string) {}
}

/** The error of a spent budget. No operator absorbs it. */
export class CostExceeded {
  readonly message = 'operation cancelled: actual cost limit exceeded';
}

/** Fails the evaluation. */
export function fail(message: string): never {
  throw new EvaluationError(message);
}
