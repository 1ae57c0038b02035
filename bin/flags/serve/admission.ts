/** Flags of `kindforge serve`: what checks and completes writes. */
import type { FlagGroup } from '../flag.js';

export const admission = {
  heading: 'Admission',
  flags: [
    {
      name: 'enable-admission-plugins',
      value: '<names>',
      about: 'comma-separated admission plugins to run besides those that are on by default',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'disable-admission-plugins',
      value: '<names>',
      about: 'comma-separated admission plugins not to run',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'admission-control-config-file',
      value: '<file>',
      about: 'AdmissionConfiguration with the configurations of admission plugins, in YAML',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
