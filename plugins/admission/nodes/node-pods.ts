/** The writes of pods that a node may make: of those that it runs, and of mirrors of what it runs by itself. */
import type { AdmissionAttributes, AdmissionContext, ApiObject, Failure } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { notFound } from '../../../runtime/objects/status.js';
import { refuse } from '../refuse.js';
import { checkMirrorOf } from './mirror-pods.js';
import type { NodeRule } from './node-rule.js';

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
