/** The namespaces that every server has. */
import { createNamespaces } from '../namespaces.js';
import type { StartHook } from './start-hook.js';

export const systemNamespaces: StartHook = {
  name: 'start-system-namespaces-controller',
  everySeconds: 60,
  run: ({ client, naming }) => createNamespaces(client, naming),
};
