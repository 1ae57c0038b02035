/** Finds the objects in its namespace that a pod needs on its node. */
import type { JsonObject, UserInfo } from '../../runtime/contract/index.js';
import { getOwn, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { OwnedResource, PlacedPod } from './node-graph.js';

type Reference = readonly [resource: OwnedResource, name: string];

/**
 * Reads a pod and its references; `undefined` if it has no node. `mirror` is the annotation of pods that a node made
 * itself.
 */
export function placedPod(pod: JsonObject, mirror: string): PlacedPod | undefined {
  const spec = objectAt(pod, 'spec') ?? {};
  const node = stringAt(spec, 'nodeName');
  if (node === '') return undefined;
  const metadata = objectAt(pod, 'metadata');
  // Otherwise a node could give itself rights by creating pods that refer to what it wants.
  if (getOwn(objectAt(metadata, 'annotations') ?? {}, mirror) !== undefined) return { node, references: [] };
  const named = referencesOf(spec, stringAt(metadata, 'name')).filter(([, name]) => name !== '');
  return { node, references: named };
}

/** Returns everything in its namespace that a pod refers to. Names may be empty. */
export function referencesOf(spec: JsonObject, pod: string): readonly Reference[] {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => objectsAt(spec, field));
  return [
    // A pod without an account runs as the default account of its namespace.
    ['serviceaccounts', stringAt(spec, 'serviceAccountName') || 'default'],
    ...objectsAt(spec, 'imagePullSecrets').map((secret): Reference => ['secrets', stringAt(secret, 'name')]),
    ...containers.flatMap(ofContainer),
    ...objectsAt(spec, 'volumes').flatMap((volume) => ofVolume(volume, pod)),
    ...objectsAt(spec, 'resourceClaims').map((claim): Reference => ['resourceclaims', resourceClaimName(claim, pod)]),
  ];
}

const ofContainer = (container: JsonObject): readonly Reference[] => [
  ...objectsAt(container, 'envFrom').flatMap((source) => [
    ...reference('secrets', objectAt(source, 'secretRef')),
    ...reference('configmaps', objectAt(source, 'configMapRef')),
  ]),
  ...objectsAt(container, 'env').flatMap((variable) => {
    const source = objectAt(variable, 'valueFrom');
    return [
      ...reference('secrets', objectAt(source, 'secretKeyRef')),
      ...reference('configmaps', objectAt(source, 'configMapKeyRef')),
    ];
  }),
];

/** Volume sources that name their secret by a reference, with the field of the reference. */
const secretReferences: Readonly<Record<string, string>> = {
  cephfs: 'secretRef',
  cinder: 'secretRef',
  csi: 'nodePublishSecretRef',
  flexVolume: 'secretRef',
  iscsi: 'secretRef',
  rbd: 'secretRef',
  scaleIO: 'secretRef',
  storageos: 'secretRef',
};

function ofVolume(volume: JsonObject, pod: string): readonly Reference[] {
  const claim = objectAt(volume, 'persistentVolumeClaim');
  const ownClaim = objectAt(volume, 'ephemeral') ? `${pod}-${stringAt(volume, 'name')}` : '';
  return [
    ['persistentvolumeclaims', claim ? stringAt(claim, 'claimName') : ownClaim],
    ...reference('secrets', objectAt(volume, 'secret'), 'secretName'),
    ...reference('secrets', objectAt(volume, 'azureFile'), 'secretName'),
    ...reference('configmaps', objectAt(volume, 'configMap')),
    ...Object.entries(secretReferences).flatMap(([source, field]) =>
      reference('secrets', objectAt(objectAt(volume, source), field)),
    ),
    ...objectsAt(objectAt(volume, 'projected'), 'sources').flatMap((source) => [
      ...reference('secrets', objectAt(source, 'secret')),
      ...reference('configmaps', objectAt(source, 'configMap')),
    ]),
  ];
}

/** Returns the name of a claim. A claim made from a template is named after the pod. */
function resourceClaimName(claim: JsonObject, pod: string): string {
  const source = objectAt(claim, 'source');
  const named = stringAt(source, 'resourceClaimName');
  if (named !== '') return named;
  return stringAt(source, 'resourceClaimTemplateName') === '' ? '' : `${pod}-${stringAt(claim, 'name')}`;
}

const reference = (resource: OwnedResource, to: JsonObject | undefined, field = 'name'): readonly Reference[] =>
  to ? [[resource, stringAt(to, field)]] : [];

const prefix = 'system:node:';
const nodes = 'system:nodes';

/** Returns the node name of a user; empty for a node without a name, `undefined` for users that are not nodes. */
export const nodeOf = ({ name, groups }: UserInfo): string | undefined =>
  name.startsWith(prefix) && groups.includes(nodes) ? name.slice(prefix.length) : undefined;
