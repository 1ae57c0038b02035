/** Asks every rule about one type library. */
import { get, isObject, string } from '../../runtime/schema/read.js';
import type { Report } from '../diagnostics/problem.js';
import { isWithinBounds, MAX_SCHEMA_NODES } from '../model/extent.js';
import { type Reference, typeName } from '../model/references.js';
import type { ResolvedType } from '../model/shared-types.js';
import type { Definition } from './document-kind.js';
import { checkFormat } from './format.js';
import { createDefaultCheck } from './schema/defaults.js';
import { type ReferenceContext, referenceRule } from './schema/references.js';
import { schemaRules, valueRules } from './schema/rules.js';
import { below } from './schema/schema-node.js';
import { checkStructure } from './schema/structure.js';
import { checkRules } from './schema/validations.js';
import { walkSchema } from './schema/walk.js';

/** Reports all mistakes in a library. A type that an earlier document defines too is a mistake here. */
export function checkLibrary(definition: Definition, context: ReferenceContext, report: Report): void {
  checkFormat(definition, report);
  const library = string(get(get(definition.value, 'metadata'), 'name')) ?? '';
  const types = get(get(definition.value, 'spec'), 'types');
  if (!isObject(types)) return;
  for (const [name, raw] of Object.entries(types)) {
    const type = context.types.get(typeName(library, name));
    const path = ['spec', 'types', name];
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) {
      report({
        code: 'KF3003',
        path,
        at: 'key',
        message: `"${name}" cannot be the name of a type: write it in CamelCase`,
      });
    }
    if (type === undefined) continue;
    if (type.written.raw !== raw)
      report({
        code: 'KF3021',
        path,
        at: 'key',
        message: `type \`${type.name}\` is written twice, first in ${type.source.path}`,
      });
    else checkType(type, raw, path, context, report);
  }
}

function checkType(
  type: ResolvedType,
  raw: ResolvedType['written']['raw'],
  path: readonly string[],
  context: ReferenceContext,
  report: Report,
): void {
  if (!isWithinBounds(type.extent)) {
    if (usesTooLarge(type.references, context)) return;
    report({
      code: 'KF3022',
      path,
      at: 'key',
      message: `with all its references the type has more than ${MAX_SCHEMA_NODES} fields`,
    });
    return;
  }
  const defaults = createDefaultCheck();
  const rules = [referenceRule(context), ...schemaRules, defaults.rule];
  checkStructure({ raw, schema: type.schema, path, level: 'value', isNative: true, hasStatus: false }, report);
  walkSchema(raw, type.schema, below(undefined, ...path), 'value', { isNative: true, rules, valueRules, report });
  defaults.finish(report);
  checkRules(raw, type.schema, path, false, report);
}

/** Returns whether something is too large only because it refers to a type that is too large. */
export function usesTooLarge(references: readonly Reference[], { types }: ReferenceContext): boolean {
  return references.some(({ target }) => {
    const type = types.get(target);
    return type !== undefined && !isWithinBounds(type.extent);
  });
}
