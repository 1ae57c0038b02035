/** The error of a command that cannot do what it was asked for. */

/** The message says what is wrong, and where; `advice` what to do about it. */
export class Refusal extends Error {
  readonly advice: readonly string[];

  constructor(message: string, ...advice: readonly string[]) {
    super(message);
    this.advice = advice;
  }
}

/** A flag says what cannot be done. */
export class WrongFlag extends Refusal {}

/** No server can be asked: none is known, or what names it is wrong. */
export class NoServer extends Refusal {}
