/** Emits the registry: the list of all resource modules, for servers. */
import { StructureKind } from 'ts-morph';
import type { Model } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { headerFor, importPath, resourceFolder } from './layout.js';
import { ofNames } from './of-names.js';
import { treePlaces } from './resource-names.js';
import { printFile, type Statement } from './source/source-file.js';

const registryFile = (model: Model): OutputFile => {
  const modules = treePlaces(model, ['ResourceModule', 'registry']);
  const imports = modules.map(
    ({ resource, version, unique }): Statement => ({
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: importPath('', `${resourceFolder(resource, version)}/resource.ts`),
      namedImports: [{ name: 'resource', alias: unique }],
    }),
  );
  return printFile('registry.ts', headerFor([]), [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      moduleSpecifier: 'kindforge/contract',
      namedImports: ['ResourceModule'],
    },
    ...imports,
    '\n/** Every version of every resource, by group and plural. */',
    `export const registry: readonly ResourceModule[] = [\n${modules.map(({ unique }) => `  ${unique},\n`).join('')}];`,
  ]);
};

export const registryEmitter: Emitter = {
  name: 'registry',
  emitModel: ofNames((model) => [registryFile(model)]),
};
