/** What tables show of a node. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { isTrueAt, objectsAt } from '../../shared/reading.js';

type Cell = (node: ApiObject, names: Naming) => string;

/** As in `Ready,SchedulingDisabled`. */
function statusText(node: ApiObject): string {
  const conditions = objectsAt(objectAt(node, 'status'), 'conditions');
  const ready = conditions.findLast((condition) => stringAt(condition, 'type') === 'Ready');
  const word = ready ? (stringAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return isTrueAt(objectAt(node, 'spec'), 'unschedulable') ? `${word},SchedulingDisabled` : word;
}

/** What a node is for, as its labels say in one of two ways. */
function rolesText({ metadata: { labels } }: ApiObject, { rename }: Naming): string {
  const [prefix, label] = [rename('node-role.platform.io/'), rename('platform.io/role')];
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (key.startsWith(prefix)) roles.add(key.slice(prefix.length));
    else if (key === label) roles.add(value);
  }
  roles.delete('');
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
}

function addressOf(type: string): Cell {
  return (node) => {
    const addresses = objectsAt(objectAt(node, 'status'), 'addresses');
    const found = addresses.find((address) => stringAt(address, 'type') === type);
    return found ? stringAt(found, 'address') : '<none>';
  };
}

function systemText(key: string): Cell {
  return (node) => stringAt(objectAt(objectAt(node, 'status'), 'nodeInfo'), key) || '<unknown>';
}

/** The cells that no path can say, by column. */
export const nodeCells: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ['Status', statusText],
  ['Roles', rolesText],
  ['Internal-IP', addressOf('InternalIP')],
  ['External-IP', addressOf('ExternalIP')],
  ['OS-Image', systemText('osImage')],
  ['Kernel-Version', systemText('kernelVersion')],
  ['Container-Runtime', systemText('containerRuntimeVersion')],
]);
