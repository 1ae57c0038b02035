/** What a definition may call its resource. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1035Label } from '../../../runtime/objects/dns-names.js';
import { invalidValue } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { checkPresent, type FieldErrors } from '../../shared/field-checks.js';
import { textsAt } from '../../shared/reading.js';

const mixedCase = 'may have mixed case, but should otherwise match: ';

/** Names that a definition has to give; it is given the singular and the kind of lists where it does not. */
export function* missingNameErrors(names: JsonObject, path: string): FieldErrors {
  for (const key of ['plural', 'singular', 'kind', 'listKind']) yield* checkPresent(names, key, path);
}

/** What is wrong with the names that there are; also said of those that have been accepted. */
export function* nameErrors(names: JsonObject, path: string): FieldErrors {
  for (const key of ['plural', 'singular']) yield* labelErrors(stringAt(names, key), `${path}.${key}`);
  for (const key of ['kind', 'listKind']) yield* kindErrors(stringAt(names, key), `${path}.${key}`);
  for (const [i, name] of textsAt(names, 'shortNames').entries()) {
    yield* anyLabelErrors(name, `${path}.shortNames[${i}]`);
  }
  const kind = stringAt(names, 'kind');
  if (kind !== '' && kind === stringAt(names, 'listKind')) {
    yield invalidValue(`${path}.listKind`, kind, 'kind and listKind may not be the same');
  }
  for (const [i, name] of textsAt(names, 'categories').entries()) {
    yield* anyLabelErrors(name, `${path}.categories[${i}]`);
  }
}

function* labelErrors(name: string, path: string): FieldErrors {
  if (name !== '') yield* anyLabelErrors(name, path);
}

function* anyLabelErrors(name: string, path: string): FieldErrors {
  const problems = dns1035Label(name);
  if (problems.length > 0) yield invalidValue(path, name, problems.join(','));
}

function* kindErrors(kind: string, path: string): FieldErrors {
  const problems = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  if (problems.length > 0) yield invalidValue(path, kind, mixedCase + problems.join(','));
}
