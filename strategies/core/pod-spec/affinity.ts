/** Which nodes a pod wants, and which other pods it wants near or far. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label } from '../../../runtime/objects/dns-names.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../../runtime/objects/key-names.js';
import { validateLabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';
import { checkNodeSelector, checkNodeSelectorTerm } from '../../shared/node-selector.js';
import { integerAt, objectsAt, textsAt } from '../../shared/reading.js';

const requiredKey = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredKey = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The affinity of a spec at a path. */
export function* checkAffinity(spec: JsonObject, path: string): FieldErrors {
  const affinity = objectAt(spec, 'affinity');
  if (!affinity) return;
  const at = `${path}.affinity`;
  yield* checkNodeAffinity(objectAt(affinity, 'nodeAffinity') ?? {}, `${at}.nodeAffinity`);
  yield* checkPodAffinity(objectAt(affinity, 'podAffinity') ?? {}, `${at}.podAffinity`);
  yield* checkPodAffinity(objectAt(affinity, 'podAntiAffinity') ?? {}, `${at}.podAntiAffinity`);
}

function* checkNodeAffinity(affinity: JsonObject, path: string): FieldErrors {
  const selector = objectAt(affinity, requiredKey);
  if (selector) yield* checkNodeSelector(selector, `${path}.${requiredKey}`);
  for (const [i, term] of objectsAt(affinity, preferredKey).entries()) {
    const at = `${path}.${preferredKey}[${i}]`;
    yield* checkWeight(term, at);
    yield* checkNodeSelectorTerm(objectAt(term, 'preference') ?? {}, `${at}.preference`);
  }
}

function* checkWeight(term: JsonObject, path: string): FieldErrors {
  const weight = integerAt(term, 'weight') ?? 0;
  if (weight < 1 || weight > 100) yield invalidValue(`${path}.weight`, weight, 'must be in the range 1-100');
}

function* checkPodAffinity(affinity: JsonObject, path: string): FieldErrors {
  for (const [i, term] of objectsAt(affinity, requiredKey).entries()) {
    yield* checkTerm(term, `${path}.${requiredKey}[${i}]`);
  }
  for (const [i, term] of objectsAt(affinity, preferredKey).entries()) {
    const at = `${path}.${preferredKey}[${i}]`;
    yield* checkWeight(term, at);
    yield* checkTerm(objectAt(term, 'podAffinityTerm') ?? {}, `${at}.podAffinityTerm`);
  }
}

function* checkTerm(term: JsonObject, path: string): FieldErrors {
  for (const key of ['labelSelector', 'namespaceSelector']) {
    const selector = objectAt(term, key);
    if (selector) yield* validateLabelSelector(selector, `${path}.${key}`);
  }
  for (const name of textsAt(term, 'namespaces')) yield* checkText(`${path}.namespace`, name, dns1123Label);
  const key = stringAt(term, 'topologyKey');
  if (key === '') yield required(`${path}.topologyKey`, 'can not be empty');
  yield* checkText(`${path}.topologyKey`, key, qualifiedNameCheck);
}
