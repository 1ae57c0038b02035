/** Rules for the affinity of a pod: the nodes that it wants, and the pods that it wants near or far. */
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  PreferredSchedulingTerm,
  WeightedPodAffinityTerm,
} from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { dns1123Label } from '../../../runtime/objects/names/dns-names.js';
import { qualifiedNameCheck } from '../../../runtime/objects/names/key-names.js';
import { validateLabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';
import { checkNodeSelector, checkNodeSelectorTerm } from '../../shared/node-selector.js';

const requiredKey = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredKey = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The affinity at a path. */
export function* checkAffinity(affinity: Draft<Affinity> = {}, path: string): FieldErrors {
  yield* checkNodeAffinity(affinity.nodeAffinity, `${path}.nodeAffinity`);
  yield* checkPodAffinity(affinity.podAffinity, `${path}.podAffinity`);
  yield* checkPodAffinity(affinity.podAntiAffinity, `${path}.podAntiAffinity`);
}

function* checkNodeAffinity(affinity: Draft<NodeAffinity> = {}, path: string): FieldErrors {
  const { [requiredKey]: selector, [preferredKey]: preferred = [] } = affinity;
  if (selector) yield* checkNodeSelector(selector, `${path}.${requiredKey}`);
  for (const [i, term] of preferred.entries()) {
    const at = `${path}.${preferredKey}[${i}]`;
    yield* checkWeight(term, at);
    yield* checkNodeSelectorTerm(term.preference ?? {}, `${at}.preference`);
  }
}

function* checkWeight(
  { weight = 0 }: Draft<PreferredSchedulingTerm> | Draft<WeightedPodAffinityTerm>,
  path: string,
): FieldErrors {
  if (weight < 1 || weight > 100) yield invalidValue(`${path}.weight`, weight, 'must be in the range 1-100');
}

function* checkPodAffinity(affinity: Draft<PodAffinity> = {}, path: string): FieldErrors {
  const { [requiredKey]: terms = [], [preferredKey]: preferred = [] } = affinity;
  for (const [i, term] of terms.entries()) yield* checkTerm(term, `${path}.${requiredKey}[${i}]`);
  for (const [i, term] of preferred.entries()) {
    const at = `${path}.${preferredKey}[${i}]`;
    yield* checkWeight(term, at);
    yield* checkTerm(term.podAffinityTerm, `${at}.podAffinityTerm`);
  }
}

function* checkTerm(term: Draft<PodAffinityTerm> = {}, path: string): FieldErrors {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term;
  if (labelSelector) yield* validateLabelSelector(labelSelector, `${path}.labelSelector`);
  if (namespaceSelector) yield* validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`);
  for (const name of namespaces) yield* checkText(`${path}.namespace`, name, dns1123Label);
  if (topologyKey === '') yield required(`${path}.topologyKey`, 'can not be empty');
  yield* checkText(`${path}.topologyKey`, topologyKey, qualifiedNameCheck);
}
