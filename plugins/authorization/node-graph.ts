/** Tracks which objects belong to which nodes: the objects that their pods refer to, and the volumes behind these. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';

/** Resources that a node may access only if they belong to it. */
export type OwnedResource =
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'podcertificaterequests'
  | 'pods'
  | 'resourceclaims'
  | 'resourceslices'
  | 'secrets'
  | 'serviceaccounts'
  | 'volumeattachments';

/** A pod on a node, with the objects in its namespace that it refers to. */
export interface PlacedPod {
  readonly node: string;
  readonly references: readonly (readonly [resource: OwnedResource, name: string])[];
}

/** A volume that belongs to a claim, with the secrets that nodes need to mount it. */
export interface ClaimedVolume {
  readonly claim: { readonly namespace: string; readonly name: string };
  readonly secrets: readonly { readonly namespace: string; readonly name: string }[];
}

interface HeldPod {
  readonly node: string;
  readonly objects: readonly string[];
}

interface HeldVolume {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/** Joins the parts of a key; none of them contains a slash. */
const keyOf = (resource: OwnedResource, namespace: string, name: string): string => `${resource}/${namespace}/${name}`;

/**
 * Objects by the nodes that need them. A change costs as much as the changed object has references; an answer costs one
 * look-up, or one per volume.
 */
export class NodeGraph {
  readonly #pods = new Map<string, HeldPod>();
  readonly #volumes = new Map<string, HeldVolume>();
  readonly #attachments = new Map<string, string>();
  readonly #slices = new Map<string, string>();
  /** By namespace and name. */
  readonly #requests = new Map<string, string>();
  /** How many pods of each node refer to an object. */
  readonly #nodesOf = new Map<string, Map<string, number>>();
  /** The volumes that need a secret. */
  readonly #volumesOf = new Map<string, Set<string>>();

  /** Adds or replaces a pod; `undefined` removes it. */
  setPod(namespace: string, name: string, pod: PlacedPod | undefined): void {
    const key = `${namespace}/${name}`;
    const before = this.#pods.get(key);
    const objects = new Set(pod?.references.map(([resource, referred]) => keyOf(resource, namespace, referred)));
    const next = pod && { node: pod.node, objects: [...objects] };
    if (before && next && isSame(before, next)) return;
    if (before) for (const object of before.objects) this.#count(object, before.node, -1);
    if (next) for (const object of next.objects) this.#count(object, next.node, 1);
    if (next) this.#pods.set(key, next);
    else this.#pods.delete(key);
  }

