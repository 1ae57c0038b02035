/** Flags of `kindforge serve`: what users may do. */
import type { FlagGroup } from '../flag.js';

export const authorization = {
  heading: 'Authorization',
  flags: [
    {
      name: 'authorization-mode',
      value: '<modes>',
      about: 'comma-separated authorizers: RBAC, AlwaysAllow, AlwaysDeny',
      byDefault: 'RBAC',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
