/** The names that a definition may give its resource. */

import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { dns1035Label } from '../../../runtime/objects/names/dns-names.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import type { Names } from './definition.js';

const mixedCase = 'may have mixed case, but should otherwise match: ';

/** Errors of absent names. The singular and the kind of lists have defaults. */
export function* missingNameErrors(names: Names, path: string): FieldErrors {
  for (const key of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names[key]) yield required(`${path}.${key}`);
  }
}

/** Errors of the names that are given, in the spec or as accepted names in the status. */
export function* nameErrors(names: Names, path: string): FieldErrors {
  const { kind = '', listKind, shortNames = [], categories = [] } = names;
  for (const key of ['plural', 'singular'] as const) yield* labelErrors(names[key], `${path}.${key}`);
  for (const key of ['kind', 'listKind'] as const) yield* kindErrors(names[key], `${path}.${key}`);
  for (const [i, name] of shortNames.entries()) yield* anyLabelErrors(name, `${path}.shortNames[${i}]`);
  if (kind !== '' && kind === listKind) {
    yield invalidValue(`${path}.listKind`, kind, 'kind and listKind may not be the same');
  }
  for (const [i, name] of categories.entries()) yield* anyLabelErrors(name, `${path}.categories[${i}]`);
}

function* labelErrors(name = '', path: string): FieldErrors {
  if (name !== '') yield* anyLabelErrors(name, path);
}

function* anyLabelErrors(name: string, path: string): FieldErrors {
  const problems = dns1035Label(name);
  if (problems.length > 0) yield invalidValue(path, name, problems.join(','));
}

function* kindErrors(kind = '', path: string): FieldErrors {
  const problems = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  if (problems.length > 0) yield invalidValue(path, kind, mixedCase + problems.join(','));
}
