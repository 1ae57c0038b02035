/** Reads a folder of definitions into a model, with every mistake in it. Reuses the results of an earlier reading. */
import { isReached } from '../../runtime/objects/release.js';
import { severityOf } from '../diagnostics/codes.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Path, Problem } from '../diagnostics/problem.js';
import { type LoadedFile, type LoadedFolder, loadFolder, type OnFile } from '../load/load-folder.js';
import type { Model, ResourceModel } from '../model/model.js';
import { resolveTypes } from '../model/shared-types.js';
import { compare } from '../write/order.js';
import {
  type Analysis,
  analyse,
  type Checks,
  type Document,
  documentsOf,
  hasErrors,
  isCurrent,
  typesOf,
} from './analyse.js';
import { checkStoredAs } from './conversion/stored-as.js';
import { type Diagnosed, diagnoseFile, diagnosePath } from './diagnose.js';
import { checkReferenceTargets, knownKinds } from './relation-targets.js';
import type { ReferenceContext } from './schema/references.js';

/** The content of a folder. */
export interface Definitions {
  /** All resources and types without errors. Unchanged ones are the same objects as in the previous result. */
  readonly model: Model;
  /** By file, line and column. */
  readonly diagnostics: readonly Diagnostic[];
  /** State that makes the next reading of the same folder fast. */
  readonly state: State;
}

/** The results that are kept between readings. */
export interface State {
  readonly folder: LoadedFolder;
  readonly context: ReferenceContext;
  /** By the value of the document. */
  readonly analyses: ReadonlyMap<unknown, Analysis>;
  readonly diagnosed: ReadonlyMap<LoadedFile, Diagnosed>;
}

/** A document with its analysis. */
interface Analysed {
  readonly document: Document;
  readonly analysis: Analysis;
  readonly collisions: Problem[];
}

/** Reads the definitions below a folder. Never throws for what files contain. */
export function loadDefinitions(folder: string, previous?: Definitions, onFile?: OnFile): Definitions {
  return analyseFolder(loadFolder(folder, previous?.state.folder, onFile), previous, 'all', onFile);
}

/**
 * Checks the files of a folder. Never throws because of their content. A result with fewer than all checks is only for
 * comparing, and cannot be the previous result of a full reading.
 */
export function analyseFolder(
  loaded: LoadedFolder,
  previous?: Definitions,
  checks: Checks = 'all',
  onFile?: OnFile,
): Definitions {
  const documents = loaded.files.flatMap((file) => documentsOf(file));
  const context = contextOf(documents, loaded, previous?.state.context);
  const analysed = documents.map((document, index): Analysed => {
    const analysis = reuse(document, context, previous?.state) ?? analyse(document, context, checks);
    onFile?.(index + 1, documents.length, document.file.path, 'checking');
    return { document, analysis, collisions: [] };
  });
  collide(analysed);
  const diagnosed = diagnose(loaded.files, analysed, previous?.state.diagnosed);
  const resources = analysed.flatMap((each) =>
    isSound(each) && each.analysis.resource ? [each.analysis.resource] : [],
  );
  return {
    model: { resources: resources.sort(byGroupAndPlural), types: context.types },
    diagnostics: [...problemsOf(loaded), ...[...diagnosed.values()].flatMap((each) => each.diagnostics)],
    state: { folder: loaded, context, analyses: analysesOf(analysed), diagnosed },
  };
}

function contextOf(
  documents: readonly Document[],
  loaded: LoadedFolder,
  previous?: ReferenceContext,
): ReferenceContext {
  const types = resolveTypes(documents.flatMap(typesOf), previous?.types);
  const cycles = new Set([...types.values()].flatMap((type) => type.cycles.map((each) => each.node)));
  return { types, cycles, isIncomplete: loaded.unreadable.length > 0 || loaded.files.some(isBroken) };
}

/** Returns whether a file lacks some of its documents because of a mistake. */
function isBroken(file: LoadedFile): boolean {
  return file.problems.some((problem) => problem.code !== 'KF1004' && severityOf(problem.code, true) === 'error');
}

/**
 * Returns an earlier analysis that is still valid. Libraries are analysed each time, since each may refer to every
 * other.
 */
function reuse(document: Document, context: ReferenceContext, state: State | undefined): Analysis | undefined {
  const known = state?.analyses.get(document.definition?.value);
  if (known === undefined || document.definition?.kind === 'TypeLibrary') return undefined;
  return isCurrent(known, context.types) && state?.context.isIncomplete === context.isIncomplete ? known : undefined;
}

function analysesOf(analysed: readonly Analysed[]): ReadonlyMap<unknown, Analysis> {
  return new Map(
    analysed.flatMap(({ document, analysis }) => (document.definition ? [[document.definition.value, analysis]] : [])),
  );
}

