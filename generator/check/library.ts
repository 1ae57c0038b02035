/** Asks every rule about one type library. */
import { get, isObject, string } from '../../runtime/schema/read.js';
import type { Report } from '../diagnostics/problem.js';
import { typeName } from '../model/references.js';
import type { Definition } from './document-kind.js';
import { checkFormat } from './format.js';
import { checkSchema } from './schema/check-schema.js';
import type { ReferenceContext } from './schema/references.js';

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
    else {
      const { schema } = type;
      checkSchema({ raw, schema, path, level: 'value', isNative: true, hasStatus: false }, context, report);
    }
  }
}
