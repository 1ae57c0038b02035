/** Plans the changes of documents, and applies them. */
import {
  type AppliedManifest,
  type ApplyAllOptions,
  type DynamicApi,
  type DynamicObject,
  type FieldConflict,
  inApplyOrder,
  isApplyConflict,
  isNotFound,
  isUnknownKind,
} from 'kindforge/client';
import type { FieldChange } from '../object/diff.js';
import { storedChanges } from '../schema/stored-changes.js';
import { readDocuments, type SourceDocument } from './documents.js';

/** The manager of the fields that the console applies. */
export const manager = 'kindforge-console';

/** Requests of a plan at one time. A browser does not send more to one server. */
const concurrency = 6;

/** The fate of a document: `waits` if another document makes its kind or namespace. */
export type Fate = 'created' | 'changed' | 'unchanged' | 'refused' | 'conflict' | 'waits';

/** One document of a plan. */
export interface Step {
  readonly manifest: DynamicObject;
  readonly fate: Fate;
  /** The fields that the document or the server changes. */
  readonly changes: readonly FieldChange[];
  /** The reason of a refusal, or the conflict. */
  readonly error?: unknown;
  /** The fields that the document takes over from other managers. */
  readonly taken?: readonly FieldConflict[];
}

/**
 * Reads documents, and adds missing namespaces. Resolves to them in the order of application. Rejects with a
 * `DocumentsError`.
 */
export async function documentsOf(
  client: DynamicApi,
  text: string,
  namespace: string,
  signal?: AbortSignal,
): Promise<SourceDocument[]> {
  const [documents, { kinds }] = await Promise.all([readDocuments(text, signal), client.kinds()]);
  const ofCluster = new Set(
    kinds.filter(({ scope }) => scope === 'Cluster').map((one) => JSON.stringify([versionOf(one), one.kind])),
  );
  const placed = documents.map((source) => {
    const { apiVersion, kind, metadata } = source.object;
    const isLeft =
      metadata.namespace !== undefined || namespace === '' || ofCluster.has(JSON.stringify([apiVersion, kind]));
    return {
      ...source,
      kind,
      object: isLeft ? source.object : { ...source.object, metadata: { ...metadata, namespace } },
    };
  });
  return inApplyOrder(placed);
}

const versionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`;

interface PlanOptions {
  readonly signal: AbortSignal;
  /** All documents to apply together. Default: the planned ones. */
  readonly all?: readonly DynamicObject[];
  /** Whether the documents take over fields from other managers. */
  readonly force?: boolean;
  readonly onStep: (step: Step) => void;
}

/** Asks the server for the effect of each document. Calls `onStep` with each once its answers arrive. */
export async function plan(
  client: DynamicApi,
  documents: readonly DynamicObject[],
  { signal, all = documents, force = false, onStep }: PlanOptions,
): Promise<void> {
  await client.applyAll(documents, {
    fieldManager: manager,
    dryRun: true,
    force,
    concurrency,
    signal,
    onResult: async (result) => {
      const before = result.object === undefined ? {} : await current(client, result.manifest, signal);
      if (!signal.aborted) onStep(stepOf(result, before, all));
    },
  });
}

/** The present object: empty if it does not exist, with an error if that is unknown. */
export interface Before {
  readonly object?: DynamicObject;
  readonly error?: unknown;
}

/** Reads an object. Never rejects. */
async function current(client: DynamicApi, document: DynamicObject, signal: AbortSignal): Promise<Before> {
  try {
    return document.metadata.name === undefined ? {} : { object: await client.get(document, { signal }) };
  } catch (error) {
    return isNotFound(error) || isUnknownKind(error) ? {} : { error };
  }
}

/** Returns the step for an outcome of a dry run. */
export function stepOf(
  { manifest, object, error }: AppliedManifest,
  before: Before,
  documents: readonly DynamicObject[],
): Step {
  if (object === undefined) {
    const waits = documents.some(
      (document) =>
        (isUnknownKind(error) && defines(document, manifest)) || (isNotFound(error) && isPlaceOf(document, manifest)),
    );
    return { manifest, fate: waits ? 'waits' : isApplyConflict(error) ? 'conflict' : 'refused', changes: [], error };
  }
  // Without the present object, the changes of the document are unknown.
  if (before.error !== undefined) return { manifest, fate: 'refused', changes: [], error: before.error };
  const { changes, filledIn } = storedChanges(before.object, object, manifest);
  if (before.object === undefined) return { manifest, fate: 'created', changes: [...changes, ...filledIn] };
  const differing = storedChanges(before.object, object, object).changes;
  return { manifest, fate: differing.length === 0 ? 'unchanged' : 'changed', changes: differing };
}

/** Returns whether a document is the namespace of another one. */
const isPlaceOf = ({ kind, metadata }: DynamicObject, { metadata: { namespace } }: DynamicObject): boolean =>
  kind === 'Namespace' && namespace !== undefined && metadata.name === namespace;

/** Returns whether a document defines the kind of another one. */
function defines({ kind, spec }: DynamicObject, { apiVersion, kind: wanted }: DynamicObject): boolean {
  if (kind !== 'CustomResourceDefinition' || typeof spec !== 'object' || spec === null) return false;
  const group: unknown = Reflect.get(spec, 'group');
  const names: unknown = Reflect.get(spec, 'names');
  const defined: unknown = typeof names === 'object' && names !== null ? Reflect.get(names, 'kind') : undefined;
  return defined === wanted && typeof group === 'string' && apiVersion.startsWith(`${group}/`);
}

/** Applies documents. Calls `onResult` with each outcome; a failure does not stop the others. */
export async function carryOut(
  client: DynamicApi,
  documents: readonly DynamicObject[],
  options: Pick<ApplyAllOptions, 'forces' | 'signal' | 'onResult'>,
): Promise<void> {
  await client.applyAll(documents, { fieldManager: manager, concurrency, definitionTimeoutMs: 10_000, ...options });
}
