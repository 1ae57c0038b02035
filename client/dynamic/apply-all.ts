/** Applies manifests that belong together, and deletes them again. */
import { isNotFound } from '../errors.js';
import type { ApplyOptions, DeleteOptions } from '../resource/options.js';
import { pause } from '../retry.js';
import type { Status } from '../types.js';
import { openManifests, readManifests } from './manifests.js';
import { type DynamicObject, isUnknownKind, type ObjectReference } from './types.js';

/** YAML or JSON text with any number of documents, or objects. */
export type Manifests = string | readonly object[];

/** The outcome for one manifest: the object on the server, or the error. */
export type AppliedManifest =
  | { readonly manifest: DynamicObject; readonly object: DynamicObject; readonly error?: undefined }
  | { readonly manifest: DynamicObject; readonly error: unknown; readonly object?: undefined };

/** The outcome of one deletion: whether the object existed, or the error. */
export interface DeletedManifest {
  readonly manifest: DynamicObject;
  readonly found: boolean;
  readonly error?: unknown;
}

/** Options to apply many manifests in one call. */
export type ApplyAllOptions = ApplyOptions & {
  /** How long to wait for a kind that is defined among the manifests, in milliseconds. Default: 30 000. */
  readonly definitionTimeoutMs?: number;
  /** Returns whether a manifest takes over fields from other managers. Default: the value of `force`. */
  readonly forces?: (manifest: DynamicObject) => boolean;
  /**
   * How many manifests of the same rank to apply at once. Manifests of the same object keep their order. Default: 1.
   */
  readonly concurrency?: number;
  /** Called with each outcome as it comes. If it returns a promise, the next manifest waits for the promise. */
  readonly onResult?: (result: AppliedManifest) => unknown;
};

export interface DeleteAllOptions extends DeleteOptions {
  /** Called with each outcome as it comes. */
  readonly onResult?: (result: DeletedManifest) => void;
}

/** The used requests. */
export interface ManifestRequests {
  apply(object: DynamicObject, options: ApplyOptions): Promise<DynamicObject>;
  delete(reference: ObjectReference, options?: DeleteOptions): Promise<DynamicObject | Status>;
}

/**
 * Applies manifests in this order: namespaces, definitions, kinds that others need, all other objects, webhooks.
 * Continues after errors. Waits for kinds that are defined among the manifests. Resolves to the outcomes in this order.
 * Rejects with the reason of the signal once it is aborted.
 */
export async function applyAll(
  requests: ManifestRequests,
  manifests: Manifests,
  { definitionTimeoutMs = 30_000, forces, concurrency = 1, onResult, ...options }: ApplyAllOptions,
): Promise<AppliedManifest[]> {
  const ordered = inApplyOrder(await toObjects(manifests));
  const definitions = ordered.filter(isDefinition);
  const applyOne = async (manifest: DynamicObject): Promise<AppliedManifest> => {
    const isOfOwnKind = !options.dryRun && definitions.some((definition) => definesKindOf(definition, manifest));
    const deadline = Date.now() + (isOfOwnKind ? definitionTimeoutMs : 0);
    const own = forces === undefined ? options : { ...options, force: forces(manifest) };
    const result = await outcomeOf(manifest, () => once(() => requests.apply(manifest, own), deadline, own));
    await onResult?.(result);
    return result;
  };
  const results: AppliedManifest[] = [];
  for (const rank of ranksOf(ordered)) {
    results.push(...(await forEachOf(rank, concurrency, applyOne, options.signal)));
  }
  return results;
}

