/** Flags of `kindforge serve`: what users may do. */
import type { FlagGroup } from '../flag.js';

export const authorization = {
  heading: 'Authorization',
  flags: [
    {
      name: 'authorization-mode',
      value: '<modes>',
      about: 'comma-separated authorizers: RBAC, ABAC, Node, Webhook, AlwaysAllow, AlwaysDeny',
      byDefault: 'RBAC',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'authorization-policy-file',
      value: '<file>',
      about: 'policies for ABAC, a JSON object in each line',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'authorization-webhook-config-file',
      value: '<file>',
      about: 'kubeconfig of the webhook for Webhook: its cluster is the webhook, its user this server',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'authorization-webhook-version',
      value: '<version>',
      values: ['v1', 'v1beta1'],
      about: 'version of the SubjectAccessReviews that it gets: v1 or v1beta1',
      byDefault: 'v1beta1',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'authorization-webhook-cache-authorized-ttl',
      value: '<duration>',
      about: 'how long what it allows is relied on',
      byDefault: '5m',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'authorization-webhook-cache-unauthorized-ttl',
      value: '<duration>',
      about: 'how long what it does not allow is relied on',
      byDefault: '30s',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
