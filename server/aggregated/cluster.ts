/** The cluster in front of a server: it knows users, rights and namespaces, and names the proxies to trust. */
import {
  defineAuthorizationWebhook,
  defineInOrder,
  defineNamespaceLifecycle,
  defineTokenWebhook,
} from '../../plugins/index.js';
import type { AdmissionPlugin, Authenticator, Authorizer } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { OnProblem } from '../option-error.js';
import { atMostEvery, eachAtMostEvery } from '../webhooks/line.js';
import { checkRights } from './check-rights.js';
import { type AggregatedOption, connectToCluster, postTo } from './cluster-client.js';
import { type FollowedTrust, followTrust } from './follow-trust.js';
import { openNamespaces } from './namespaces.js';

/** The parts of a server that ask a cluster. */
export interface Cluster extends FollowedTrust {
  /** Recognizes bearer tokens that the cluster recognizes. */
  readonly tokens: Authenticator;
  /** Allows what the cluster allows, and lets everyone read the health checks. */
  readonly authorizer: Authorizer;
  /** Refuses objects in namespaces that the cluster does not have. */
  readonly namespaceLifecycle: AdmissionPlugin;
  /** Ends all requests to the cluster. */
  close(): Promise<void>;
}

/** The shortest time between two reports of the same problem, milliseconds. */
const toldEveryMs = 60_000;

/**
 * Connects to the cluster. Rejects with an `OptionError` if the kubeconfig cannot be used, the cluster does not answer,
 * or this server lacks rights that it needs.
 */
export async function openCluster(option: AggregatedOption, naming: Naming, onProblem: OnProblem): Promise<Cluster> {
  const { cacheTtlMs = 10_000 } = option;
  const client = connectToCluster(option);
  const ending = new AbortController();
  const close = async (): Promise<void> => {
    ending.abort();
    await client.close();
  };
  try {
    const trust = followTrust(client, await checkRights(client), ending.signal, onProblem);
    const tellRights = atMostEvery(toldEveryMs, onProblem);
    const tokens = defineTokenWebhook({
      post: postTo(client, '/apis/authentication.k8s.io/v1/tokenreviews'),
      apiVersion: 'authentication.k8s.io/v1',
      // The cluster knows the audiences of its tokens.
      audiences: [],
      ttlMs: cacheTtlMs,
      onProblem: eachAtMostEvery(toldEveryMs, onProblem),
    });
    const rights = defineAuthorizationWebhook({
      post: postTo(client, '/apis/authorization.k8s.io/v1/subjectaccessreviews'),
      group: 'authorization.k8s.io',
      version: 'v1',
      authorizedTtlMs: cacheTtlMs,
      unauthorizedTtlMs: cacheTtlMs,
      onProblem: (problem) => tellRights(`the cluster cannot be asked about rights: ${problem}`),
    });
    return {
      ...trust,
      tokens,
      authorizer: defineInOrder([health, rights]),
      namespaceLifecycle: defineNamespaceLifecycle(naming, openNamespaces(client, ending.signal, onProblem)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The paths that probes read without credentials. */
const healthPaths = new Set(['/healthz', '/livez', '/readyz']);

const health: Authorizer = {
  name: 'health',
  decide: (attributes) => ({
    decision: 'path' in attributes && healthPaths.has(attributes.path) ? 'allow' : 'no opinion',
  }),
  rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};
