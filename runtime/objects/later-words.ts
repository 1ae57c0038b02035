/** Rules of fields in the words of later releases. */

/** Wordings that changed, each with the later one. */
const changes: readonly (readonly [before: RegExp, after: string])[] = [
  [/\bmust be no more than (\d+) characters$/, 'must be no more than $1 bytes'],
  [/^a qualified name (must consist of .* with an optional DNS subdomain prefix and )/, 'a valid label key $1'],
];

/** Fields with a rule that no longer repeats their name. */
const ownerField = /^metadata\.ownerReferences\.(?:kind|name|uid)$/;

/** Returns the rule of a field in later words; the same text if nothing changed. */
export function laterDetail(field: string, detail: string): string {
  if (ownerField.test(field) && detail.endsWith(' must not be empty')) return 'must not be empty';
  return laterWords(detail);
}

/** Returns a text in later words. */
export const laterWords = (text: string): string =>
  changes.reduce((words, [before, after]) => words.replace(before, after), text);
