/** Writes into the status of each admission policy what is suspect about it, once for each change of its spec. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  follow,
  isConflict,
  isNotFound,
  type ResourceClient,
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
  readonly featureEnabled: (gate: string) => boolean;
}

/** Follows policies where they are in force. The answer ends that, and resolves when it has ended. */
export function keepPolicyStatus(parts: PolicyStatusParts): () => Promise<void> {
  const { naming, resources, featureEnabled } = parts;
  const resource = defineResource<Policy>()({
    group: naming.rename('admissionregistration.platform.io'),
    version: 'v1alpha1',
    plural: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);
  const isServed = resources.find(resource.group, resource.version, resource.plural) !== undefined;
  if (!isServed || !featureEnabled('ValidatingAdmissionPolicy')) return async () => {};
  const policies = createResourceClient(resource, parts.client);
  const ending = new AbortController();
  const running = followPolicies(policies, resources, ending.signal);
  return async () => {
    ending.abort();
    await running;
  };
}

type Policies = ResourceClient<Policy, unknown, 'status'>;

async function followPolicies(policies: Policies, resources: ResourceIndex, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const change of follow(policies, { signal })) {
        if (change.type === 'synced' || change.type === 'removed') continue;
        // One that cannot be written is left alone until it changes.
        await observe(policies, change.object, resources, signal).catch((error: unknown) => {
          if (!signal.aborted && !isRace(error)) complain(`policy ${change.object.metadata.name}`, error);
        });
      }
    } catch (error) {
      if (signal.aborted) return;
      complain('policies', error);
      await sleep(restartMs, signal);
    }
  }
}

async function observe(
  policies: Policies,
  policy: Policy,
  resources: ResourceIndex,
  signal: AbortSignal,
): Promise<void> {
  const { generation = 0 } = policy.metadata;
  if ((policy.status?.observedGeneration ?? 0) >= generation || !isApiObject(policy)) return;
  const expressionWarnings = await policyTypeWarnings(policy, resources);
  const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings: [...expressionWarnings] };
  const status = { ...policy.status, observedGeneration: generation, typeChecking };
  await policies.subresource('status').update({ ...policy, status }, { signal });
}

/** Another server may have been faster; a later change comes by itself. */
const isRace = (error: unknown): boolean => isConflict(error) || isNotFound(error);

function complain(about: string, error: unknown): void {
  console.error(`kindforge: status of admission ${about}:`, error instanceof Error ? error.message : error);
}
