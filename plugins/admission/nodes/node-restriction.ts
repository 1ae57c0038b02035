/** NodeRestriction: a node writes its own objects, and those of the pods that run on it. */
import type { AdmissionPlugin, ResourceModule } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { nodeOf } from '../../authorization/node/identity.js';
import { refuse } from '../refuse.js';
import { nodeClaimRule } from './node-claims.js';
import { nodePodRule } from './node-pods.js';
import type { NodeRule } from './node-rule.js';
import { nodeTokenRule } from './node-tokens.js';
import { ownNodeRule } from './own-node.js';

/** The gate of growth that may be taken back. */
const recoveryGate = 'RecoverVolumeExpansionFailure';

export function defineNodeRestriction(names: Naming): AdmissionPlugin {
  let recovers = false;
  const rules = rulesOf(names, () => recovers);
  return {
    name: 'NodeRestriction',
    start({ featureEnabled }) {
      recovers = featureEnabled(recoveryGate);
    },
    // Everything, as a node without a name may write nothing at all.
    handles: (_, operation) => operation !== 'CONNECT',
    admit(attributes, context) {
      const node = nodeOf(attributes.user);
      if (node === undefined) return undefined;
      if (node === '') return refuse(attributes, `could not determine node from user ${quote(attributes.user.name)}`);
      return rules.get(keyOf(attributes.resource))?.(attributes, node, context);
    },
  };
}

const keyOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;

/** The rules by group and plural. Of other resources, nodes may write what they have rights to. */
const rulesOf = (names: Naming, recovers: () => boolean): ReadonlyMap<string, NodeRule> =>
  new Map<string, NodeRule>([
    ['/nodes', ownNodeRule(names)],
    ['/pods', nodePodRule(names)],
    ['/persistentvolumeclaims', nodeClaimRule(recovers)],
    ['/serviceaccounts', nodeTokenRule],
    [`${names.rename('coordination.platform.io')}/leases`, leaseRule(names)],
    [`${names.rename('storage.platform.io')}/csinodes`, driversRule],
  ]);

/** The lease by which a node shows that it is alive. */
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

/** The object that tells of a node's storage drivers. */
const driversRule: NodeRule = (attributes, node) =>
  attributes.name === node
    ? undefined
    : refuse(attributes, 'can only access CSINode with the same name as the requesting node');
