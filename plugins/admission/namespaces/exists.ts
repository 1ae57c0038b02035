/** NamespaceExists: nothing is written in namespaces that are not there. */
import type { AdmissionPlugin } from '../../../runtime/contract/index.js';
import { notFound } from '../../../runtime/objects/status.js';

export function defineNamespaceExists(): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    handles: ({ scope }, operation) => scope === 'Namespaced' && operation !== 'CONNECT',
    validate: ({ namespace }, context) =>
      context.get('', 'namespaces', '', namespace) ? undefined : notFound('', 'namespaces', namespace),
  };
}
