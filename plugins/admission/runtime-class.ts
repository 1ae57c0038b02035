/** RuntimeClass: pods get the overhead, node selector and tolerations of their runtime class. */
import type { AdmissionAttributes, AdmissionPlugin, Failure, JsonObject } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { isString, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { compareQuantities, parseQuantity } from '../../runtime/objects/scan/quantity.js';
import { handlesObjects, refuse } from './define-admission-plugin.js';
import { mergeTolerations } from './tolerations.js';

export function defineRuntimeClass({ rename }: Naming): AdmissionPlugin {
  const group = rename('node.platform.io');
  return {
    name: 'RuntimeClass',
    handles: handlesObjects('', 'pods', 'CREATE'),
    admit(attributes, context) {
      const spec = objectAt(attributes.object, 'spec');
      if (!spec) return undefined;
      const name = spec.runtimeClassName;
      const found = isString(name) ? context.get(group, 'runtimeclasses', '', name) : undefined;
      if (isString(name) && !found) {
        return refuse(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
      }
      return (
        setOverhead(attributes, spec, objectAt(found, 'overhead')) ??
        setScheduling(attributes, spec, objectAt(found, 'scheduling'))
      );
    },
    // Checks again, because later plugins may have changed the pod.
    validate(attributes, context) {
      const spec = objectAt(attributes.object, 'spec');
      const name = stringAt(spec, 'runtimeClassName');
      const found = name ? context.get(group, 'runtimeclasses', '', name) : undefined;
      return spec && checkOverhead(attributes, spec, objectAt(found, 'overhead'));
    },
  };
}

function setOverhead(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  overhead: JsonObject | undefined,
): Failure | undefined {
  const isFirst = attributes.pass?.isSecond !== true;
  if (isFirst && overhead && objectAt(spec, 'overhead')) {
    return refuse(attributes, 'pod rejected: the overhead is already set, which only its RuntimeClass may set');
  }
  const refused = checkOverhead(attributes, spec, overhead);
  if (!refused && overhead) spec.overhead = clone(objectAt(overhead, 'podFixed') ?? {});
  return refused;
}

/** Checks that the pod's overhead is missing, or is what this plugin has set. */
function checkOverhead(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  overhead: JsonObject | undefined,
): Failure | undefined {
  const own = objectAt(spec, 'overhead');
  if (!own) return undefined;
  if (!overhead) {
    return refuse(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  }
  if (sameAmounts(own, objectAt(overhead, 'podFixed') ?? {})) return undefined;
  return refuse(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

/** Compares amounts, however they are written. */
function sameAmounts(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const [one, other] = [parseQuantity(stringAt(a, name)), parseQuantity(stringAt(b, name))];
    return one.ok && other.ok && compareQuantities(one.value, other.value) === 0;
  });
}

function setScheduling(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  scheduling: JsonObject | undefined,
): Failure | undefined {
  if (!scheduling) return undefined;
  const selector = objectAt(scheduling, 'nodeSelector') ?? {};
  const own = objectAt(spec, 'nodeSelector') ?? {};
  for (const [key, value] of Object.entries(selector)) {
    if (!Object.hasOwn(own, key) || own[key] === value) continue;
    const asked = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}`;
    return refuse(attributes, `conflict: ${asked}; pod.spec.nodeSelector[${key}] = ${own[key]}`);
  }
  const both = { ...own, ...selector };
  if (Object.keys(both).length > 0) spec.nodeSelector = both;
  const tolerations = mergeTolerations(spec.tolerations, clone(scheduling.tolerations ?? []));
  if (tolerations.length > 0) spec.tolerations = tolerations;
  return undefined;
}
