/** Random path sets for property tests. */
import fc from 'fast-check';
import { EMPTY, type FieldSet, fieldSet, fieldSetOf, LEAF } from '../../../../runtime/merge/field-set.js';
import { fieldElement, keyElement, type PathElement, valueElement } from '../../../../runtime/merge/path-element.js';

/** Few steps, so that random sets overlap. */
export const element: fc.Arbitrary<PathElement> = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'é', '').map(fieldElement),
  fc.constantFrom<string | number | boolean>('x', 'y', 1, 2, true).map(valueElement),
  fc.tuple(fc.constantFrom('n', 'm'), fc.constantFrom(80, 443)).map(([name, port]) =>
    keyElement([
      ['name', name],
      ['port', port],
    ]),
  ),
  fc.integer({ min: 0, max: 3 }).map((index) => `i:${index}`),
);

export const set: fc.Arbitrary<FieldSet> = fc
  .array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 12 })
  .map(fieldSetOf);

/** Makes a readable set: `fields('a', 'b.c', 'b.d')` of members; `b.c` does not add `b`. */
export function fields(...dotted: string[]): FieldSet {
  return fieldSetOf(dotted.map((path) => path.split('.').map(fieldElement)));
}

export { EMPTY, fieldSet, LEAF };
