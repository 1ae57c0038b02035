/** NodeRestriction: a node may write only its own objects and the objects of its pods. */
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
  ResourceModule,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { nodeOf } from '../authorization/pod-references.js';
import { refuse } from './define-admission-plugin.js';
import { type NodeRule, nodePodRule, nodeTokenRule } from './node-pods.js';

type Labels = Readonly<Record<string, string>>;

/** Labels in the product's domains that describe the machine. A node may set them. */
const ofMachine = [
  'platform.io/hostname',
  'platform.io/arch',
  'platform.io/os',
  'beta.platform.io/arch',
  'beta.platform.io/os',
  'beta.platform.io/instance-type',
  'node.platform.io/instance-type',
  'topology.platform.io/region',
  'topology.platform.io/zone',
  'failure-domain.beta.platform.io/region',
  'failure-domain.beta.platform.io/zone',
];

/** The feature gate of expansions that can be undone. */
const recoveryGate = 'RecoverVolumeExpansionFailure';
/** The feature gate of the limits to the audiences of tokens. */
const audienceGate = 'ServiceAccountNodeAudienceRestriction';

export function defineNodeRestriction(names: Naming): AdmissionPlugin {
  let featureEnabled = (_gate: string): boolean => false;
  const rules = rulesOf(names, (gate) => featureEnabled(gate));
  return {
    name: 'NodeRestriction',
    start(host) {
      ({ featureEnabled } = host);
    },
    // All resources, because a node without a name may write nothing.
    handles: (_, operation) => operation !== 'CONNECT',
    admit(attributes, context) {
      const node = nodeOf(attributes.user);
      if (node === undefined) return undefined;
      if (node === '') return refuse(attributes, `could not determine node from user ${quote(attributes.user.name)}`);
      return rules.get(keyOf(attributes.resource))?.(attributes, node, context);
    },
  };
}

function ownNodeRule(names: Naming): NodeRule {
  const forbidden = forbiddenLabels(names);
  return (attributes, node) => {
    const { operation, name, object, oldObject } = attributes;
    if (name !== node) return refuse(attributes, `node ${quote(node)} is not allowed to modify node ${quote(name)}`);
    if (!object || operation === 'DELETE') return undefined;
    const labels = forbidden(object.metadata.labels ?? {}, oldObject?.metadata.labels ?? {});
    return oldObject
      ? checkChange(attributes, node, object, oldObject, labels)
      : checkRegistration(attributes, node, object, labels);
  };
}

function checkRegistration(
  attributes: AdmissionAttributes,
  node: string,
  object: ApiObject,
  labels: readonly string[],
): Failure | undefined {
  if (configSourceOf(object)) {
    return refuse(attributes, `node ${quote(node)} is not allowed to create pods with a non-nil configSource`);
  }
  if (labels.length === 0) return undefined;
  return refuse(attributes, `node ${quote(node)} is not allowed to set the following labels: ${labels.join(', ')}`);
}

