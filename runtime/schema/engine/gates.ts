/** Takes out the fields whose feature gate is off. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn, isObject } from '../../objects/guards.js';
import type { Node } from './table.js';

type Value = JsonValue | undefined;

/**
 * Removes, in place, the fields of gates that are off, unless the stored object uses the gate in any field. Objects are
 * not looked at while all gates are on.
 */
export function dropDisabled(
  root: Node,
  object: JsonObject,
  old: JsonObject | undefined,
  isEnabled: (gate: string) => boolean,
): void {
  const off = new Set<string>();
  for (const gate of root.gates) if (!isEnabled(gate)) off.add(gate);
  if (off.size > 0 && old !== undefined) forgetUsed(root, old, off);
  if (off.size > 0) dropFields(root, object, off);
}

/** Takes the gates that a value uses out of a set. */
function forgetUsed(node: Node, value: Value, off: Set<string>): void {
  forEachGated(node, value, (object, name, gate) => {
    if (gate !== undefined && getOwn(object, name) !== undefined) off.delete(gate);
    return true;
  });
}

function dropFields(node: Node, value: Value, off: ReadonlySet<string>): void {
  forEachGated(node, value, (object, name, gate) => {
    if (gate === undefined || !off.has(gate)) return true;
    Reflect.deleteProperty(object, name);
    return false;
  });
}

/** Says what to do at a field with a gate, or above one; answers whether to go on below it. */
type Visit = (object: JsonObject, name: string, gate: string | undefined) => boolean;

/** Goes to the fields that have a gate, and no further than it has to. */
function forEachGated(node: Node, value: Value, visit: Visit): void {
  if (node.gates.size === 0 || typeof value !== 'object' || value === null) return;
  const { fields, items, values } = node;
  if (Array.isArray(value)) {
    if (items !== undefined && items.gates.size > 0) for (const item of value) forEachGated(items, item, visit);
    return;
  }
  if (!isObject(value)) return;
  for (const { name, node: child, gate } of fields.list) {
    if (child.gates.size > 0 && visit(value, name, gate)) forEachGated(child, getOwn(value, name), visit);
  }
  if (values !== undefined && values.gates.size > 0) for (const key in value) forEachGated(values, value[key], visit);
}
