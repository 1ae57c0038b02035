/** Violations for checks of objects without a server. Their messages are the server's, without the path. */
import type { FieldError, Place, Violation } from '../contract/index.js';

/** Makes a violation at a path from an error. */
export const violationAt = (path: string, error: FieldError): Violation => ({
  path,
  reason: reasonOf(error),
  message: wordsOf(error),
});

function reasonOf({ reason }: FieldError): Violation['reason'] {
  if (reason === 'FieldValueRequired') return 'missing';
  return reason === 'FieldValueTypeInvalid' ? 'type' : 'value';
}

/**
 * Returns the message of an error without repeated parts: the path, the value at the end, and the empty value of
 * combinations.
 */
function wordsOf({ field, message }: FieldError): string {
  if (field === '<nil>') return message.replace(/^Invalid value: "": "(?:[^"\\]|\\.)*" /, 'Invalid value: ');
  const repeated = `: ${field} in body `;
  const at = message.lastIndexOf(repeated);
  if (at < 0) return message;
  const rule = message.slice(at + repeated.length);
  const value = message.slice('Invalid value'.length, at);
  return `${message.slice(0, at)}: ${rule.endsWith(value) ? rule.slice(0, -value.length) : rule}`;
}

/** Returns the path of a place. Ambiguous names are in brackets. */
export function pathOf(place: Place): string {
  let path = '';
  for (const step of place) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (!/^[\w$-]+$/.test(step)) path += `[${JSON.stringify(step)}]`;
    else path += path === '' ? step : `.${step}`;
  }
  return path;
}
