/** Flags of `kindforge serve`: what is seen of it from outside. */
import type { FlagGroup } from '../flag.js';

export const monitoring = {
  heading: 'Logs, metrics, traces and profiles',
  flags: [
    {
      name: 'log-format',
      value: '<format>',
      values: ['text', 'json'],
      about: 'text for people, or json for programs',
      byDefault: 'text',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'log-level',
      value: '<level>',
      values: ['info', 'warn', 'error'],
      about: 'least important lines to log: info, warn or error',
      byDefault: 'info',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'log-requests',
      about: 'log a line of level info for each request, without its secrets',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'show-hidden-metrics-for-version',
      value: '<release>',
      about: 'show metrics that are hidden since the release before, which is the only one to name, as in 0.3',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'profiling',
      about: 'let those who may read /debug/pprof/* take profiles of CPU and heap there',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'tracing-config-file',
      value: '<file>',
      about: 'TracingConfiguration that says where traces of requests go, in YAML',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
