/** The writes of pods that a node may make: of those that it runs, and of mirrors of what it runs by itself. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  JsonObject,
  OwnerReference,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { notFound } from '../../runtime/objects/status.js';
import { referencesOf } from '../authorization/pod-references.js';
import { refuse } from './define-admission-plugin.js';

export function nodePodRule({ rename }: Naming): NodeRule {
  const mirror = rename('platform.io/config.mirror');
  return (attributes, node, context) => {
    const { subresource } = attributes;
    if (subresource === '') return checkPod(attributes, node, mirror, context);
    if (subresource === 'status') return checkStatus(attributes, node);
    if (subresource === 'eviction') return checkEviction(attributes, node, context);
    const what = `unexpected pod subresource ${quote(subresource)}`;
    return refuse(attributes, `${what}, only 'status' and 'eviction' are allowed`);
  };
}

function checkPod(
  attributes: AdmissionAttributes,
  node: string,
  mirror: string,
  context: AdmissionContext,
): Failure | undefined {
  const { operation, object } = attributes;
  if (operation === 'CREATE' && object) return checkMirrorOf(attributes, object, node, mirror, context);
  if (operation !== 'DELETE') {
    const what = `unexpected operation ${quote(operation)}, node ${quote(node)}`;
    return refuse(attributes, `${what} can only create and delete mirror pods`);
  }
  // The deletes of a collection come without names: no pod is found then, and so none is deleted.
  return checkPlace(attributes, node, context, `node ${quote(node)} can only delete pods`);
}

function checkStatus(attributes: AdmissionAttributes, node: string): Failure | undefined {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'UPDATE') return refuse(attributes, `unexpected operation ${quote(operation)}`);
  if (nodeNameOf(oldObject) !== node) {
    const why = `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`;
    return refuse(attributes, why);
  }
  // Labels decide whose the pod is: a node could give it to others by them.
  return equal(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {})
    ? undefined
    : refuse(attributes, `node ${quote(node)} cannot update labels through pod status`);
}

const checkEviction = (
  attributes: AdmissionAttributes,
  node: string,
  context: AdmissionContext,
): Failure | undefined =>
  attributes.operation === 'CREATE'
    ? checkPlace(attributes, node, context, `node ${node} can only evict pods`)
    : refuse(attributes, `unexpected operation ${attributes.operation}`);

/** The pod that a request names has to run on the node. */
function checkPlace(
  attributes: AdmissionAttributes,
  node: string,
  { get }: AdmissionContext,
  rule: string,
): Failure | undefined {
  const pod = get('', 'pods', attributes.namespace, attributes.name);
  if (!pod) return notFound('', 'pod', attributes.name);
  return nodeNameOf(pod) === node ? undefined : refuse(attributes, `${rule} with spec.nodeName set to itself`);
}

/** The node that a pod runs on, or is to run on. */
export const nodeNameOf = (pod: ApiObject | undefined): string => stringAt(objectAt(pod, 'spec'), 'nodeName');

/** Checks a pod that a node creates; `mirror` is the annotation that such pods have. */
function checkMirrorOf(
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

/** Says why a node, by its name, may not make a write of the resource that the rule is about. */
export type NodeRule = (
  attributes: AdmissionAttributes,
  node: string,
  context: AdmissionContext,
) => Failure | undefined;
