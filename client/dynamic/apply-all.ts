/** Applies manifests that belong together, and deletes them again. */
import { isNotFound } from '../errors.js';
import type { ApplyOptions, DeleteOptions } from '../resource/options.js';
import { pause } from '../retry.js';
import type { Status } from '../types.js';
import { openManifests, readManifests } from './manifests.js';
import { type DynamicObject, isUnknownKind, type ObjectReference } from './types.js';

/** YAML or JSON text with any number of documents, or objects. */
export type Manifests = string | readonly object[];

/** The outcome for one manifest: the object as the server has it now, or the error. */
export type AppliedManifest =
  | { readonly manifest: DynamicObject; readonly object: DynamicObject; readonly error?: undefined }
  | { readonly manifest: DynamicObject; readonly error: unknown; readonly object?: undefined };

/** The outcome of one deletion: whether there was something, or the error. */
export interface DeletedManifest {
  readonly manifest: DynamicObject;
  readonly found: boolean;
  readonly error?: unknown;
}

/** Options of `applyAll`. */
export type ApplyAllOptions = ApplyOptions & {
  /** How long a kind is waited for whose definition is among the manifests, milliseconds; 30 000 where not given. */
  readonly definitionTimeoutMs?: number;
  /** Told of each outcome as it comes. */
  readonly onResult?: (result: AppliedManifest) => void;
};

/** Options of `deleteAll`. */
export interface DeleteAllOptions extends DeleteOptions {
  /** Told of each outcome as it comes. */
  readonly onResult?: (result: DeletedManifest) => void;
}

/** The requests that this needs. */
export interface ManifestRequests {
  apply(object: DynamicObject, options: ApplyOptions): Promise<DynamicObject>;
  delete(reference: ObjectReference, options?: DeleteOptions): Promise<DynamicObject | Status>;
}

/**
 * Applies one manifest after another: namespaces, definitions, what others need, the rest in its order, and webhooks last. An
 * error does not keep the others from being applied. A kind whose definition is among the manifests is waited for.
 */
export async function applyAll(
  requests: ManifestRequests,
  manifests: Manifests,
  { definitionTimeoutMs = 30_000, onResult, ...options }: ApplyAllOptions,
): Promise<AppliedManifest[]> {
  const ordered = inApplyOrder(await toObjects(manifests));
  const definitions = ordered.filter(isDefinition);
  const results: AppliedManifest[] = [];
  for (const manifest of ordered) {
    options.signal?.throwIfAborted();
    const isOfOwnKind = !options.dryRun && definitions.some((definition) => definesKindOf(definition, manifest));
    const deadline = Date.now() + (isOfOwnKind ? definitionTimeoutMs : 0);
    const result = await outcomeOf(manifest, () => once(() => requests.apply(manifest, options), deadline, options));
    results.push(result);
    onResult?.(result);
  }
  return results;
}

async function outcomeOf(manifest: DynamicObject, apply: () => Promise<DynamicObject>): Promise<AppliedManifest> {
  try {
    return { manifest, object: await apply() };
  } catch (error) {
    return { manifest, error };
  }
}

/** Tries again until the kind is served: servers take a moment from a definition to its kind. */
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

/** A kind that discovery does not have, or a path that leads nowhere; a namespace that is missing has a name. */
const isNotServedYet = (error: unknown): boolean =>
  isUnknownKind(error) || (isNotFound(error) && error.status.details?.name === undefined);

/** Deletes in the opposite order of `applyAll`; what is not there is passed over, and so is a kind that is not served. */
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

/** Kinds that others need, in the order in which they are needed. */
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

/** Kinds that others must not meet before those are there which they call. */
const last = [
  'APIService',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

/** Manifests of the same rank keep their order. */
export const inApplyOrder = <T extends Pick<DynamicObject, 'kind'>>(manifests: readonly T[]): T[] =>
  [...manifests].sort((a, b) => rankOf(a) - rankOf(b));

function rankOf({ kind }: Pick<DynamicObject, 'kind'>): number {
  const early = first.indexOf(kind);
  return early >= 0 ? early - first.length : last.indexOf(kind) + 1;
}

/** Whether a manifest brings a kind with it: a definition in the form of CustomResourceDefinitions. */
const isDefinition = ({ kind, apiVersion }: Pick<DynamicObject, 'kind' | 'apiVersion'>): boolean =>
  kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.');

/** Whether a definition is one of the group and kind that an object has. */
function definesKindOf(definition: DynamicObject, { apiVersion, kind }: DynamicObject): boolean {
  const { spec } = definition;
  if (typeof spec !== 'object' || spec === null || !('group' in spec) || !('names' in spec)) return false;
  const { names } = spec;
  const named = typeof names === 'object' && names !== null && 'kind' in names && names.kind === kind;
  return named && apiVersion.startsWith(`${String(spec.group)}/`);
}
