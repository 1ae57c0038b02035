/** Decides which nodes, pods and slices of devices a node reads: its own, by name or by a field selector. */
import type { AccessDecision, AuthorizationAttributes } from '../../runtime/contract/index.js';

/** Decides about a resource that belongs to single nodes. */
export type Decide = (node: string, attributes: AuthorizationAttributes) => AccessDecision;

export const allowed: AccessDecision = { decision: 'allow' };
const nothingToSay: AccessDecision = { decision: 'no opinion' };
export const no = (reason: string): AccessDecision => ({ decision: 'no opinion', reason });

export const named =
  (decide: Decide): Decide =>
  (node, attributes) =>
    attributes.name ? decide(node, attributes) : no('No Object name found');

export function getting(decide: Decide): Decide {
  const ofNamed = named(decide);
  return (node, attributes) => {
    if (attributes.verb !== 'get') return no('can only get individual resources of this type');
    return attributes.subresource ? no('cannot get subresource') : ofNamed(node, attributes);
  };
}

/** Returns whether a request only selects objects of the node. */
const selects = (node: string, { fieldSelector = [] }: AuthorizationAttributes): boolean =>
  fieldSelector.some(
    ({ key, operator, values = [] }) => key === 'spec.nodeName' && operator === 'In' && values.join() === node,
  );

/** Reports if a request writes a status. Admission limits nodes to the status of their own objects. */
const isReport = ({ verb, subresource }: AuthorizationAttributes): boolean =>
  subresource === 'status' && (verb === 'update' || verb === 'patch');

/** Allows a node to read its own object, even before there is one, and all writes, which admission limits. */
export const ownNode: Decide = (node, attributes) => {
  const { verb, name = '', subresource } = attributes;
  if (isReport(attributes)) return allowed;
  if (subresource) return nothingToSay;
  if (verb === 'create' || verb === 'update' || verb === 'patch') return allowed;
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return nothingToSay;
  if (name === node) return allowed;
  const asked = name === '' ? 'all nodes' : `'${name}'`;
  return no(`node '${node}' cannot read ${asked}, only its own Node object`);
};

/** Allows a node to read its own pods, and the writes that nodes need, which admission limits to own pods. */
export const ownPods =
  (decide: Decide): Decide =>
  (node, attributes) => {
    const { verb, name = '', subresource } = attributes;
    if (isReport(attributes) || (subresource === 'eviction' && verb === 'create')) return allowed;
    if (subresource) return nothingToSay;
    if (verb === 'create' || verb === 'delete') return allowed;
    if (verb === 'get') return getting(decide)(node, attributes);
    if (verb !== 'list' && verb !== 'watch') return nothingToSay;
    if (selects(node, attributes)) return allowed;
    return name === '' ? no('can only list/watch pods with spec.nodeName field selector') : decide(node, attributes);
  };

const sliceVerbs = 'get, watch, list, create, update, patch, delete, deletecollection';

/** Allows a node to keep the slices of its own devices. Admission limits which ones it creates. */
export const ownSlices = (decide: Decide): Decide => {
  const ofNamed = named(decide);
  return (node, attributes) => {
    if (attributes.subresource) return no('cannot authorize ResourceSlice subresources');
    switch (attributes.verb) {
      case 'create':
        return allowed;
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return ofNamed(node, attributes);
      case 'watch':
      case 'list':
      case 'deletecollection':
        return selects(node, attributes)
          ? allowed
          : no('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return no(`only the following verbs are allowed for a ResourceSlice: ${sliceVerbs}`);
    }
  };
};

/** Allows a node to make requests for certificates of its pods, and to read its own. Admission limits what they ask for. */
export const ownRequests =
  (decide: Decide): Decide =>
  (node, attributes) => {
    const { verb, subresource } = attributes;
    if (subresource) return no('cannot authorize PodCertificateRequest subresources');
    if (verb === 'create') return allowed;
    if (verb !== 'list' && verb !== 'watch') return getting(decide)(node, attributes);
    if (selects(node, attributes)) return allowed;
    return no('can only list/watch podcertificaterequests with nodeName field selector');
  };
