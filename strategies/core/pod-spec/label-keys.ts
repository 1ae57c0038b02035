/** `matchLabelKeys` and `mismatchLabelKeys`: the selectors of a pod get the pod's own values of these labels. */
import type { Pod } from '../../../generated/core/v1/pods/types.js';
import type { PodAffinityTerm } from '../../../generated/types/core/v1/types.js';
import type { LabelSelector } from '../../../generated/types/meta/v1/types.js';
import type { Draft, DraftObject } from '../../../runtime/contract/index.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import type { Release } from '../../../runtime/objects/release.js';

type Labels = Readonly<Record<string, string>>;

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Adds the values of the pod's own labels to its selectors, in place. */
export function mergeLabelKeys({ metadata: { labels = {} }, spec }: DraftObject<Pod>, release: Release): void {
  const { affinity, topologySpreadConstraints = [] } = spec ?? {};
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const { [required]: terms = [], [preferred]: weighted = [] } = affinity?.[kind] ?? {};
    for (const term of terms) mergeTerm(term, labels);
    for (const { podAffinityTerm } of weighted) if (podAffinityTerm) mergeTerm(podAffinityTerm, labels);
  }
  if (!release.does('labelKeysOfSpreadMerged')) return;
  for (const { labelSelector, matchLabelKeys } of topologySpreadConstraints) {
    if (labelSelector) merge(labelSelector, matchLabelKeys, 'In', labels);
  }
}

function mergeTerm({ labelSelector, matchLabelKeys, mismatchLabelKeys }: Draft<PodAffinityTerm>, labels: Labels): void {
  if (!labelSelector) return;
  merge(labelSelector, matchLabelKeys, 'In', labels);
  merge(labelSelector, mismatchLabelKeys, 'NotIn', labels);
}

function merge(
  selector: Draft<LabelSelector>,
  keys: readonly string[] = [],
  operator: 'In' | 'NotIn',
  labels: Labels,
): void {
  for (const key of keys) {
    const value = getOwn(labels, key);
    if (value === undefined) continue;
    selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [value] }];
  }
}
