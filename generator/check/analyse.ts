/** Reads one document into a resource and finds its mistakes. */
import type { Schema } from '../../runtime/contract/index.js';
import { get, isObject, list, type Raw } from '../../runtime/schema/read.js';
import { severityOf } from '../diagnostics/codes.js';
import type { Problem, Report } from '../diagnostics/problem.js';
import type { TypeLibrary } from '../load/definition-format.js';
import type { LoadedFile } from '../load/load-folder.js';
import { readCustomResource } from '../model/custom-resource.js';
import type { ResourceModel } from '../model/model.js';
import { readNativeResource } from '../model/native-resource.js';
import { Part } from '../model/part.js';
import { findReferences, typeName } from '../model/references.js';
import type { ResolvedTypes, WrittenType } from '../model/shared-types.js';
import { checkDefinition, checkShape } from './definition.js';
import { classify, type Definition } from './document-kind.js';
import { checkLibrary } from './library.js';
import type { ReferenceContext } from './schema/references.js';

/** One document of one file. */
export interface Document {
  readonly file: LoadedFile;
  readonly index: number;
  /** Absent if the document is not a definition; `problems` has the reason. */
  readonly definition: Definition | undefined;
  readonly problems: readonly Problem[];
}

/** The content of one document, and what it depends on. */
export interface Analysis {
  /** Absent for a document that is not a resource definition. */
  readonly resource?: ResourceModel;
  readonly problems: readonly Problem[];
  /** The schema that each reference named. */
  readonly uses: ReadonlyMap<string, Schema | undefined>;
}

/** Maximum number of mistakes reported for one document. */
const MAX_PROBLEMS = 1_000;

/** Lists the documents of a file. */
export function documentsOf(file: LoadedFile): readonly Document[] {
  return file.documents.flatMap((value, index): Document[] => {
    if (value === undefined) return [];
    const { problems, report } = collect();
    return [{ file, index, definition: classify(value, report), problems }];
  });
}

/** Lists the types that a document defines. */
export function typesOf({ definition, file }: Document): readonly WrittenType[] {
  if (definition?.kind !== 'TypeLibrary') return [];
  const written = new Part<TypeLibrary>(definition.value);
  const library = written.part('metadata').string('name') ?? '';
  const types = written.part('spec').get('types');
  if (!isObject(types)) return [];
  const fieldPresence = written.part('spec').choice('fieldPresence', ['implicit']) ?? 'explicit';
  const source = { path: file.path, hash: file.hash };
  return Object.entries(types).map(([type, raw]) => ({ name: typeName(library, type), raw, fieldPresence, source }));
}

/** How much to check: everything, or only whether definitions can be read, which takes a fraction of the time. */
export type Checks = 'all' | 'shape';

export function analyse(
  { definition, file, problems: known }: Document,
  context: ReferenceContext,
  checks: Checks = 'all',
): Analysis {
  if (definition === undefined) return { problems: known, uses: new Map() };
  const { problems, report } = collect();
  if (definition.kind === 'TypeLibrary') {
    checkLibrary(definition, context, report);
    return { problems, uses: new Map() };
  }
  const source = { path: file.path, hash: file.hash };
  const isNative = definition.kind === 'ResourceDefinition';
  const resource = isNative
    ? readNativeResource(definition.value, source, (reference) => context.types.get(reference))
    : readCustomResource(definition.value, source);
  if (checks === 'all') checkDefinition(definition, resource, context, report);
  else checkShape(definition, resource, report);
  return { resource, problems, uses: isNative ? usesOf(definition.value, context.types) : new Map() };
}

/** Returns whether an earlier analysis would be the same with these types. */
export function isCurrent({ uses }: Analysis, types: ResolvedTypes): boolean {
  return [...uses].every(([name, schema]) => types.get(name)?.schema === schema);
}

/** Returns whether problems keep a document of this kind out of the model. */
export function hasErrors(problems: readonly Problem[], definition: Definition | undefined): boolean {
  const isNative = definition?.kind !== 'CustomResourceDefinition';
  return problems.some((problem) => severityOf(problem.code, isNative) === 'error');
}

function usesOf(value: Raw, types: ResolvedTypes): ReadonlyMap<string, Schema | undefined> {
  const versions = list(get(get(value, 'spec'), 'versions'));
  const schemas = versions.map((version) => get(get(version, 'schema'), 'openAPIV3Schema'));
  const names = schemas.flatMap((schema) => findReferences(schema).map((each) => each.target));
  return new Map(names.map((name) => [name, types.get(name)?.schema]));
}

function collect(): { readonly problems: Problem[]; readonly report: Report } {
  const problems: Problem[] = [];
  return { problems, report: (problem) => void (problems.length < MAX_PROBLEMS && problems.push(problem)) };
}
