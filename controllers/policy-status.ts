/** Writes into the status of each admission policy what is suspect about it, once for each change of its spec. */
import {
  type ApiObjectLike,
  createResourceClient,
  defineResource,
  follow,
  isConflict,
  isNotFound,
  type ResourceClient,
} from '../client/index.js';
import type { Controller, ControllerParts } from './controller.js';

/** A ValidatingAdmissionPolicy, as far as its status goes. */
export interface Policy extends ApiObjectLike {
  status?: { observedGeneration?: number };
}

export interface PolicyStatusOptions {
  /** The group of policies, as it is served. */
  readonly group: string;
  /** Finds what is suspect about the expressions of a policy. */
  readonly warningsOf: (policy: Policy) => Promise<readonly object[]>;
}

/** For servers that serve policies, and have them in force. */
export function definePolicyStatus({ group, warningsOf }: PolicyStatusOptions): Controller {
  const resource = defineResource<Policy>()({
    group,
    version: 'v1alpha1',
    plural: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);
  return {
    name: 'policy-status',
    run: ({ client, ...parts }) => followPolicies(createResourceClient(resource, client), warningsOf, parts),
  };
}

type Policies = ResourceClient<Policy, unknown, 'status'>;

async function followPolicies(
  policies: Policies,
  warningsOf: PolicyStatusOptions['warningsOf'],
  { signal, onError }: Pick<ControllerParts, 'signal' | 'onError'>,
): Promise<void> {
  for await (const change of follow(policies, { signal })) {
    if (change.type === 'synced' || change.type === 'removed') continue;
    // One that cannot be written is left alone until it changes.
    await observe(policies, change.object, warningsOf, signal).catch((error: unknown) => {
      if (!signal.aborted && !isRace(error)) onError(`policy ${change.object.metadata.name}`, error);
    });
  }
}

async function observe(
  policies: Policies,
  policy: Policy,
  warningsOf: PolicyStatusOptions['warningsOf'],
  signal: AbortSignal,
): Promise<void> {
  const { generation = 0 } = policy.metadata;
  if ((policy.status?.observedGeneration ?? 0) >= generation) return;
  const expressionWarnings = await warningsOf(policy);
  const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings: [...expressionWarnings] };
  const status = { ...policy.status, observedGeneration: generation, typeChecking };
  await policies.subresource('status').update({ ...policy, status }, { signal });
}

/** Another server may have been faster; a later change comes by itself. */
const isRace = (error: unknown): boolean => isConflict(error) || isNotFound(error);
