/** Reads a folder of definitions into a model, with every mistake in it; an earlier result makes the next one cheap. */
import type { Schema } from '../runtime/contract/index.js';
import { classify, type Definition } from './check/document-kind.js';
import { diagnoseFile, diagnosePath, type PlacedProblem } from './diagnostics/diagnose.js';
import { compare } from './load/find-files.js';
import { type LoadedFile, type LoadedFolder, loadFolder, type OnFile } from './load/load-folder.js';
import { readCustomResource } from './model/custom-resource.js';
import { readNativeResource } from './model/native-resource.js';
import { get, isObject, type Raw, string } from './model/read.js';
import { findReferences, typeName } from './model/references.js';
import { type ResolvedTypes, resolveTypes, type WrittenType } from './model/shared-types.js';
import type { Diagnostic, Model, ResourceModel } from './model.js';

/** What a folder says. */
export interface Definitions {
  /** What is free of errors. Resources and types that have not changed are the same objects as in the result before. */
  readonly model: Model;
  /** By file, line and column. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the next reading of the same folder starts from. */
  readonly state: State;
}

/** What was read, kept between readings. */
export interface State {
  readonly folder: LoadedFolder;
  readonly types: ResolvedTypes;
  readonly analyses: ReadonlyMap<Raw, Analysis>;
}

/** One document of one file. */
interface Document extends Definition {
  readonly file: LoadedFile;
  readonly index: number;
}

/** What one resource definition says, and what that was made from. */
interface Analysis {
  readonly resource: ResourceModel;
  readonly uses: ReadonlyMap<string, Schema | undefined>;
  readonly problems: readonly PlacedProblem[];
}

/** Reads the definitions below a folder. Never throws for what files contain. */
export function loadDefinitions(folder: string, previous?: Definitions, onFile?: OnFile): Definitions {
  const loaded = loadFolder(folder, previous?.state.folder, onFile);
  const problems = new Map<LoadedFile, PlacedProblem[]>(loaded.files.map((file) => [file, []]));
  const documents = loaded.files.flatMap((file) => documentsOf(file, problems.get(file) ?? []));
  const types = resolveTypes(documents.flatMap(typesOf), previous?.state.types);
  const analyses = new Map<Raw, Analysis>();
  for (const document of documents) {
    if (document.kind === 'TypeLibrary') continue;
    const known = previous?.state.analyses.get(document.value);
    const analysis = known !== undefined && isCurrent(known, types) ? known : analyse(document, types);
    analyses.set(document.value, analysis);
    problems.get(document.file)?.push(...analysis.problems);
  }
  const diagnostics = [
    ...loaded.unreadable.map((each) => diagnosePath(each.path, 'KF1001', each.message)),
    ...loaded.files.flatMap((file) => diagnoseFile(file, problems.get(file) ?? [])),
  ];
  const resources = [...analyses.values()].map((analysis) => analysis.resource).sort(byGroupAndPlural);
  return { model: { resources, types }, diagnostics, state: { folder: loaded, types, analyses } };
}

function documentsOf(file: LoadedFile, problems: PlacedProblem[]): readonly Document[] {
  return file.documents.flatMap((value, index): readonly Document[] => {
    if (value === undefined) return [];
    const definition = classify(value, (problem) => problems.push({ ...problem, document: index }));
    return definition === undefined ? [] : [{ ...definition, file, index }];
  });
}

function typesOf(document: Document): readonly WrittenType[] {
  if (document.kind !== 'TypeLibrary') return [];
  const { value, file } = document;
  const library = string(get(get(value, 'metadata'), 'name')) ?? '';
  const spec = get(value, 'spec');
  const types = get(spec, 'types');
  if (!isObject(types)) return [];
  const fieldPresence = get(spec, 'fieldPresence') === 'implicit' ? 'implicit' : 'explicit';
  const source = { path: file.path, hash: file.hash };
  return Object.entries(types).map(([type, raw]) => ({ name: typeName(library, type), raw, fieldPresence, source }));
}

function analyse({ kind, value, file }: Document, types: ResolvedTypes): Analysis {
  const source = { path: file.path, hash: file.hash };
  const references = kind === 'ResourceDefinition' ? findReferencesOfVersions(value) : [];
  const resource =
    kind === 'ResourceDefinition'
      ? readNativeResource(value, source, (reference) => types.get(reference))
      : readCustomResource(value, source);
  const uses = new Map(references.map((name) => [name, types.get(name)?.schema]));
  return { resource, uses, problems: [] };
}

function findReferencesOfVersions(value: Raw): readonly string[] {
  const versions = get(get(value, 'spec'), 'versions');
  if (!Array.isArray(versions)) return [];
  const schemas = versions.map((version) => get(get(version, 'schema'), 'openAPIV3Schema'));
  return schemas.flatMap((schema) => findReferences(schema).map((each) => each.target));
}

function isCurrent(analysis: Analysis, types: ResolvedTypes): boolean {
  return [...analysis.uses].every(([name, schema]) => types.get(name)?.schema === schema);
}

function byGroupAndPlural(a: ResourceModel, b: ResourceModel): number {
  return compare(a.group, b.group) || compare(a.names.plural, b.names.plural);
}
