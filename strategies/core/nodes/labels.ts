/** Labels of nodes that have been given other names, and the warnings of those who still use the old ones. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { objectsAt } from '../../shared/reading.js';

/** Warnings one after the other, found only as they are asked for. */
export type Warnings = Iterable<string>;

/** From each old name to the release that gave it up and the name to use instead. */
export type DeprecatedLabels = ReadonlyMap<string, readonly [release: string, instead: string]>;

/** The most warnings that are sent; each is a header of its own. */
const maxWarnings = 100;

/** Warnings as a list, up to a bound. */
export function firstWarnings(warnings: Warnings): readonly string[] {
  const found: string[] = [];
  for (const warning of warnings) {
    found.push(warning);
    if (found.length === maxWarnings) break;
  }
  return found;
}

/** The labels under the names that are served. */
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

/** What there is to say about a label, or nothing. */
export function deprecationOf(label: string, labels: DeprecatedLabels): string | undefined {
  const [release, instead] = labels.get(label) ?? [];
  return instead === undefined ? undefined : `deprecated since v${release}; use ${quote(instead)} instead`;
}

/** The warning of a field that names a label. */
export function* nodeLabelWarning(label: string, path: string, labels: DeprecatedLabels): Warnings {
  const advice = deprecationOf(label, labels);
  if (advice !== undefined) yield `${path}: ${label} is ${advice}`;
}

/** Warnings about the conditions of a term of a node selector, or of a label selector that chooses nodes. */
export function* nodeTermWarnings(term: JsonObject | undefined, path: string, labels: DeprecatedLabels): Warnings {
  for (const [i, condition] of objectsAt(term, 'matchExpressions').entries()) {
    yield* nodeLabelWarning(stringAt(condition, 'key'), `${path}.matchExpressions[${i}].key`, labels);
  }
}

/** Warnings about a label selector that chooses nodes. */
export function* nodeSelectorWarnings(
  selector: JsonObject | undefined,
  path: string,
  labels: DeprecatedLabels,
): Warnings {
  yield* nodeTermWarnings(selector, path, labels);
  for (const label of Object.keys(objectAt(selector, 'matchLabels') ?? {}).sort()) {
    const advice = deprecationOf(label, labels);
    if (advice !== undefined) yield `${path}.matchLabels.${label}: ${advice}`;
  }
}
