/** Flags of `kindforge serve`: what users may do. */
import type { FlagGroup } from '../flag.js';

export const authorization = {
  heading: 'Authorization',
  flags: [
    {
      name: 'authorization-mode',
      value: '<modes>',
      about: 'comma-separated authorizers: RBAC, ABAC, AlwaysAllow, AlwaysDeny',
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
  ],
} as const satisfies FlagGroup;
