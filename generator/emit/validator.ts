/** Emits the typed validators of each resource version. */
import { StructureKind } from 'ts-morph';
import type { ResourceModel, VersionModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { apiVersionOf, hasTypes, headerFor, resourceFolder } from './layout.js';
import { hasRules } from './resource.js';
import { printLiteral } from './source/literal.js';
import { printFile, type Statement } from './source/source-file.js';
import { localType } from './types/kind-types.js';

interface Named {
  name: string;
  alias?: string;
  isTypeOnly?: boolean;
}

export const validatorEmitter: Emitter = {
  name: 'validator',
  emitResource: (resource) =>
    resource.versions
      .filter((version) => hasTypes({ resource, version }))
      .map((version) => validatorFile(resource, version)),
};

const importOf = (moduleSpecifier: string, namedImports: Named[], isTypeOnly = false): Statement => ({
  kind: StructureKind.ImportDeclaration,
  isTypeOnly,
  moduleSpecifier,
  namedImports,
});

const validatorFile = (resource: ResourceModel, version: VersionModel): OutputFile => {
  const { object, name, specifier } = localType(resource, ['Validator']);
  const ruled = hasRules(version);
  const options = {
    entries: [
      ['apiVersion', apiVersionOf(resource, version)],
      ['kind', resource.names.kind],
      ['decoding', resource.decoding],
      ['schema', { code: 'schema' }],
      ...(ruled ? [['rules', { code: 'ruleCheck(schema, rules)' }] as const] : []),
    ] as const,
  };
  const type = `Validator<${name}>`;
  const start = `const validator: ${type} = defineValidator(`;
  return printFile(`${resourceFolder(resource, version)}/validator.ts`, headerFor([resource.source]), [
    ...(ruled ? [importOf('kindforge/cel', [{ name: 'ruleCheck' }])] : []),
    importOf('kindforge/contract', [{ name: 'defineValidator' }, { name: 'Validator', isTypeOnly: true }]),
    ...(ruled ? [importOf('./rules.js', [{ name: 'rules' }])] : []),
    importOf('./schema.js', [{ name: 'schema' }]),
    importOf('./types.js', [specifier], true),
    `\n${start}${printLiteral(options, start.length)});`,
    `\n/** Reports whether a value is a valid ${object}. */`,
    `export const is${object}: ${type}['is'] = validator.is;`,
    `\n/** Returns all violations; none for a valid ${object}. Also a Standard Schema, which fills in defaults. */`,
    `export const validate${object}: ${type}['validate'] = validator.validate;`,
    `\n/** Returns a copy of the ${object} with its defaults filled in. */`,
    `export const default${object}: ${type}['fillIn'] = validator.fillIn;`,
  ]);
};
