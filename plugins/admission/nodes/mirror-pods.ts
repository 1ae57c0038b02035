/** Mirror pods: a node shows with them what it runs by itself, and gets no rights by them. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  JsonObject,
  OwnerReference,
} from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import { notFound } from '../../../runtime/objects/status.js';
import { referencesOf } from '../../authorization/node/pod-references.js';
import { refuse } from '../refuse.js';

/** Checks a pod that a node creates; `mirror` is the annotation that such pods have. */
export function checkMirrorOf(
  attributes: AdmissionAttributes,
  pod: ApiObject,
  node: string,
  mirror: string,
  { get }: AdmissionContext,
): Failure | undefined {
  const spec = objectAt(pod, 'spec') ?? {};
  const { annotations = {}, ownerReferences = [] } = pod.metadata;
  const only = `node ${quote(node)} can only create`;
  if (!Object.hasOwn(annotations, mirror)) {
    return refuse(attributes, `pod does not have ${quote(mirror)} annotation, ${only} mirror pods`);
  }
  if (stringAt(spec, 'nodeName') !== node) {
    return refuse(attributes, `${only} pods with spec.nodeName set to itself`);
  }
  const wrong = wrongOwner(ownerReferences, node);
  if (wrong !== undefined) return refuse(attributes, wrong);
  const own = get('', 'nodes', '', node);
  if (!own) return notFound('', 'node', node);
  const [uid, owner] = [own.metadata.uid, ownerReferences[0]?.uid];
  if (uid !== owner) return refuse(attributes, `node ${node} UID mismatch: expected ${owner} got ${uid}`);
  const needed = objectsNeeded(spec);
  return needed === undefined
    ? undefined
    : refuse(attributes, `node ${quote(node)} can not create pods that reference ${needed}`);
}

/** The node owns what it runs, and nobody waits for that. */
function wrongOwner(owners: readonly OwnerReference[], node: string): string | undefined {
  const only = `node ${quote(node)} can only create pods with`;
  const [owner] = owners;
  if (owners.length > 1) return `${only} a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return `${only} an owner reference set to itself`;
  }
  if (!owner.controller) return `${only} a controller owner reference set to itself`;
  return owner.blockOwnerDeletion
    ? `node ${quote(node)} must not set blockOwnerDeletion on an owner reference`
    : undefined;
}

/** A node may read what its pods refer to: those that it makes refer to nothing. */
function objectsNeeded(spec: JsonObject): string | undefined {
  if (stringAt(spec, 'serviceAccountName') !== '') return 'a service account';
  const needed = new Set(referencesOf(spec, '').map(([resource]) => resource));
  if (needed.has('secrets')) return 'secrets';
  if (needed.has('configmaps')) return 'configmaps';
  const claims = objectsAt(spec, 'volumes').some((volume) => objectAt(volume, 'persistentVolumeClaim'));
  return claims ? 'persistentvolumeclaims' : undefined;
}
