/** Tells whether a schema takes a value, all around it left aside. */
import type { JsonValue, Schema } from '../../contract/index.js';
import { Findings } from './findings.js';
import { Path } from './path.js';
import { compileTable, type Node } from './table.js';
import { Validator } from './validate.js';

const known = new WeakMap<Schema, Node>();

/**
 * Reports whether a structural schema takes a value; also one that nobody here can judge, as by a pattern that cannot be
 * compiled. The schema is compiled once. Unknown fields, list types and rules are not looked at.
 */
export function takesValue(schema: Schema, value: JsonValue): boolean {
  const node = known.get(schema) ?? compileTable(schema, 'structural').root;
  known.set(schema, node);
  const found = new Findings();
  new Validator(new Path(), found, false).check(node, value);
  return found.empty;
}
