/** Columns of tables of nodes. */
import type { Node } from '../../../generated/core/v1/nodes/types.js';
import type { NodeSystemInfo } from '../../../generated/types/core/v1/types.js';
import type { DraftObject } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';

type NodeDraft = DraftObject<Node>;

/** As in `Ready,SchedulingDisabled`. */
export function statusText({ spec, status }: NodeDraft): string {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const word = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

/** The roles of a node, which its labels give in one of two ways. */
export function rolesText({ metadata: { labels = {} } }: NodeDraft, { rename }: Naming): string {
  const [prefix, label] = [rename('node-role.platform.io/'), rename('platform.io/role')];
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(prefix)) roles.add(key.slice(prefix.length));
    else if (key === label) roles.add(value);
  }
  roles.delete('');
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
}

/** Reads the first address of a type. */
export const addressText =
  (wanted: string) =>
  ({ status }: NodeDraft): string => {
    const found = status?.addresses?.find(({ type }) => type === wanted);
    return found ? (found.address ?? '') : '<none>';
  };

/** Reads what the node says of its system. */
export const systemText =
  (key: keyof NodeSystemInfo) =>
  ({ status }: NodeDraft): string =>
    status?.nodeInfo?.[key] || '<unknown>';
