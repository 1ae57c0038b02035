/** ExtendedResourceToleration: pods tolerate the taints of nodes that have the extended resources that they ask for. */
import type { AdmissionPlugin, JsonObject } from '../../../runtime/contract/index.js';
import { isArray, isObject, objectAt, objectsAt } from '../../../runtime/objects/guards.js';
import { extendedResources } from '../../../runtime/objects/names/names.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import { handlesObjects } from '../handled.js';

/** Nodes with such a resource are tainted with its name, so that other pods keep away. */
export function defineExtendedResourceToleration(names: Naming): AdmissionPlugin {
  const isExtended = extendedResources(names);
  return {
    name: 'ExtendedResourceToleration',
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    admit({ object }) {
      const spec = objectAt(object, 'spec');
      const containers = ['containers', 'initContainers'].flatMap((list) => objectsAt(spec, list));
      const asked = containers.flatMap((container) =>
        Object.keys(objectAt(objectAt(container, 'resources'), 'requests') ?? {}),
      );
      if (!spec) return undefined;
      for (const name of [...new Set(asked.filter(isExtended))].sort(byCodePoint)) tolerate(spec, name);
      return undefined;
    },
  };
}

/** Adds the toleration at the end, or puts it in the place of those that differ in their seconds alone. */
function tolerate(spec: JsonObject, key: string): void {
  const toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
  const own = isArray(spec.tolerations) ? spec.tolerations : [];
  const isIt = (one: unknown): boolean =>
    isObject(one) && one.key === key && one.operator === 'Exists' && one.effect === 'NoSchedule' && !one.value;
  const others = own.map((one) => (isIt(one) ? { ...toleration } : one));
  spec.tolerations = own.some(isIt) ? others : [...own, toleration];
}
