/** References to objects of any kind in the same namespace. */
import type { TypedLocalObjectReference } from '../../generated/types/core/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';
import { pathSegment } from '../../runtime/objects/names/names.js';
import { checkText, type FieldErrors } from './field-checks.js';

/** A reference by group, kind and name; a group that is there has to be one. */
export function* checkLocalReference(reference: Draft<TypedLocalObjectReference>, path: string): FieldErrors {
  const { apiGroup, kind = '', name = '' } = reference;
  if (typeof apiGroup === 'string') yield* checkText(`${path}.apiGroup`, apiGroup, dns1123Subdomain);
  for (const [field, text] of Object.entries({ kind, name })) {
    if (text === '') yield required(`${path}.${field}`, `${field} is required`);
    else yield* checkText(`${path}.${field}`, text, pathSegment);
  }
}
