/** Flags of `kindforge serve`: users by tokens that a webhook knows. */
import type { FlagGroup } from '../flag.js';

export const webhookTokens = {
  heading: 'Token webhook',
  flags: [
    {
      name: 'authentication-token-webhook-config-file',
      value: '<file>',
      about: 'kubeconfig of a webhook that is asked about tokens: its cluster is the webhook, its user this server',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'authentication-token-webhook-cache-ttl',
      value: '<duration>',
      about: 'how long its answers are relied on',
      byDefault: '2m',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'authentication-token-webhook-version',
      value: '<version>',
      values: ['v1', 'v1beta1'],
      about: 'version of the TokenReviews that it gets: v1 or v1beta1',
      byDefault: 'v1beta1',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
