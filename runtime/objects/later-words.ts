/** Rules of fields in the words of later releases. */
import type { Failure } from '../contract/index.js';

/** Matches fields that hold values of labels. */
const labelField = /(?:labels|selector|values\[\d+\])$/i;

/** Returns the later rule about lengths of labels. Rules about names have not changed. */
const inBytes = (text: string): string =>
  text.replace(/\bmust be no more than (\d+) characters$/, 'must be no more than $1 bytes');

const labelKeyRule = 'a qualified name must consist of ';

/** Returns the later rule about keys of labels. */
function ofLabelKeys(text: string): string {
  const at = text.indexOf(labelKeyRule);
  const isRule = at === 0 || (at > 1 && text.slice(at - 2, at) === ': ');
  if (!isRule || !text.includes(' with an optional DNS subdomain prefix and ', at)) return text;
  return `${text.slice(0, at)}a valid label key must consist of ${text.slice(at + labelKeyRule.length)}`;
}

/** Fields with a rule that no longer repeats their name. */
const ownerField = /^metadata\.ownerReferences\.(?:kind|name|uid)$/;

/** The message of a rule. Its rule no longer repeats the name of the field. */
const ruleText = /\.x-kubernetes-validations\[\d+\]\.message$/;

/** Returns the rule of a field in later words; the same text if nothing changed. */
export function laterDetail(field: string, detail: string): string {
  if (ownerField.test(field) && detail.endsWith(' must not be empty')) return 'must not be empty';
  if (ruleText.test(field)) return detail.replace(/^message (?=must (?:be non-empty|not contain) )/, '');
  const isOfLabel = labelField.test(field) || /\b(?:name|prefix) part must /.test(detail);
  return isOfLabel ? laterWords(detail) : ofLabelKeys(detail);
}

/** Adds the later words to a failure; the same failure if nothing changed. */
export function withLaterWords(failure: Failure): Failure {
  const message = laterWords(failure.message);
  return message === failure.message ? failure : { ...failure, later: { ...failure, message } };
}

/** Returns a text in later words. */
const laterWords = (text: string): string => ofLabelKeys(inBytes(text));
