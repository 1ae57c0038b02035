import { expect, it } from 'vitest';
import { fieldTerm } from '../../../../client/resource/field-terms.js';
import { parseFieldSelector } from '../../../../runtime/objects/selectors/field-selectors.js';

it.each(['web', 'a,b', 'system:node=x', 'back\\slash', ''])('%j is read back unchanged', (name) => {
  const parsed = parseFieldSelector(fieldTerm('metadata.name', name));
  if (!parsed.ok) throw new Error(parsed.failure.message);
  expect(parsed.value.terms.map(({ field, value }) => [field, value])).toEqual([['metadata.name', name]]);
});
