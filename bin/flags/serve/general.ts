/** Flags of `kindforge serve`: where its settings come from, and what it prints. */
import type { FlagGroup } from '../flag.js';

export const general = {
  heading: 'General',
  flags: [
    {
      name: 'config',
      value: '<file>',
      about: 'YAML file with flags; those of the command line and of the environment come first',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'output',
      value: '<form>',
      about: 'output once the server is ready: text, or json for one line with address, kubeconfig and pid',
      byDefault: 'text',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'project',
      value: '<path>',
      about: 'configuration of the project, its folder, or none; flags and the environment come first',
      otherwise: 'kindforge.config.* of the working directory, or of one above it',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'quiet',
      about: 'print nothing but errors',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
