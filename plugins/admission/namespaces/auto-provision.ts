/** NamespaceAutoProvision: an object that is created in a namespace that is not there has it made. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  Failure,
} from '../../../runtime/contract/index.js';
import { refuse } from '../refuse.js';

export function defineNamespaceAutoProvision(): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    handles: ({ scope }, operation) => scope === 'Namespaced' && operation === 'CREATE',
    admit(attributes, context) {
      // A dry run fails, rather than leave a namespace behind.
      if (attributes.dryRun || context.get('', 'namespaces', '', attributes.namespace)) return undefined;
      return provide(attributes, context);
    },
  };
}

async function provide(attributes: AdmissionAttributes, context: AdmissionContext): Promise<Failure | undefined> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: attributes.namespace } };
  const made = await context.create?.('', 'namespaces', namespace);
  // Somebody else may have made it since.
  if (!made || made.ok || made.failure.reason === 'AlreadyExists') return undefined;
  return refuse(attributes, made.failure.message);
}
