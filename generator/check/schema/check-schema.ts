/** Asks every rule about the schema of a version, or about a type of a library. */
import type { Schema } from '../../../runtime/contract/index.js';
import type { Raw } from '../../../runtime/schema/read.js';
import type { Report } from '../../diagnostics/problem.js';
import { extentOf, isWithinBounds, MAX_SCHEMA_NODES } from '../../model/extent.js';
import { findReferences } from '../../model/references.js';
import { createDefaultCheck } from './defaults.js';
import { type ReferenceContext, referenceRule } from './references.js';
import { schemaRules, valueRules } from './rules.js';
import { below } from './schema-node.js';
import { type Checked, checkStructure } from './structure.js';
import { checkRules } from './validations.js';
import { walkSchema } from './walk.js';

/** The schema of a version, at the level `root`, or a type, at the level `value`. */
export interface CheckedSchema extends Checked {
  readonly raw: Raw;
  readonly schema: Schema;
  readonly level: 'root' | 'value';
}

/** Reports all mistakes of a schema. Returns `false` if it is too large to be checked. */
export function checkSchema(checked: CheckedSchema, context: ReferenceContext, report: Report): boolean {
  const { raw, schema, path, level, isNative } = checked;
  const isRoot = level === 'root';
  if (!isWithinBounds(extentOf(schema))) {
    if (!usesTooLarge(raw, context)) {
      const message = `with all its references the ${isRoot ? 'schema' : 'type'} has more than ${MAX_SCHEMA_NODES} fields`;
      report({ code: 'KF3022', path, at: 'key', message });
    }
    return false;
  }
  const defaults = createDefaultCheck();
  const rules = [referenceRule(context), ...schemaRules, defaults.rule];
  checkStructure(checked, report);
  walkSchema(raw, schema, below(undefined, ...path), level, { isNative, rules, valueRules, report });
  defaults.finish(report);
  checkRules(raw, schema, path, isRoot, report);
  return true;
}

/** Returns whether a schema is too large only because it refers to a type that is too large. */
function usesTooLarge(raw: Raw, { types }: ReferenceContext): boolean {
  return findReferences(raw).some(({ target }) => {
    const type = types.get(target);
    return type !== undefined && !isWithinBounds(type.extent);
  });
}
