/** Keeps which objects belong to which nodes: those that their pods refer to, and the volumes of these. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';

/** Resources of which a node may have only what belongs to it. */
export type OwnedResource =
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'resourceclaims'
  | 'secrets'
  | 'serviceaccounts'
  | 'volumeattachments';

/** A pod that has a node, with the objects of its namespace that it refers to. */
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

/** No part of it can have a slash. */
const keyOf = (resource: OwnedResource, namespace: string, name: string): string => `${resource}/${namespace}/${name}`;

/** A change costs as much as what the changed object refers to; an answer needs one look-up, or one for each volume. */
export class NodeGraph {
  readonly #pods = new Map<string, HeldPod>();
  readonly #volumes = new Map<string, HeldVolume>();
  readonly #attachments = new Map<string, string>();
  /** How many pods of each node refer to an object. */
  readonly #nodesOf = new Map<string, Map<string, number>>();
  /** The volumes that need a secret. */
  readonly #volumesOf = new Map<string, Set<string>>();

  /** Puts a pod, or takes it away where it has no node or is gone. */
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

  /** Puts a volume, or takes it away where it has no claim or is gone. */
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

  /** Puts the node of a volume attachment, or takes it away where there is none. */
  setAttachment(name: string, node: string | undefined): void {
    if (node === undefined) this.#attachments.delete(name);
    else this.#attachments.set(name, node);
  }

  /** Whether an object belongs to a node. Objects of the cluster have no namespace. */
  belongs(node: string, resource: OwnedResource, namespace: string, name: string): boolean {
    if (resource === 'volumeattachments') return namespace === '' && this.#attachments.get(name) === node;
    if (resource === 'persistentvolumes') return namespace === '' && this.#mounts(node, name);
    const key = keyOf(resource, namespace, name);
    if (this.#nodesOf.get(key)?.has(node)) return true;
    if (resource !== 'secrets') return false;
    for (const volume of this.#volumesOf.get(key) ?? []) if (this.#mounts(node, volume)) return true;
    return false;
  }

  /** Whether a pod of the node claims the volume. */
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

/** Most changes of pods are of their status. */
const isSame = (one: HeldPod, other: HeldPod): boolean =>
  one.node === other.node &&
  one.objects.length === other.objects.length &&
  one.objects.every((object, i) => object === other.objects[i]);

type Secret = ClaimedVolume['secrets'][number];

/** `undefined` for a volume that belongs to no claim. */
export function claimedVolume(volume: JsonObject): ClaimedVolume | undefined {
  const spec = objectAt(volume, 'spec');
  const reference = objectAt(spec, 'claimRef');
  if (!spec || !reference) return undefined;
  const claim = placeOf(reference);
  return { claim, secrets: secretsOf(spec, claim.namespace).filter(({ name }) => name !== '') };
}

/** Sources whose secret is in the namespace of the claim where the reference names none. */
const besideClaim = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
/** Sources whose reference has to name a namespace. */
const elsewhere = ['cinder', 'storageos'];
/** Secrets of CSI that nodes use; those of its controllers are none of theirs. */
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
