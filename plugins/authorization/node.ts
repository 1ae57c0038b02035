/**
 * The node authorizer: grants what every node needs, and access to the secrets and other objects that belong to each
 * node.
 */
import type {
  AccessAttributes,
  AccessDecision,
  AccessRules,
  AuthorizationAttributes,
  Authorizer,
  Follow,
  Following,
} from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { objectPart, staleDenial } from './followed-objects.js';
import { claimedVolume, NodeGraph, type OwnedResource } from './node-graph.js';
import { allowed, type Decide, getting, named, no, ownNode, ownPods, ownRequests, ownSlices } from './node-reads.js';
import { nodeOf, placedPod } from './pod-references.js';
import { type PolicyRule, RuleTable } from './rbac/rule-table.js';

export interface NodeAuthorizerOptions {
  /** Follows the store that pods and volumes are in. */
  readonly follow: Follow;
  /** The naming of the stored objects. */
  readonly names: Naming;
  /** The rights of all nodes. Rules about resources that are decided object by object are ignored. */
  readonly rules: readonly PolicyRule[];
  /**
   * Reports whether a gate is on. `AuthorizeNodeWithSelectors`: nodes only read their own object, and pods and slices of
   * devices that a field selector limits to the node. `KubeletServiceAccountTokenForCredentialProviders`: they get the
   * accounts of their pods. `PodCertificateRequest`: they make requests for certificates of pods, and read their own.
   * Default: no gate is on.
   */
  readonly featureEnabled?: (gate: string) => boolean;
}

const nothingToSay: AccessDecision = { decision: 'no opinion' };

/**
 * Creates the authorizer. It refuses by having no opinion, so that roles can give nodes more rights. If it falls more
 * than 30 seconds behind the store, it denies nodes everything but health and metrics.
 */
export function defineNode({ follow, names, rules, featureEnabled = () => false }: NodeAuthorizerOptions): Authorizer {
  const followed = followGraph(follow, names);
  const table = new RuleTable<true>();
  for (const rule of rules) table.add(rule, true);
  const decideOwned = ownDecisions(followed, names, featureEnabled);
  return {
    name: 'Node',
    decide(attributes) {
      const node = nodeOf(attributes.user);
      if (node === undefined) return nothingToSay;
      const denial = staleDenial(followed.following, 'Node', attributes);
      if (denial) return denial;
      if (node === '') return no(`unknown node for user ${quote(attributes.user.name)}`);
      const own = 'path' in attributes ? undefined : decideOwned(`${attributes.group}/${attributes.resource}`);
      if (own && !('path' in attributes)) return own(node, attributes);
      return holds(table, attributes) ? allowed : nothingToSay;
    },
    rules: (user) => (nodeOf(user) === undefined ? noRules : unlisted),
  };
}

const holds = (table: RuleTable<true>, attributes: AccessAttributes): boolean =>
  ('path' in attributes ? table.ofPath(attributes.verb, attributes.path) : table.ofResource(attributes)) === true;

const noRules: AccessRules = { resourceRules: [], nonResourceRules: [], incomplete: false };
const unlisted: AccessRules = {
  ...noRules,
  incomplete: true,
  evaluationError: 'node authorizer does not support user rule resolution',
};

/** Returns the decisions about resources that belong to single nodes, by group and resource. */
function ownDecisions(
  followed: FollowedGraph,
  { rename, namespaces }: Naming,
  featureEnabled: (gate: string) => boolean,
): (resource: string) => Decide | undefined {
  const storage = rename('storage.platform.io');
  const related =
    (resource: OwnedResource): Decide =>
    (node, { namespace = '', name = '' }) =>
      followed.graph.belongs(node, resource, namespace, name)
        ? allowed
        : no(`no relationship found between node '${node}' and this object`);
  const decisions = new Map<string, Decide>([
    ['/secrets', reading(related('secrets'))],
    ['/configmaps', reading(related('configmaps'))],
    ['/persistentvolumeclaims', claims(related('persistentvolumeclaims'))],
    ['/persistentvolumes', getting(related('persistentvolumes'))],
    [`${rename('resource.platform.io')}/resourceclaims`, getting(related('resourceclaims'))],
    [`${storage}/volumeattachments`, getting(related('volumeattachments'))],
    ['/serviceaccounts', makingTokens(related('serviceaccounts'), featureEnabled(accountGate))],
    [`${rename('coordination.platform.io')}/leases`, keepingLease(namespaces.nodeLease)],
    [`${storage}/csinodes`, keepingCsiNode],
  ]);
  if (featureEnabled('AuthorizeNodeWithSelectors')) {
    decisions.set('/nodes', ownNode).set('/pods', ownPods(related('pods')));
    decisions.set(`${rename('resource.platform.io')}/resourceslices`, ownSlices(related('resourceslices')));
  }
  if (featureEnabled('PodCertificateRequest')) {
    const requests = ownRequests(related('podcertificaterequests'));
    decisions.set(`${rename('certificates.platform.io')}/podcertificaterequests`, requests);
  }
  return (resource) => decisions.get(resource);
}

