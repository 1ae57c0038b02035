/** The warning that users of a deprecated version get. */
import { invalidValue } from '../../../runtime/objects/field-error.js';
import { byteLength } from '../../../runtime/objects/printing.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import type { Version } from './definition.js';

/** In bytes of UTF-8. */
const maxLength = 256;

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Errors of the warning of a version. */
export function* deprecationWarningErrors(
  { deprecated = false, deprecationWarning: warning }: Version,
  path: string,
): FieldErrors {
  if (warning === undefined) return;
  for (const problem of deprecationWarningProblems(deprecated, warning)) {
    yield invalidValue(`${path}.deprecationWarning`, warning, problem);
  }
}

/** The problems of a warning in words. */
export function deprecationWarningProblems(deprecated: boolean, warning: string): readonly string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  if (byteLength(warning) > maxLength) problems.push(`must be <= ${maxLength} characters long`);
  if (warning === '') problems.push('must not be an empty string');
  let index = 0;
  for (const char of warning) {
    if (!printable.test(char)) {
      const rule = 'must only contain printable UTF-8 characters; non-printable character found at index';
      problems.push(`${rule} ${index}`);
      break;
    }
    index += byteLength(char);
  }
  return problems;
}
