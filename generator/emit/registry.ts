/** Emits the registry: the list of all resource modules, for servers. */
import { StructureKind } from 'ts-morph';
import type { Emitter, Model, OutputFile } from '../model.js';
import { entriesOf, headerFor, importPath, resourceFolder } from './layout.js';
import { createNameScope } from './name-scope.js';
import { toPascal } from './naming.js';
import { namesOfResources, remember } from './remember.js';
import { groupProperties, resourceProperty, versionProperty } from './resource-names.js';
import { printFile, type Statement } from './source-file.js';

const registryFile = (model: Model): OutputFile => {
  const groups = groupProperties(model);
  const scope = createNameScope(['ResourceModule', 'registry']);
  const modules = entriesOf(model).map(({ resource, version }) => {
    const name = resourceProperty(resource);
    const group = groups.get(resource.group) ?? '';
    const local = scope.choose([name, group + toPascal(versionProperty(version.name)) + toPascal(name)]);
    const statement: Statement = {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: importPath('', `${resourceFolder(resource, version)}/resource.ts`),
      namedImports: [{ name: 'resource', alias: local }],
    };
    return { local, statement };
  });
  return printFile('registry.ts', headerFor([]), [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      moduleSpecifier: 'kindforge/contract',
      namedImports: ['ResourceModule'],
    },
    ...modules.map(({ statement }) => statement),
    '\n/** Every version of every resource, by group and plural. */',
    `export const registry: readonly ResourceModule[] = [\n${modules.map(({ local }) => `  ${local},\n`).join('')}];`,
  ]);
};

export const registryEmitter: Emitter = {
  name: 'registry',
  emitModel: remember(namesOfResources, (model) => [registryFile(model)]),
};
