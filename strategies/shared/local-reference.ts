/** References to objects of any kind in the same namespace. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { pathSegment } from '../../runtime/objects/names.js';
import { checkName, checkText, type FieldErrors } from './field-checks.js';
import { hasAt } from './reading.js';

/** A reference by group, kind and name; a group that is there has to be one. */
export function* checkLocalReference(reference: JsonObject, path: string): FieldErrors {
  if (hasAt(reference, 'apiGroup')) {
    yield* checkText(`${path}.apiGroup`, stringAt(reference, 'apiGroup'), dns1123Subdomain);
  }
  yield* checkName(`${path}.kind`, stringAt(reference, 'kind'), pathSegment);
  yield* checkName(`${path}.name`, stringAt(reference, 'name'), pathSegment);
}
