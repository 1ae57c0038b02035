/** Columns of tables of nodes. */
import type { Node } from '../../../generated/core/v1/nodes/types.js';
import type { NodeSystemInfo } from '../../../generated/types/core/v1/types.js';
import type { DraftObject } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';

type Cell = (node: DraftObject<Node>, names: Naming) => string;

/** As in `Ready,SchedulingDisabled`. */
const statusText: Cell = ({ spec, status }) => {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const word = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
};

/** The roles of a node, which its labels give in one of two ways. */
const rolesText: Cell = ({ metadata: { labels = {} } }, { rename }) => {
  const [prefix, label] = [rename('node-role.platform.io/'), rename('platform.io/role')];
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(prefix)) roles.add(key.slice(prefix.length));
    else if (key === label) roles.add(value);
  }
  roles.delete('');
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
};

function addressOf(wanted: string): Cell {
  return ({ status }) => {
    const found = status?.addresses?.find(({ type }) => type === wanted);
    return found ? (found.address ?? '') : '<none>';
  };
}

function systemText(key: keyof NodeSystemInfo): Cell {
  return ({ status }) => status?.nodeInfo?.[key] || '<unknown>';
}

/** The cells that no JSONPath gives, by column. */
export const nodeCells: ReadonlyMap<string, Cell> = new Map([
  ['Status', statusText],
  ['Roles', rolesText],
  ['Internal-IP', addressOf('InternalIP')],
  ['External-IP', addressOf('ExternalIP')],
  ['OS-Image', systemText('osImage')],
  ['Kernel-Version', systemText('kernelVersion')],
  ['Container-Runtime', systemText('containerRuntimeVersion')],
]);