function collide(analysed: readonly Analysed[]): void {
  const owned = analysed.flatMap((owner) =>
    owner.analysis.resource ? [{ owner, resource: owner.analysis.resource }] : [],
  );
  for (const { owner, problem } of findCollisions(owned)) owner.collisions.push(problem);
  const sound = owned.filter(({ owner }) => isSound(owner));
  const known = {
    all: new Map(owned.map(({ resource }) => [`${resource.group}/${resource.names.plural}`, resource])),
    sound: new Set(sound.map(({ resource }) => resource)),
  };
  const kinds = knownKinds(owned.map(({ resource }) => resource));
  for (const { owner, resource } of sound) {
    owner.collisions.push(...checkStoredAs(resource, known), ...checkReferenceTargets(resource, kinds));
  }
}

function isSound({ document, analysis, collisions }: Analysed): boolean {
  if (hasErrors([...collisions, ...analysis.problems], document.definition)) return false;
  return document.file.problems.every((problem) => severityOf(problem.code, true) === 'warning');
}

function diagnose(
  files: readonly LoadedFile[],
  analysed: readonly Analysed[],
  previous: ReadonlyMap<LoadedFile, Diagnosed> | undefined,
): ReadonlyMap<LoadedFile, Diagnosed> {
  const placed = new Map(files.map((file) => [file, [] as Diagnosed['problems'][number][]]));
  for (const { document, analysis, collisions } of analysed) {
    const isNative = document.definition?.kind !== 'CustomResourceDefinition';
    for (const problem of [...analysis.problems, ...collisions]) {
      placed.get(document.file)?.push({ problem, document: document.index, isNative });
    }
  }
  return new Map([...placed].map(([file, problems]) => [file, diagnoseFile(file, problems, previous?.get(file))]));
}

const missingFolder = 'name the folder of your definitions with --schemas';

function problemsOf({ unreadable, files }: LoadedFolder): readonly Diagnostic[] {
  const found = unreadable.map((each) =>
    diagnosePath(each.path, 'KF1001', each.message, each.path === '.' ? missingFolder : undefined),
  );
  if (found.length > 0 || files.length > 0) return found;
  const suggestion = 'write a definition into a file that ends in .yaml, .yml or .json';
  return [diagnosePath('.', 'KF1013', 'the folder has no definitions', suggestion)];
}

function byGroupAndPlural(a: ResourceModel, b: ResourceModel): number {
  return compare(a.group, b.group) || compare(a.names.plural, b.names.plural);
}

/** A problem of one resource with another. */
interface Collision<T> {
  readonly owner: T;
  readonly problem: Problem;
}

interface Owned<T> {
  readonly owner: T;
  readonly resource: ResourceModel;
}

/**
 * Returns every name that another resource already has, in the order of the resources. Two resources may have the same
 * names if no release has both.
 */
function findCollisions<T>(resources: readonly Owned<T>[]): readonly Collision<T>[] {
  const found: Collision<T>[] = [];
  const taken = new Map<string, ResourceModel[]>();
  const holderOf = (key: string, resource: ResourceModel): ResourceModel | undefined =>
    taken.get(key)?.find((holder) => meet(holder, resource));
  for (const { owner, resource } of resources) {
    const { group, names } = resource;
    if (names.plural === '' || names.kind === '') continue;
    const first = holderOf(`resource ${group} ${names.plural}`, resource);
    if (first?.names.plural === names.plural) {
      found.push({ owner, problem: twice(resource, first) });
      continue;
    }
    const claim = (space: string, name: string, path: Path): void => {
      const key = `${space} ${group} ${name}`;
      const holder = holderOf(key, resource);
      if (holder === undefined) taken.set(key, [...(taken.get(key) ?? []), resource]);
      else if (holder !== resource) found.push({ owner, problem: clash(name, holder, path) });
    };
    claim('resource', names.plural, ['plural']);
    claim('resource', names.singular, ['singular']);
    names.shortNames.forEach((name, index) => {
      claim('resource', name, ['shortNames', index]);
    });
    claim('kind', names.kind, ['kind']);
    if (resource.verbs.includes('list')) claim('kind', names.listKind, ['listKind']);
  }
  return found;
}

/** Returns whether a release may have both resources: neither is removed before the other is introduced. */
const meet = (a: ResourceModel, b: ResourceModel): boolean => !endsBefore(a, b) && !endsBefore(b, a);

/** Returns whether every version of a resource has been removed when the first version of another one is introduced. */
function endsBefore(earlier: ResourceModel, later: ResourceModel): boolean {
  return later.versions.every(
    ({ stability: { introduced } = {} }) =>
      introduced !== undefined && earlier.versions.every(({ stability }) => isReached(stability?.removed, introduced)),
  );
}

function twice({ group, names }: ResourceModel, other: ResourceModel): Problem {
  const where = `, first in ${other.source.path}`;
  const id = group === '' ? names.plural : `${names.plural}.${group}`;
  return { code: 'KF4009', path: ['metadata', 'name'], message: `${id} is defined twice${where}` };
}

function clash(name: string, holder: ResourceModel, path: Path): Problem {
  const message = `"${name}" is already a name of ${holder.names.plural}, in ${holder.source.path}`;
  return { code: 'KF4010', path: ['spec', 'names', ...path], message };
}
