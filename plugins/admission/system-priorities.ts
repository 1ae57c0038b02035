/** SystemPriorities: the priority classes that the system itself uses are never deleted. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { refuse } from './refuse.js';

const names: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical']);

export function defineSystemPriorities({ rename }: Naming): AdmissionPlugin {
  const group = rename('scheduling.platform.io');
  return {
    name: 'SystemPriorities',
    handles: (resource, operation) =>
      operation === 'DELETE' && resource.group === group && resource.names.plural === 'priorityclasses',
    validate: (attributes) =>
      names.has(attributes.name)
        ? refuse(attributes, 'this is a system priority class and cannot be deleted')
        : undefined,
  };
}