/** Checks that a node does not change its taints: it could remove taints that keep pods away. */
function checkChange(
  attributes: AdmissionAttributes,
  node: string,
  object: ApiObject,
  oldObject: ApiObject,
  labels: readonly string[],
): Failure | undefined {
  const source = configSourceOf(object);
  if (source && !equal(source, configSourceOf(oldObject))) {
    const why = 'is not allowed to update configSource to a new non-nil configSource';
    return refuse(attributes, `node ${quote(node)} ${why}`);
  }
  if (!equal(taintsOf(object), taintsOf(oldObject))) {
    return refuse(attributes, `node ${quote(node)} is not allowed to modify taints`);
  }
  return labels.length === 0 ? undefined : refuse(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

const configSourceOf = (node: ApiObject) => objectAt(objectAt(node, 'spec'), 'configSource');

const taintsOf = (node: ApiObject) => objectAt(node, 'spec')?.taints ?? [];

/**
 * Returns the changed labels that no node may write, sorted: labels in the product's domains, by which a node could
 * attract pods, and labels below `node-restriction`, which are for administrators.
 */
function forbiddenLabels({ rename, ownDomains }: Naming): (now: Labels, old: Labels) => string[] {
  const [domain = ''] = ownDomains;
  const allowed = new Set(ofMachine.map(rename));
  const isForbidden = (label: string): boolean => {
    const of = domainOf(label);
    if (!ownDomains.some((own) => isWithin(of, own)) || allowed.has(label)) return false;
    return !isWithin(of, `kubelet.${domain}`) && !isWithin(of, `node.${domain}`);
  };
  return (now, old) => changedKeys(now, old).filter(isForbidden).sort();
}

const domainOf = (label: string): string => (label.includes('/') ? label.slice(0, label.indexOf('/')) : '');

const isWithin = (domain: string, of: string): boolean => domain === of || domain.endsWith(`.${of}`);

const changedKeys = (now: Labels, old: Labels): string[] =>
  [...new Set([...Object.keys(now), ...Object.keys(old)])].filter((key) => now[key] !== old[key]);

/** Creates the rule for claims. `recovers` says whether nodes also report on expansions that can be undone. */
const nodeClaimRule =
  (recovers: () => boolean): NodeRule =>
  (attributes, node) => {
    const { subresource, operation, object, oldObject } = attributes;
    if (subresource !== 'status') return refuse(attributes, 'may only update PVC status');
    if (operation !== 'UPDATE' || !object || !oldObject) {
      return refuse(attributes, `unexpected operation ${quote(operation)}`);
    }
    return checkFields(attributes, node, [restOf(object, recovers()), restOf(oldObject, recovers())]);
  };

function checkFields(
  attributes: AdmissionAttributes,
  node: string,
  [now, old]: readonly [JsonObject, JsonObject],
): Failure | undefined {
  const changed = [...new Set([...Object.keys(now), ...Object.keys(old)])].filter((key) => !equal(now[key], old[key]));
  if (changed.length === 0) return undefined;
  const only = 'is not allowed to update fields other than status.capacity and status.conditions';
  return refuse(attributes, `node ${quote(node)} ${only}: ${changed.join(', ')}`);
}

/** Returns the parts of a claim that must not change. */
function restOf(claim: ApiObject, recovers: boolean): JsonObject {
  const growth = ['capacity', 'conditions', ...(recovers ? ['allocatedResources', 'resizeStatus'] : [])];
  return {
    ...claim,
    metadata: without(claim.metadata, ['resourceVersion', 'managedFields']),
    status: without(objectAt(claim, 'status') ?? {}, growth),
  };
}

const without = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

const keyOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;

/** Returns the rules by group and plural. For other resources, only the rights of a node decide. */
const rulesOf = (names: Naming, featureEnabled: (gate: string) => boolean): ReadonlyMap<string, NodeRule> =>
  new Map<string, NodeRule>([
    ['/nodes', ownNodeRule(names)],
    ['/pods', nodePodRule(names)],
    ['/persistentvolumeclaims', nodeClaimRule(() => featureEnabled(recoveryGate))],
    ['/serviceaccounts', nodeTokenRule(names, () => featureEnabled(audienceGate))],
    [`${names.rename('coordination.platform.io')}/leases`, leaseRule(names)],
    [`${names.rename('storage.platform.io')}/csinodes`, driversRule],
  ]);

/** Limits a node to its own lease, which shows that the node is alive. */
const leaseRule =
  ({ namespaces: { nodeLease } }: Naming): NodeRule =>
  (attributes, node) => {
    const { namespace, name } = attributes;
    if (namespace !== nodeLease) {
      return refuse(attributes, `can only access leases in the ${quote(nodeLease)} system namespace`);
    }
    if (name === node) return undefined;
    return refuse(attributes, 'can only access node lease with the same name as the requesting node');
  };

/** Limits a node to its own CSINode, which lists the node's storage drivers. */
const driversRule: NodeRule = (attributes, node) =>
  attributes.name === node
    ? undefined
    : refuse(attributes, 'can only access CSINode with the same name as the requesting node');
