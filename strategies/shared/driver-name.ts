/** Names of storage drivers inside objects. */

import { invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';
import type { FieldErrors } from './field-checks.js';

const maxLength = 63;

/** A name that has to be there: a DNS subdomain in either case, of at most 63 characters. */
export function* checkDriverName(name: string, path: string): FieldErrors {
  if (name === '') yield required(path);
  if (name.length > maxLength) yield tooLong(path, maxLength);
  for (const problem of dns1123Subdomain(name.toLowerCase())) yield invalidValue(path, name, problem);
}
