/** Writes into the status of each admission policy what is suspect about it, once for each change of its spec. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  follow,
  isConflict,
  isNotFound,
} from '../../client/index.js';
import { sleep } from '../../controllers/sleep.js';
import { policyTypeWarnings } from '../../plugins/index.js';
import type { ResourceIndex } from '../../runtime/contract/index.js';
import { isApiObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';

interface Policy extends ApiObjectLike {
  status?: { observedGeneration?: number };
}

/** Pause before policies are followed anew, milliseconds. */
const restartMs = 1000;

/** What the writer works with. */
export interface PolicyStatusParts {
  readonly client: ClientOptions;
  readonly naming: Naming;
  readonly resources: ResourceIndex;
}

/** Follows policies where they are served. The answer ends that, and resolves when it has ended. */
export function keepPolicyStatus({ client, naming, resources }: PolicyStatusParts): () => Promise<void> {
  const group = naming.rename('admissionregistration.platform.io');
  const resource = defineResource<Policy>()({
    group,
    version: 'v1alpha1',
    plural: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);
  if (!resources.find(group, resource.version, resource.plural)) return async () => {};
  const policies = createResourceClient(resource, client);
  const ending = new AbortController();
  const { signal } = ending;
  const observe = async (policy: Policy): Promise<void> => {
    const { generation = 0 } = policy.metadata;
    if ((policy.status?.observedGeneration ?? 0) >= generation || !isApiObject(policy)) return;
    const expressionWarnings = await policyTypeWarnings(policy, resources);
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings: [...expressionWarnings] };
    const status = { ...policy.status, observedGeneration: generation, typeChecking };
    await policies.subresource('status').update({ ...policy, status }, { signal });
  };
  const running = (async () => {
    while (!signal.aborted) {
      try {
        for await (const change of follow(policies, { signal })) {
          if (change.type === 'synced' || change.type === 'removed') continue;
          // Another server may have been faster; a later change comes by itself.
          await observe(change.object).catch(passOverRaces);
        }
      } catch (error) {
        if (signal.aborted) return;
        console.error('kindforge: status of admission policies:', error instanceof Error ? error.message : error);
        await sleep(restartMs, signal);
      }
    }
  })();
  return async () => {
    ending.abort();
    await running;
  };
}

function passOverRaces(error: unknown): void {
  if (!isConflict(error) && !isNotFound(error)) throw error;
}