/** Runs an action for manifests, several at once. Runs manifests of one object one after another. */
async function forEachOf<T>(
  manifests: readonly DynamicObject[],
  concurrency: number,
  act: (manifest: DynamicObject) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T[]> {
  const results: T[] = [];
  const left = manifests.entries();
  const running = new Map<string, Promise<unknown>>();
  const work = async (): Promise<void> => {
    for (const [at, manifest] of left) {
      signal?.throwIfAborted();
      const identity = identityOf(manifest);
      const acting = Promise.resolve(running.get(identity)).then(() => act(manifest));
      running.set(identity, acting);
      results[at] = await acting;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

const identityOf = ({ apiVersion, kind, metadata }: DynamicObject): string =>
  JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name]);

async function outcomeOf(manifest: DynamicObject, apply: () => Promise<DynamicObject>): Promise<AppliedManifest> {
  try {
    return { manifest, object: await apply() };
  } catch (error) {
    return { manifest, error };
  }
}

/** Retries until the server serves the kind, which it does a moment after the definition. */
async function once<T>(apply: () => Promise<T>, deadline: number, options: ApplyOptions): Promise<T> {
  for (;;) {
    try {
      return await apply();
    } catch (error) {
      if (!isNotServedYet(error) || Date.now() >= deadline) throw error;
    }
    await pause(definitionPauseMs, options);
  }
}

const definitionPauseMs = 50;

/**
 * Returns whether an error says that a kind or its path does not exist. An error about a missing namespace names the
 * namespace.
 */
const isNotServedYet = (error: unknown): boolean =>
  isUnknownKind(error) || (isNotFound(error) && error.status.details?.name === undefined);

/** Deletes in the opposite order of `applyAll`. Skips objects that do not exist, and kinds that are not served. */
export async function deleteAll(
  requests: ManifestRequests,
  manifests: Manifests,
  { onResult, ...options }: DeleteAllOptions = {},
): Promise<DeletedManifest[]> {
  const results: DeletedManifest[] = [];
  for (const manifest of inApplyOrder(await toObjects(manifests)).reverse()) {
    options.signal?.throwIfAborted();
    const result = await deletionOf(manifest, () => requests.delete(manifest, options));
    results.push(result);
    onResult?.(result);
  }
  return results;
}

async function deletionOf(manifest: DynamicObject, remove: () => Promise<unknown>): Promise<DeletedManifest> {
  try {
    await remove();
    return { manifest, found: true };
  } catch (error) {
    if (isNotFound(error) || isUnknownKind(error)) return { manifest, found: false };
    return { manifest, found: true, error };
  }
}

const toObjects = async (manifests: Manifests): Promise<DynamicObject[]> =>
  typeof manifests === 'string' ? readManifests(manifests) : openManifests(manifests);

/** Kinds that others need, in the order in which to apply them. */
const first = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'StorageClass',
  'ResourceQuota',
  'LimitRange',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
];

/** Kinds that call other objects, which must exist first. */
const last = [
  'APIService',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

/** Sorts manifests as `applyAll` applies them: by rank. Manifests of the same rank keep their order. */
export const inApplyOrder = <T extends Pick<DynamicObject, 'kind'>>(manifests: readonly T[]): T[] =>
  [...manifests].sort((a, b) => rankOf(a) - rankOf(b));

/** Splits ordered manifests where their rank changes. */
function ranksOf(ordered: readonly DynamicObject[]): DynamicObject[][] {
  const ranks: DynamicObject[][] = [];
  for (const manifest of ordered) {
    const last = ranks.at(-1);
    if (last?.[0] && rankOf(last[0]) === rankOf(manifest)) last.push(manifest);
    else ranks.push([manifest]);
  }
  return ranks;
}

function rankOf({ kind }: Pick<DynamicObject, 'kind'>): number {
  const early = first.indexOf(kind);
  return early >= 0 ? early - first.length : last.indexOf(kind) + 1;
}

/** Returns whether a manifest is the definition of a kind, in the form of CustomResourceDefinitions. */
const isDefinition = ({ kind, apiVersion }: Pick<DynamicObject, 'kind' | 'apiVersion'>): boolean =>
  kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.');

/** Returns whether a definition is for the group and kind of an object. */
function definesKindOf(definition: DynamicObject, { apiVersion, kind }: DynamicObject): boolean {
  const { spec } = definition;
  if (typeof spec !== 'object' || spec === null || !('group' in spec) || !('names' in spec)) return false;
  const { names } = spec;
  const named = typeof names === 'object' && names !== null && 'kind' in names && names.kind === kind;
  return named && apiVersion.startsWith(`${String(spec.group)}/`);
}