function reading(decide: Decide): Decide {
  const ofNamed = named(decide);
  return (node, attributes) => {
    const { verb, subresource, namespace } = attributes;
    if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return no('can only read resources of this type');
    if (subresource) return no('cannot read subresource');
    return namespace ? ofNamed(node, attributes) : no('can only read namespaced object of this type');
  };
}

/** Lets nodes write the status of a claim, because they report the growth of a volume there. */
function claims(decide: Decide): Decide {
  const [ofNamed, get] = [named(decide), getting(decide)];
  return (node, attributes) => {
    if (attributes.subresource !== 'status') return get(node, attributes);
    const { verb } = attributes;
    return verb === 'update' || verb === 'patch'
      ? ofNamed(node, attributes)
      : no('can only get/update/patch this type');
  };
}

/** The gate with which nodes read accounts, to use their tokens for pulling images. */
const accountGate = 'KubeletServiceAccountTokenForCredentialProviders';

const makingTokens =
  (decide: Decide, reads: boolean): Decide =>
  (node, attributes) => {
    const { verb, name, subresource } = attributes;
    if (reads && verb === 'get' && !subresource) return named(decide)(node, attributes);
    if (verb !== 'create' || !name) return no('can only create tokens for individual service accounts');
    if (subresource !== 'token') return no('can only create token subresource of serviceaccount');
    return decide(node, attributes);
  };

const keepingVerbs: readonly string[] = ['get', 'create', 'update', 'patch', 'delete'];

/** Compares names. The name of a new object is not known before its body is read. */
const isOwn = (node: string, { verb, name }: AuthorizationAttributes): boolean => verb === 'create' || name === node;

const keepingLease =
  (namespace: string): Decide =>
  (node, attributes) => {
    if (!keepingVerbs.includes(attributes.verb)) {
      return no('can only get, create, update, patch, or delete a node lease');
    }
    if (attributes.namespace !== namespace) {
      return no(`can only access leases in the ${quote(namespace)} system namespace`);
    }
    return isOwn(node, attributes)
      ? allowed
      : no('can only access node lease with the same name as the requesting node');
  };

const keepingCsiNode: Decide = (node, attributes) => {
  if (!keepingVerbs.includes(attributes.verb)) return no('can only get, create, update, patch, or delete a CSINode');
  if (attributes.subresource) return no('cannot authorize CSINode subresources');
  return isOwn(node, attributes) ? allowed : no('can only access CSINode with the same name as the requesting node');
};

/** A graph that follows the store. */
interface FollowedGraph {
  readonly graph: NodeGraph;
  readonly following: Following;
}

/** Follows the store into a graph. A change is in the graph before its request is answered. */
function followGraph(follow: Follow, { rename }: Naming): FollowedGraph {
  let graph = new NodeGraph();
  const mirror = rename('platform.io/config.mirror');
  const pods = objectPart('/pods/', {
    put: (namespace, name, pod) => graph.setPod(namespace, name, placedPod(pod, mirror)),
    remove: (namespace, name) => graph.setPod(namespace, name, undefined),
  });
  const volumes = objectPart('/persistentvolumes/', {
    put: (_, name, volume) => graph.setVolume(name, claimedVolume(volume)),
    remove: (_, name) => graph.setVolume(name, undefined),
  });
  const attachments = objectPart(`${rename('storage.platform.io')}/volumeattachments/`, {
    put: (_, name, attachment) => graph.setAttachment(name, stringAt(objectAt(attachment, 'spec'), 'nodeName')),
    remove: (_, name) => graph.setAttachment(name, undefined),
  });
  const slices = objectPart(`${rename('resource.platform.io')}/resourceslices/`, {
    put: (_, name, slice) => graph.setSlice(name, stringAt(objectAt(slice, 'spec'), 'nodeName') || undefined),
    remove: (_, name) => graph.setSlice(name, undefined),
  });
  const requests = objectPart(`${rename('certificates.platform.io')}/podcertificaterequests/`, {
    put: (namespace, name, request) =>
      graph.setRequest(namespace, name, stringAt(objectAt(request, 'spec'), 'nodeName') || undefined),
    remove: (namespace, name) => graph.setRequest(namespace, name, undefined),
  });
  const reset = (): void => {
    graph = new NodeGraph();
  };
  const following = follow('Node', { parts: [pods, volumes, attachments, slices, requests], reset });
  return {
    get graph() {
      return graph;
    },
    following,
  };
}
