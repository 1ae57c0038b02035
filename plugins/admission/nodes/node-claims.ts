/** The writes of volume claims that a node may make: it tells of their growth, and of nothing else. */
import type { AdmissionAttributes, ApiObject, Failure, JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import { refuse } from '../refuse.js';
import type { NodeRule } from './node-rule.js';

/** `recovers` says whether nodes also tell of how a growth goes that may be taken back. */
export const nodeClaimRule =
  (recovers: () => boolean): NodeRule =>
  (attributes, node) => {
    const { subresource, operation, object, oldObject } = attributes;
    if (subresource !== 'status') return refuse(attributes, 'may only update PVC status');
    if (operation !== 'UPDATE' || !object || !oldObject) {
      return refuse(attributes, `unexpected operation ${quote(operation)}`);
    }
    return checkFields(attributes, node, [restOf(object, recovers()), restOf(oldObject, recovers())]);
  };

function checkFields(
  attributes: AdmissionAttributes,
  node: string,
  [now, old]: readonly [JsonObject, JsonObject],
): Failure | undefined {
  const changed = [...new Set([...Object.keys(now), ...Object.keys(old)])].filter((key) => !equal(now[key], old[key]));
  if (changed.length === 0) return undefined;
  const only = 'is not allowed to update fields other than status.capacity and status.conditions';
  return refuse(attributes, `node ${quote(node)} ${only}: ${changed.join(', ')}`);
}

/** The parts of a claim that are to stay, each by its name. */
function restOf(claim: ApiObject, recovers: boolean): JsonObject {
  const growth = ['capacity', 'conditions', ...(recovers ? ['allocatedResources', 'resizeStatus'] : [])];
  return {
    ...claim,
    metadata: without(claim.metadata, ['resourceVersion', 'managedFields']),
    status: without(objectAt(claim, 'status') ?? {}, growth),
  };
}

const without = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
