/** Flags of `kindforge serve`: how much time others get when it starts and stops. */
import type { FlagGroup } from '../flag.js';

export const startAndStop = {
  heading: 'Start and stop',
  flags: [
    {
      name: 'shutdown-delay-duration',
      value: '<duration>',
      about: 'time between the failure of /readyz and the end of accepting connections',
      byDefault: '0s',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'ready-file',
      value: '<file>',
      about: 'file that is there while the server is ready, with the line of --output json',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'exit-with-parent',
      about: 'stop once the process that has started this one has ended, however it ends',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'livez-grace-period',
      value: '<duration>',
      about: 'time after the start in which /livez answers that all is well, whatever its checks find',
      byDefault: '0s',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
