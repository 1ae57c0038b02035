/** The tokens that a node may ask for: those of the pods that run on it. */

import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { notFound } from '../../../runtime/objects/status.js';
import { refuse } from '../refuse.js';
import { nodeNameOf } from './node-pods.js';
import type { NodeRule } from './node-rule.js';

export const nodeTokenRule: NodeRule = (attributes, node, { get }) => {
  const { operation, subresource, namespace, object } = attributes;
  if (operation !== 'CREATE' || subresource !== 'token') return undefined;
  const bound = objectAt(objectAt(object, 'spec'), 'boundObjectRef');
  const name = stringAt(bound, 'name');
  if (stringAt(bound, 'apiVersion') !== 'v1' || stringAt(bound, 'kind') !== 'Pod' || name === '') {
    return refuse(attributes, 'node requested token not bound to a pod');
  }
  const uid = stringAt(bound, 'uid');
  if (uid === '') return refuse(attributes, 'node requested token with a pod binding without a uid');
  const pod = get('', 'pods', namespace, name);
  if (!pod) return notFound('', 'pod', name);
  if (uid !== pod.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record`;
    return refuse(attributes, `${why}. The object might have been deleted and then recreated`);
  }
  return nodeNameOf(pod) === node
    ? undefined
    : refuse(attributes, 'node requested token bound to a pod scheduled on a different node');
};
