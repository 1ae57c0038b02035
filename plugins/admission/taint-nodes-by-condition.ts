/** TaintNodesByCondition: new nodes get no pods until they are known to be ready. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import { isArray, isObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { handlesObjects } from './handled.js';

export function defineTaintNodesByCondition({ rename }: Naming): AdmissionPlugin {
  const key = rename('node.platform.io/not-ready');
  const effect = 'NoSchedule';
  return {
    name: 'TaintNodesByCondition',
    handles: handlesObjects('', 'nodes', 'CREATE'),
    admit({ object }) {
      if (!object) return undefined;
      const spec = isObject(object.spec) ? object.spec : {};
      const taints = isArray(spec.taints) ? spec.taints : [];
      // The value of a taint is no part of what it is.
      if (taints.some((taint) => isObject(taint) && taint.key === key && taint.effect === effect)) return undefined;
      object.spec = { ...spec, taints: [...taints, { key, effect }] };
      return undefined;
    },
  };
}
