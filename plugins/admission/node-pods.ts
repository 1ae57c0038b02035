/**
 * Decides which pods a node may write: the pods that it runs, and mirrors of its static pods. Decides for which of them it
 * may request tokens.
 */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  JsonObject,
  OwnerReference,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { isStringArray, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
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
  // Deletes of a collection have no name, so no pod is found and none is deleted.
  return checkPlace(attributes, node, context, `node ${quote(node)} can only delete pods`);
}

function checkStatus(attributes: AdmissionAttributes, node: string): Failure | undefined {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'UPDATE') return refuse(attributes, `unexpected operation ${quote(operation)}`);
  if (nodeNameOf(oldObject) !== node) {
    const why = `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`;
    return refuse(attributes, why);
  }
  // Labels decide which controller owns a pod: a node could give pods away by changing them.
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

/** Checks that the pod of a request runs on the node. */
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

/** Returns the node of a pod. */
const nodeNameOf = (pod: ApiObject | undefined): string => stringAt(objectAt(pod, 'spec'), 'nodeName');

/** Checks a pod that a node creates. `mirror` is the annotation that such pods must have. */
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

/** Checks that the node owns the pod and does not block its own deletion. */
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

/**
 * Returns the kind of objects that a mirror pod must not refer to, but does: a node may read whatever its pods refer
 * to.
 */
function objectsNeeded(spec: JsonObject): string | undefined {
  if (stringAt(spec, 'serviceAccountName') !== '') return 'a service account';
  const needed = new Set(referencesOf(spec, '').map(([resource]) => resource));
  if (needed.has('secrets')) return 'secrets';
  if (needed.has('configmaps')) return 'configmaps';
  const claims = objectsAt(spec, 'volumes').some((volume) => objectAt(volume, 'persistentVolumeClaim'));
  return claims ? 'persistentvolumeclaims' : undefined;
}

/** Returns why a node may not write to the resource of the rule, or `undefined` if it may. */
export type NodeRule = (
  attributes: AdmissionAttributes,
  node: string,
  context: AdmissionContext,
) => Failure | undefined | Promise<Failure | undefined>;

/** Creates the rule of tokens. `limitsAudiences` says whether audiences matter. */
export function nodeTokenRule({ rename }: Naming, limitsAudiences: () => boolean): NodeRule {
  const storage = rename('storage.platform.io');
  return (attributes, node, context) => {
    const { operation, subresource, namespace, object } = attributes;
    if (operation !== 'CREATE' || subresource !== 'token') return undefined;
    const spec = objectAt(object, 'spec');
    const bound = objectAt(spec, 'boundObjectRef');
    const name = stringAt(bound, 'name');
    if (stringAt(bound, 'apiVersion') !== 'v1' || stringAt(bound, 'kind') !== 'Pod' || name === '') {
      return refuse(attributes, 'node requested token not bound to a pod');
    }
    const uid = stringAt(bound, 'uid');
    if (uid === '') return refuse(attributes, 'node requested token with a pod binding without a uid');
    const pod = context.get('', 'pods', namespace, name);
    if (!pod) return notFound('', 'pod', name);
    if (uid !== pod.metadata.uid) {
      const why = `the UID in the bound object reference (${uid}) does not match the UID in record`;
      return refuse(attributes, `${why}. The object might have been deleted and then recreated`);
    }
    if (nodeNameOf(pod) !== node) {
      return refuse(attributes, 'node requested token bound to a pod scheduled on a different node');
    }
    return limitsAudiences() ? checkAudience(attributes, spec, pod, storage, context) : undefined;
  };
}

/** The verb that allows tokens for an audience. Rules name the audience as if it were a resource. */
const audienceVerb = 'request-serviceaccounts-token-audience';

/** Refuses an audience that no volume of the pod needs, unless the node has a right to it. */
async function checkAudience(
  attributes: AdmissionAttributes,
  spec: JsonObject | undefined,
  pod: ApiObject,
  storage: string,
  context: AdmissionContext,
): Promise<Failure | undefined> {
  const audiences = isStringArray(spec?.audiences) ? spec.audiences : [];
  const [audience = '', ...more] = audiences;
  if (more.length > 0) return refuse(attributes, 'node may only request 0 or 1 audiences');
  if (needsAudience(pod, audience, storage, context)) return undefined;
  const { user, namespace, pathName: name = '' } = attributes;
  const right = { user, verb: audienceVerb, group: '', version: 'v1', resource: audience, namespace, name };
  if (await context.authorize(right)) return undefined;
  const why = `audience ${quote(audience)} not found in pod spec volume`;
  return refuse(attributes, `${why}, ${user.name} is not authorized to request tokens for this audience`);
}

/** Returns whether a volume holds a token for an audience, or is of a driver that asks for such tokens. */
const needsAudience = (pod: ApiObject, audience: string, storage: string, context: AdmissionContext): boolean =>
  objectsAt(objectAt(pod, 'spec'), 'volumes').some((volume) => {
    const isProjected = objectsAt(objectAt(volume, 'projected'), 'sources').some((source) => {
      const token = objectAt(source, 'serviceAccountToken');
      return token !== undefined && stringAt(token, 'audience') === audience;
    });
    if (isProjected) return true;
    const name = driverOf(volume, pod, context);
    const driver = name === '' ? undefined : context.get(storage, 'csidrivers', '', name);
    const requests = objectsAt(objectAt(driver, 'spec'), 'tokenRequests');
    return requests.some((request) => stringAt(request, 'audience') === audience);
  });

/** Returns the CSI driver of a volume, or of the volume that its claim is bound to; empty if there is none. */
function driverOf(volume: JsonObject, { metadata }: ApiObject, { get }: AdmissionContext): string {
  const { name: pod = '', namespace = '' } = metadata;
  const inline = stringAt(objectAt(volume, 'csi'), 'driver');
  if (inline !== '') return inline;
  const claimName = objectAt(volume, 'ephemeral')
    ? `${pod}-${stringAt(volume, 'name')}`
    : stringAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
  const claim = claimName === '' ? undefined : get('', 'persistentvolumeclaims', namespace, claimName);
  const bound = stringAt(objectAt(claim, 'spec'), 'volumeName');
  const persistent = bound === '' ? undefined : get('', 'persistentvolumes', '', bound);
  return stringAt(objectAt(objectAt(persistent, 'spec'), 'csi'), 'driver');
}
