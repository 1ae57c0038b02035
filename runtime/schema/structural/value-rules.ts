/** The rules of `allOf`, `anyOf`, `oneOf`, `not` and patterns: they narrow values, and do not say what a value is. */
import { stringAt } from '../../objects/guards.js';
import type { Fault } from './findings.js';
import { patternProblem } from './pattern-problem.js';
import { propertyOf, says, valueAt } from './reading.js';
import type { SchemaNode } from './schema-node.js';

export type ValueRule = 'below-junctor' | 'metadata-below-junctor' | 'only-in-rule' | 'pattern';

/** Keywords that say what a value is, and what they must be below a junctor. */
const refused: readonly (readonly [key: string, must: 'empty' | 'undefined' | 'false'])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
];

/** The rules on narrowing that a schema breaks; `value` of a keyword below a junctor is what it must be. */
export function* valueFaults({ raw, level, outside }: SchemaNode): Generator<Fault<ValueRule>> {
  const value = stringAt(raw, 'pattern');
  const name = patternProblem(value);
  if (name !== undefined) yield { rule: 'pattern', at: ['pattern'], value, name };
  if (level !== 'rule') return;
  for (const [key, must] of refused) {
    const isThere = must === 'undefined' ? valueAt(raw, key) !== undefined : says(raw, key);
    if (isThere) yield { rule: 'below-junctor', at: [key], name: key, value: must };
  }
  if (propertyOf(raw, 'metadata') !== undefined) {
    yield { rule: 'metadata-below-junctor', at: ['properties', 'metadata'] };
  }
  if (outside !== undefined && outside.schema === undefined) yield { rule: 'only-in-rule', at: [] };
}
