/**
 * Plugins that set taints and tolerations. DefaultTolerationSeconds, the first, lets pods stay for a while on a node
 * that is not ready or unreachable.
 */
import type { AdmissionPlugin, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { isArray, isInteger, isObject, objectAt, objectsAt } from '../../runtime/objects/guards.js';
import { extendedResources } from '../../runtime/objects/names/names.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { handlesObjects } from './define-admission-plugin.js';

/** How long pods stay if they do not set it themselves, seconds. */
export interface TolerationSeconds {
  readonly notReady?: number;
  readonly unreachable?: number;
}

export const defaultTolerationSeconds = 300;

const effect = 'NoExecute';

/** Creates the plugin. It handles updates too, because they could remove the tolerations. */
export function defineDefaultTolerationSeconds({ rename }: Naming, seconds: TolerationSeconds = {}): AdmissionPlugin {
  const { notReady = defaultTolerationSeconds, unreachable = defaultTolerationSeconds } = seconds;
  const wanted = [
    { key: rename('node.platform.io/not-ready'), tolerationSeconds: notReady },
    { key: rename('node.platform.io/unreachable'), tolerationSeconds: unreachable },
  ];
  return {
    name: 'DefaultTolerationSeconds',
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    admit({ object }) {
      const spec = objectAt(object, 'spec');
      if (!spec) return undefined;
      const own = isArray(spec.tolerations) ? spec.tolerations : [];
      const missing = wanted.filter(({ key }) => !own.some((one) => tolerates(one, key)));
      if (missing.length === 0) return undefined;
      spec.tolerations = [...own, ...missing.map((one) => ({ ...one, operator: 'Exists', effect }))];
      return undefined;
    },
  };
}

/** Returns whether a toleration matches a taint, for any value. An empty key or effect matches all. */
const tolerates = (toleration: JsonValue, key: string): boolean =>
  isObject(toleration) &&
  (!toleration.key || toleration.key === key) &&
  (!toleration.effect || toleration.effect === effect);

// ExtendedResourceToleration: pods tolerate the taints of nodes with the extended resources that they request.

/** Creates the plugin. Nodes with such a resource are tainted with its name, so that other pods stay away. */
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

/** Appends the toleration, or replaces tolerations that differ only in their seconds. */
function tolerate(spec: JsonObject, key: string): void {
  const toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
  const own = isArray(spec.tolerations) ? spec.tolerations : [];
  const isIt = (one: unknown): boolean =>
    isObject(one) && one.key === key && one.operator === 'Exists' && one.effect === 'NoSchedule' && !one.value;
  const others = own.map((one) => (isIt(one) ? { ...toleration } : one));
  spec.tolerations = own.some(isIt) ? others : [...own, toleration];
}

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
      // Key and effect identify a taint; its value does not.
      if (taints.some((taint) => isObject(taint) && taint.key === key && taint.effect === effect)) return undefined;
      object.spec = { ...spec, taints: [...taints, { key, effect }] };
      return undefined;
    },
  };
}

/**
 * Concatenates both lists. Of two tolerations that cover each other, the first stays. Items that are not objects are
 * dropped.
 */
export function mergeTolerations(first: JsonValue | undefined, second: JsonValue | undefined): JsonObject[] {
  const all = [first, second].flatMap((list) => (isArray(list) ? list.filter(isObject) : []));
  const merged: JsonObject[] = [];
  for (const [i, one] of all.entries()) {
    if (merged.some((other) => coversToleration(other, one))) continue;
    if (all.slice(i + 1).some((later) => !equal(later, one) && coversToleration(later, one))) continue;
    merged.push(one);
  }
  return merged;
}

/**
 * Returns whether one toleration covers everything that another tolerates, for at least as long. A toleration without
 * an operator is covered only by one that matches any value, although a missing operator means `Equal`.
 */
export function coversToleration(wide: JsonObject, narrow: JsonObject): boolean {
  if (equal(wide, narrow)) return true;
  if ((wide.key || wide.operator !== 'Exists') && wide.key !== narrow.key) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && !lastsAsLong(wide.tolerationSeconds, narrow.tolerationSeconds)) return false;
  if (wide.operator === 'Exists') return true;
  return !wide.operator || wide.operator === 'Equal'
    ? narrow.operator === 'Equal' && (wide.value || '') === (narrow.value || '')
    : false;
}

/** Compares durations; a missing one means forever. */
const lastsAsLong = (wide: JsonValue | undefined, narrow: JsonValue | undefined): boolean =>
  !isInteger(wide) || (isInteger(narrow) && narrow <= wide);
