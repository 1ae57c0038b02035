/** Node labels: warnings about renamed labels, and the columns that labels and status fill. */

import type { Node } from '../../generated/core/v1/nodes/types.js';
import type { NodeSelectorTerm, NodeSystemInfo } from '../../generated/types/core/v1/types.js';
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, DraftObject } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';

/** Warnings that are produced on demand. */
export type Warnings = Iterable<string>;

/** By old name: the release that deprecated it, and its replacement. */
export type DeprecatedLabels = ReadonlyMap<string, readonly [release: string, instead: string]>;

/** The most warnings in one answer; each is a header. */
const maxWarnings = 100;

/** Returns warnings as a list, up to a limit. */
export function firstWarnings(warnings: Warnings): readonly string[] {
  const found: string[] = [];
  for (const warning of warnings) {
    found.push(warning);
    if (found.length === maxWarnings) break;
  }
  return found;
}

/** Returns the deprecated labels in the naming that is served. */
export function deprecatedLabels({ rename }: Naming): DeprecatedLabels {
  return new Map(
    deprecatedNodeLabels.map(([old, release, instead]) => [rename(old), [release, rename(instead)] as const] as const),
  );
}

const deprecatedNodeLabels = [
  ['beta.platform.io/arch', '1.14', 'platform.io/arch'],
  ['beta.platform.io/os', '1.14', 'platform.io/os'],
  ['failure-domain.beta.platform.io/region', '1.17', 'topology.platform.io/region'],
  ['failure-domain.beta.platform.io/zone', '1.17', 'topology.platform.io/zone'],
  ['beta.platform.io/instance-type', '1.17', 'node.platform.io/instance-type'],
] as const;

/** Returns the advice about a deprecated label; `undefined` for other labels. */
export function deprecationOf(label: string, labels: DeprecatedLabels): string | undefined {
  const [release, instead] = labels.get(label) ?? [];
  return instead === undefined ? undefined : `deprecated since v${release}; use ${quote(instead)} instead`;
}

/** Warns about a field that names a label. */
export function* nodeLabelWarning(label: string, path: string, labels: DeprecatedLabels): Warnings {
  const advice = deprecationOf(label, labels);
  if (advice !== undefined) yield `${path}: ${label} is ${advice}`;
}

/** Warns about a term of a node selector, or a label selector for nodes. */
export function* nodeTermWarnings(
  { matchExpressions = [] }: Pick<Draft<NodeSelectorTerm>, 'matchExpressions'> = {},
  path: string,
  labels: DeprecatedLabels,
): Warnings {
  for (const [i, { key = '' }] of matchExpressions.entries()) {
    yield* nodeLabelWarning(key, `${path}.matchExpressions[${i}].key`, labels);
  }
}

/** Warns about a label selector for nodes. */
export function* nodeSelectorWarnings(
  selector: Draft<LabelSelector> = {},
  path: string,
  labels: DeprecatedLabels,
): Warnings {
  yield* nodeTermWarnings(selector, path, labels);
  for (const label of Object.keys(selector.matchLabels ?? {}).sort()) {
    const advice = deprecationOf(label, labels);
    if (advice !== undefined) yield `${path}.matchLabels.${label}: ${advice}`;
  }
}

type NodeDraft = DraftObject<Node>;

/** Prints the status as in `Ready,SchedulingDisabled`. */
export function statusText({ spec, status }: NodeDraft): string {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const word = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

/** Returns the roles of a node, which its labels name in one of two ways. */
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

/** Creates a column with the first address of a type. */
export const addressText =
  (wanted: string) =>
  ({ status }: NodeDraft): string => {
    const found = status?.addresses?.find(({ type }) => type === wanted);
    return found ? (found.address ?? '') : '<none>';
  };

/** Creates a column with a fact about the node's system. */
export const systemText =
  (key: Exclude<keyof NodeSystemInfo, 'swap'>) =>
  ({ status }: NodeDraft): string =>
    status?.nodeInfo?.[key] || '<unknown>';
