/** The error that ends an evaluation early. */

/**
 * An error of the language, as in `no such key: a`. Inside a compiled expression it travels as an exception up to the
 * nearest operator that absorbs it, as the language requires; it never leaves the program as an exception. It is not an
 * `Error`: recording a stack would cost more than the rest of an evaluation.
 */
export class EvaluationError {
  constructor(readonly message: string) {}
}

/** The budget is spent. Nothing absorbs it. */
export class CostExceeded {
  readonly message = 'operation cancelled: actual cost limit exceeded';
}

/** Fails the evaluation. */
export function fail(message: string): never {
  throw new EvaluationError(message);
}
