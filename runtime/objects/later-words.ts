/** Rules of fields in the words of later releases. */
import type { Failure } from '../contract/index.js';

/** Wordings that changed, each with the later one. */
const changes: readonly (readonly [before: RegExp, after: string])[] = [
  [/\bmust be no more than (\d+) characters$/, 'must be no more than $1 bytes'],
  [/(^|: )a qualified name (must consist of .* with an optional DNS subdomain prefix and )/, '$1a valid label key $2'],
];

/** Fields with a rule that no longer repeats their name. */
const ownerField = /^metadata\.ownerReferences\.(?:kind|name|uid)$/;

/** Returns the rule of a field in later words; the same text if nothing changed. */
export function laterDetail(field: string, detail: string): string {
  if (ownerField.test(field) && detail.endsWith(' must not be empty')) return 'must not be empty';
  return laterWords(detail);
}

/** Adds the later words to a failure; the same failure if nothing changed. */
export function withLaterWords(failure: Failure): Failure {
  const message = laterWords(failure.message);
  return message === failure.message ? failure : { ...failure, later: { ...failure, message } };
}

/** Returns a text in later words. */
const laterWords = (text: string): string =>
  changes.reduce((words, [before, after]) => words.replace(before, after), text);
