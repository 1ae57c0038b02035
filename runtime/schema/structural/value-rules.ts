/** The rules of `allOf`, `anyOf`, `oneOf`, `not` and patterns: they may restrict values, but not set their types. */

import { RE2JS } from 're2js';
import { stringAt } from '../../objects/guards.js';
import { memoize } from '../../objects/memoize.js';
import type { Fault } from './findings.js';
import { propertyOf, says, schemaListAt, valueAt } from './reading.js';
import type { SchemaNode } from './schema-node.js';

export type ValueRule = 'below-junctor' | 'metadata-below-junctor' | 'only-in-rule' | 'pattern';

/** Keywords that describe a value, and their required value below a junctor. */
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

/**
 * Yields the broken rules of schemas that narrow values. `value` is the required value of a keyword below a junctor.
 */
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

/** The longest pattern to compile, in UTF-16 units. It limits the cost of a pattern. */
const maxLength = 10_000;

/**
 * Remembers compiled patterns, because a definition is checked several times and has the same patterns at many places.
 */
const compiled = memoize((source) => ({ problem: compileProblem(source) }), {
  most: Number.POSITIVE_INFINITY,
  longest: maxLength,
  together: 4 * 1024 * 1024,
});

/** Returns why an RE2 expression does not compile, or `undefined` if it does. */
export function patternProblem(source: string): string | undefined {
  return source.length > maxLength ? 'error parsing regexp: expression too large' : compiled(source).problem;
}

function compileProblem(source: string): string | undefined {
  try {
    RE2JS.compile(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const validations = 'x-kubernetes-validations';

export type TextRule =
  | 'rule-empty'
  | 'message-empty'
  | 'message-line-break'
  | 'message-missing'
  | 'message-expression-empty';

/** Yields the broken rules on texts. */
export function* textFaults({ raw }: SchemaNode): Generator<Fault<TextRule>> {
  for (const [i, each] of schemaListAt(raw, validations).entries()) {
    const at = [validations, i];
    const rule = stringAt(each, 'rule').trim();
    const message = valueAt(each, 'message');
    const words = stringAt(each, 'message').trim();
    if (message === '') yield { rule: 'message-empty', at: [...at, 'message'], value: message };
    if (rule === '') yield { rule: 'rule-empty', at: [...at, 'rule'] };
    else if (message !== undefined && message !== '' && words === '') {
      yield { rule: 'message-empty', at: [...at, 'message'], value: message };
    } else if (hasLineBreak(words)) yield { rule: 'message-line-break', at: [...at, 'message'], value: message };
    else if (hasLineBreak(rule) && words === '') yield { rule: 'message-missing', at: [...at, 'message'] };
    const expression = stringAt(each, 'messageExpression');
    if (expression !== '' && expression.trim() === '') {
      yield { rule: 'message-expression-empty', at: [...at, 'messageExpression'] };
    }
  }
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);
