/** Flags of `kindforge serve`: how admission webhooks are reached. */
import type { FlagGroup } from '../flag.js';

export const admissionWebhooks = {
  heading: 'Admission webhooks',
  flags: [
    {
      name: 'service-resolver',
      value: '<namespace>/<name>=<url>',
      about:
        'address of the admission webhook behind a Service, in place of its cluster address, as in shop/hook=https://127.0.0.1:9443; may be given more than once',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
