/** How single values of typed kinds are read: by a test of their JSON type, or by a reader that also rewrites them. */
import { getOwn } from '../../objects/guards.js';
import type { Node } from '../node.js';
import type { Helper } from './module-code.js';
import { isIntOrString } from './traits.js';

/** A test is true of a wrong value; a reader answers the stored form, or the mismatch. */
export type Reading =
  | {
      readonly kind: 'test';
      readonly error: 'mismatch' | 'notInteger';
      readonly test: (value: string, use: (helper: Helper) => string) => string;
    }
  | { readonly kind: 'read'; readonly reader: Helper };

const isNot = (type: string): Reading => ({
  kind: 'test',
  error: 'mismatch',
  test: (value) => `typeof ${value} !== '${type}'`,
});

const integer = (guard: 'isInt32' | 'isInt64'): Reading => ({
  kind: 'test',
  error: 'notInteger',
  test: (value, use) => `!${use(guard)}(${value})`,
});

/** Formats of texts that have a stored form of their own. */
const readers: Readonly<Record<string, Helper>> = {
  'date-time': 'readTime',
  byte: 'readBytes',
  quantity: 'readQuantity',
};

/** How values of a scalar node are read; nothing for values of any type. */
export function readings(node: Node): Reading | undefined {
  const { type, format } = node.schema;
  if (isIntOrString(node)) {
    return {
      kind: 'test',
      error: 'notInteger',
      test: (value, use) => `typeof ${value} !== 'string' && !${use('isInt32')}(${value})`,
    };
  }
  switch (type) {
    case 'string':
      return textReading(node, format);
    case 'boolean':
      return isNot('boolean');
    case 'integer':
      return integer(format === 'int32' ? 'isInt32' : 'isInt64');
    case 'number':
      return { kind: 'test', error: 'mismatch', test: (value, use) => `!${use('isNumber')}(${value})` };
    default:
      return undefined;
  }
}

function textReading({ schema }: Node, format: string | undefined): Reading {
  const micros = schema['x-kindforge-time'] === 'micros';
  const reader = micros ? 'readMicroTime' : getOwn(readers, format ?? '');
  return reader === undefined ? isNot('string') : { kind: 'read', reader };
}
