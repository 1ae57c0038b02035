/** Refuses a life of signed certificates that no request could have. */
import { OptionError } from '../option-error.js';
import type { SigningOption } from './signing-option.js';

/** Requests ask for this much at least, milliseconds. */
const leastMs = 600_000;

/** Throws an `OptionError`. */
export function checkSigning({ longestMs = leastMs }: SigningOption = {}): void {
  if (longestMs >= leastMs && Number.isFinite(longestMs)) return;
  throw new OptionError(
    (nameOf) =>
      `${nameOf('signing.longestMs')} ${longestMs} is no life of certificates; use 600000 milliseconds or more`,
  );
}
