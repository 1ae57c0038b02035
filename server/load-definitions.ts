/** Loads the definitions of a folder, which replace kinds of the same name. */
import type { Definitions } from '../generator/check/load-definitions.js';
import type { Diagnostic } from '../generator/diagnostics/diagnostic.js';
import { isFolder } from '../generator/load/find-files.js';
import type { Model } from '../generator/model/model.js';
import type { LoadProgress, ResourceModule } from '../runtime/contract/index.js';
import { isRelease, projectRelease } from '../runtime/objects/release.js';
import { modulesInRelease } from '../runtime/server/index.js';
import { clashOf } from './clashing-names.js';
import type { Kinds } from './kinds.js';
import { type OnProblem, OptionError } from './option-error.js';

/** Thrown if definitions have mistakes, or names of other kinds. The message has all of these. */
export class DefinitionsError extends Error {}

/** Thrown if definitions break a release. The message has the report of `kindforge check`. */
export class BreakingChangesError extends DefinitionsError {
  constructor(report: readonly string[]) {
    super(`the definitions break what is released\n${report.join('\n')}`);
  }
}

/** Rejects if the path is not a folder. */
export function checkFolder(schemas: string): void {
  if (isFolder(schemas)) return;
  throw new OptionError(
    (nameOf) => `${nameOf('schemas')} ${schemas}: must be a folder; name the one that has your definitions`,
  );
}

/** A folder of definitions, or the modules made from definitions. */
export type Schemas = string | { readonly modules: readonly ResourceModule[] };

/**
 * Adds the kinds of the definitions, if there are any, as they are in the release of the project. Rejects with a
 * `DefinitionsError`.
 */
export async function withDefinitions(
  kinds: Kinds,
  schemas: Schemas | undefined,
  { review, release }: { readonly review?: ReviewDefinitions; readonly release?: string | undefined } = {},
): Promise<Kinds> {
  if (schemas === undefined) return kinds;
  const all = typeof schemas === 'string' ? await modulesOfFolder(schemas, review) : schemas.modules;
  const given = inProjectRelease(all, release);
  const replaced = new Set(given.map(resourceOf));
  const others = kinds.modules.filter((module) => !replaced.has(resourceOf(module)));
  const clash = clashOf(others, given);
  if (clash !== undefined) throw new DefinitionsError(clash);
  const projectModules = release === undefined ? {} : { projectModules: all };
  return { ...kinds, modules: [...others, ...given], ...projectModules };
}

/**
 * Returns the modules of a release of the project, as in `2.1`. Without a release, returns the whole modules. Throws an
 * `OptionError`.
 */
export function inProjectRelease(
  modules: readonly ResourceModule[],
  release: string | undefined,
): readonly ResourceModule[] {
  if (release === undefined) return modules;
  if (!isRelease(release)) {
    throw new OptionError((nameOf) => `${nameOf('projectRelease')} ${release}: must be two numbers, as in 2.1`);
  }
  return modulesInRelease(modules, projectRelease(release)).map((module) => ({ ...module, projectRelease: release }));
}

/** Compares the definitions of a folder with the released ones. Rejects if it refuses them. */
export type ReviewDefinitions = (schemas: string, definitions: Definitions) => Promise<void>;

async function modulesOfFolder(schemas: string, review?: ReviewDefinitions): Promise<readonly ResourceModule[]> {
  const { modules, definitions } = await loadModules(schemas);
  await review?.(schemas, definitions);
  return modules;
}

/**
 * Refuses definitions that break a release, as `kindforge check` does. If breaks are allowed, reports them and
 * continues. Rejects with a `DefinitionsError`.
 */
export function refuseBreaks({ allowBreakingChanges = false, onProblem }: BreakOptions): ReviewDefinitions {
  return async (schemas, definitions) => {
    const { openGate } = await import('../generator/commands/open-gate.js');
    const { hasErrors, printDiagnostic } = await import('../generator/diagnostics/print.js');
    const found = (await openGate({ schemas }))?.(definitions) ?? [];
    if (!hasErrors(found)) return;
    if (allowBreakingChanges) for (const each of found) onProblem(printDiagnostic(each));
    else throw new BreakingChangesError([...definitions.diagnostics, ...found].map(printDiagnostic));
  };
}

interface BreakOptions {
  readonly allowBreakingChanges?: boolean | undefined;
  readonly onProblem: OnProblem;
}

/** The kinds of the definitions of a folder. */
export interface LoadedModules {
  readonly modules: readonly ResourceModule[];
  readonly definitions: Definitions;
}

/** A text with definitions; the path is for messages. */
export interface DefinitionText {
  readonly path: string;
  readonly text: string;
}

/** Loads a folder. Returns `earlier` if nothing has changed since. Rejects with a `DefinitionsError`. */
export async function loadModules(schemas: string, earlier?: LoadedModules): Promise<LoadedModules> {
  const { loadDefinitions } = await import('../generator/check/load-definitions.js');
  const { createNumbering } = await import('../generator/lock/number-model.js');
  const definitions = loadDefinitions(schemas, earlier?.definitions);
  const isSame = definitions.state.folder.files.every(
    (file, at) => file === earlier?.definitions.state.folder.files[at],
  );
  if (earlier && isSame && sizeOf(definitions) === sizeOf(earlier.definitions)) return earlier;
  const { model, diagnostics } = createNumbering(schemas)(definitions.model);
  return { modules: await modulesWithout(model, [...definitions.diagnostics, ...diagnostics]), definitions };
}

/** Loads definitions from texts. Rejects with a `DefinitionsError`. */
export async function modulesOfTexts(texts: readonly DefinitionText[]): Promise<readonly ResourceModule[]> {
  const { analyseFolder } = await import('../generator/check/load-definitions.js');
  const { folderOfTexts } = await import('../generator/load/load-folder.js');
  const { numberAnew } = await import('../generator/lock/number-model.js');
  const { model, diagnostics } = analyseFolder(folderOfTexts(texts));
  return modulesWithout({ ...model, protobuf: numberAnew(model) }, diagnostics);
}

const sizeOf = ({ state }: Definitions): number => state.folder.files.length;

/** Returns the modules of a model, or rejects with its mistakes. */
async function modulesWithout(model: Model, diagnostics: readonly Diagnostic[]): Promise<readonly ResourceModule[]> {
  const { modulesOf } = await import('../generator/emit/modules.js');
  const { printDiagnostic } = await import('../generator/diagnostics/print.js');
  const errors = diagnostics.filter((one) => one.severity !== 'warning');
  if (errors.length === 0) return modulesOf(model);
  throw new DefinitionsError(`the definitions have mistakes\n${errors.map(printDiagnostic).join('\n')}`);
}

const resourceOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;

/** Formats progress as in `reads what is stored: 450,000 records, 45 %`. */
export function loadingText({ records, share }: LoadProgress): string {
  const part = share === undefined ? '' : `, ${Math.floor(share * 100)} %`;
  return `reads what is stored: ${records.toLocaleString('en')} records${part}`;
}