  /** Adds or replaces a volume; `undefined` removes it. */
  setVolume(name: string, volume: ClaimedVolume | undefined): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) {
      const volumes = this.#volumesOf.get(secret);
      volumes?.delete(name);
      if (volumes?.size === 0) this.#volumesOf.delete(secret);
    }
    this.#volumes.delete(name);
    if (!volume) return;
    const { claim, secrets } = volume;
    const keys = secrets.map((secret) => keyOf('secrets', secret.namespace, secret.name));
    this.#volumes.set(name, { claim: keyOf('persistentvolumeclaims', claim.namespace, claim.name), secrets: keys });
    for (const key of keys) this.#volumesOf.set(key, (this.#volumesOf.get(key) ?? new Set()).add(name));
  }

  /** Sets the node of a volume attachment; `undefined` removes it. */
  setAttachment(name: string, node: string | undefined): void {
    setOrDelete(this.#attachments, name, node);
  }

  /** Sets the node of a slice of its devices; `undefined` removes it. */
  setSlice(name: string, node: string | undefined): void {
    setOrDelete(this.#slices, name, node);
  }

  /** Sets the node of a request for a certificate of a pod; `undefined` removes it. */
  setRequest(namespace: string, name: string, node: string | undefined): void {
    setOrDelete(this.#requests, `${namespace}/${name}`, node);
  }

  /** Returns whether an object belongs to a node. Cluster-scoped objects have an empty namespace. */
  belongs(node: string, resource: OwnedResource, namespace: string, name: string): boolean {
    if (resource === 'volumeattachments') return namespace === '' && this.#attachments.get(name) === node;
    if (resource === 'resourceslices') return namespace === '' && this.#slices.get(name) === node;
    if (resource === 'podcertificaterequests') return this.#requests.get(`${namespace}/${name}`) === node;
    if (resource === 'pods') return this.#pods.get(`${namespace}/${name}`)?.node === node;
    if (resource === 'persistentvolumes') return namespace === '' && this.#mounts(node, name);
    const key = keyOf(resource, namespace, name);
    if (this.#nodesOf.get(key)?.has(node)) return true;
    if (resource !== 'secrets') return false;
    for (const volume of this.#volumesOf.get(key) ?? []) if (this.#mounts(node, volume)) return true;
    return false;
  }

  /** Returns whether a pod of the node claims the volume. */
  #mounts(node: string, volume: string): boolean {
    const held = this.#volumes.get(volume);
    return held !== undefined && this.#nodesOf.get(held.claim)?.has(node) === true;
  }

  #count(object: string, node: string, change: 1 | -1): void {
    const nodes = this.#nodesOf.get(object) ?? new Map<string, number>();
    const count = (nodes.get(node) ?? 0) + change;
    if (count > 0) nodes.set(node, count);
    else nodes.delete(node);
    if (nodes.size > 0) this.#nodesOf.set(object, nodes);
    else this.#nodesOf.delete(object);
  }
}

function setOrDelete(nodes: Map<string, string>, name: string, node: string | undefined): void {
  if (node === undefined) nodes.delete(name);
  else nodes.set(name, node);
}

/** Compares pods: most changes of pods only change their status. */
const isSame = (one: HeldPod, other: HeldPod): boolean =>
  one.node === other.node &&
  one.objects.length === other.objects.length &&
  one.objects.every((object, i) => object === other.objects[i]);

type Secret = ClaimedVolume['secrets'][number];

/** Reads the claim of a volume and the secrets that nodes need to mount it; `undefined` if the volume has no claim. */
export function claimedVolume(volume: JsonObject): ClaimedVolume | undefined {
  const spec = objectAt(volume, 'spec');
  const reference = objectAt(spec, 'claimRef');
  if (!spec || !reference) return undefined;
  const claim = placeOf(reference);
  return { claim, secrets: secretsOf(spec, claim.namespace).filter(({ name }) => name !== '') };
}

/** Sources with a secret in the claim's namespace, unless the reference names another namespace. */
const besideClaim = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
/** Sources with a reference that must name a namespace. */
const elsewhere = ['cinder', 'storageos'];
/** CSI secrets that nodes use. Nodes do not need the secrets of CSI controllers. */
const csiSecrets = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

function secretsOf(spec: JsonObject, claimNamespace: string): readonly Secret[] {
  const file = objectAt(spec, 'azureFile');
  const ofFile = file && {
    namespace: stringAt(file, 'secretNamespace') || claimNamespace,
    name: stringAt(file, 'secretName'),
  };
  return [
    ...(ofFile ? [ofFile] : []),
    ...besideClaim.flatMap((source) => named(objectAt(spec, source), 'secretRef', claimNamespace)),
    ...elsewhere.flatMap((source) => named(objectAt(spec, source), 'secretRef')),
    ...csiSecrets.flatMap((field) => named(objectAt(spec, 'csi'), field)),
  ];
}

function named(source: JsonObject | undefined, field: string, namespace = ''): readonly Secret[] {
  const reference = objectAt(source, field);
  if (!reference) return [];
  const secret = placeOf(reference);
  return [{ ...secret, namespace: secret.namespace || namespace }];
}

const placeOf = (reference: JsonObject): Secret => ({
  namespace: stringAt(reference, 'namespace'),
  name: stringAt(reference, 'name'),
});
