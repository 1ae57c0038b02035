/** Loads the definitions of a folder, in the place of kinds of the same name. */
import { statSync } from 'node:fs';
import type { ResourceModule } from '../runtime/contract/index.js';
import type { Kinds } from './kinds.js';
import { OptionError } from './option-error.js';

/** Definitions have mistakes; the message names all of them. */
export class DefinitionsError extends Error {}

/** Rejects where the path is no folder. */
export function checkFolder(schemas: string): void {
  if (statSync(schemas, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new OptionError(
    (nameOf) => `${nameOf('schemas')} ${schemas} is not a folder; name the one that has your definitions`,
  );
}

/** A folder of definitions, or what has been made of definitions before. */
export type Schemas = string | { readonly modules: readonly ResourceModule[] };

/** The kinds with those of the definitions, where there are any. Rejects with a `DefinitionsError`. */
export async function withDefinitions(kinds: Kinds, schemas: Schemas | undefined): Promise<Kinds> {
  if (schemas === undefined) return kinds;
  const given = typeof schemas === 'string' ? await loadModules(schemas) : schemas.modules;
  const replaced = new Set(given.map(resourceOf));
  return { ...kinds, modules: [...kinds.modules.filter((module) => !replaced.has(resourceOf(module))), ...given] };
}

async function loadModules(schemas: string): Promise<readonly ResourceModule[]> {
  const { loadDefinitions } = await import('../generator/check/load-definitions.js');
  const { modulesOf } = await import('../generator/modules/modules.js');
  const { printDiagnostic } = await import('../generator/diagnostics/print.js');
  const { createNumbering } = await import('../generator/lock/number-model.js');
  const loaded = loadDefinitions(schemas);
  const { model, diagnostics } = createNumbering(schemas)(loaded.model);
  const errors = [...loaded.diagnostics, ...diagnostics].filter((one) => one.severity !== 'warning');
  if (errors.length === 0) return modulesOf(model);
  throw new DefinitionsError(`the definitions have mistakes\n${errors.map(printDiagnostic).join('\n')}`);
}

const resourceOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;
