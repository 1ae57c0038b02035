/** Writes the warnings about each admission policy into its status, once for each change of its spec. */
import { type ApiObjectLike, createResourceClient, defineResource } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** The fields of a ValidatingAdmissionPolicy that the controller uses. */
export interface Policy extends ApiObjectLike {
  status?: { observedGeneration?: number };
}

export interface PolicyStatusOptions {
  /** The group of policies, as it is served. */
  readonly group: string;
  /** The served version to write. Default: `v1alpha1`. */
  readonly version?: string;
  /** Checks the expressions of a policy. */
  readonly warningsOf: (policy: Policy) => Promise<readonly object[]>;
}

/** Defines the controller, for servers that enforce admission policies. */
export function definePolicyStatus({ group, version = 'v1alpha1', warningsOf }: PolicyStatusOptions): Controller {
  const resource = defineResource<Policy>()({
    group,
    version,
    plural: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);
  return defineController({
    name: 'policy-status',
    watches: [watch(resource)],
    async reconcile(key, { client, cacheOf, signal }) {
      const policy = cacheOf(resource).get(key);
      const { generation = 0 } = policy?.metadata ?? {};
      if (policy === undefined || (policy.status?.observedGeneration ?? 0) >= generation) return;
      const expressionWarnings = await warningsOf(policy);
      const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings: [...expressionWarnings] };
      const status = { ...policy.status, observedGeneration: generation, typeChecking };
      const policies = createResourceClient(resource, client);
      await policies
        .subresource('status')
        .update({ ...policy, status }, { signal })
        .catch(ignoreNotFound);
    },
  });
}
