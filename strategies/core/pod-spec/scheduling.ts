/** The fields that decide where a pod may run: tolerations, affinity, topology spread, and the taints of nodes. */
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  PreferredSchedulingTerm,
  Taint,
  Toleration,
  TopologySpreadConstraint,
  WeightedPodAffinityTerm,
} from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import {
  duplicate,
  forbidden,
  invalidValue,
  notSupported,
  required,
  Verbatim,
} from '../../../runtime/objects/field-error.js';
import { dns1123Label, labelValue, qualifiedNameCheck } from '../../../runtime/objects/names/name-checks.js';
import { quote } from '../../../runtime/objects/printing.js';
import type { Release } from '../../../runtime/objects/release.js';
import { validateLabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { checkOneOf, checkRequiredOneOf, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { checkNodeSelector, checkNodeSelectorTerm } from '../../shared/selectors.js';

type Tolerations = readonly Draft<Toleration>[];

const operators = ['Equal', 'Exists'] as const;
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** Checks the tolerations of a pod. */
export function* checkTolerations(tolerations: Tolerations = [], path: string, release: Release): FieldErrors {
  for (const [i, toleration] of tolerations.entries()) yield* checkToleration(toleration, `${path}[${i}]`, release);
}

/** Returns the error if a toleration is gone or has changed in more than its seconds. Others may be added. */
export function addedTolerationErrors(
  tolerations: Tolerations = [],
  old: Tolerations = [],
  path: string,
): readonly FieldError[] {
  const now = tolerations.map(timeless);
  const kept = old.every((before) => now.some((one) => equal(one, timeless(before))));
  return kept ? [] : [forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
}

const timeless = ({ tolerationSeconds: _, ...toleration }: Draft<Toleration>): Draft<Toleration> => toleration;

export function* checkToleration(toleration: Draft<Toleration>, path: string, release: Release): FieldErrors {
  const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
  if (key !== '') yield* checkText(`${path}.key`, key, qualifiedNameCheck);
  else if (operator !== 'Exists') {
    const problem = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    yield invalidValue(`${path}.operator`, operator, problem);
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    yield invalidValue(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  yield* checkValue(toleration, `${path}.operator`, release);
  if (effect !== '') yield* checkOneOf(toleration.effect, `${path}.effect`, effects);
}

/** Only operators that compare have a value. Errors about the value name the operator. */
function* checkValue(toleration: Draft<Toleration>, path: string, release: Release): FieldErrors {
  const { operator = '', value = '' } = toleration;
  if (operator === 'Exists') {
    const problem = "value must be empty when `operator` is 'Exists'";
    const printed = release.does('exactTolerationErrors') ? value : printedToleration(toleration);
    if (value !== '') yield invalidValue(path, printed, problem);
  } else if (operator !== '' && operator !== 'Equal') yield notSupported(path, operator, operators);
  else {
    const problems = labelValue(value);
    if (problems.length > 0) yield invalidValue(path, value, problems.join(';'));
  }
}

/** Prints a toleration as messages do. Equal texts mean equal tolerations. */
export function printedToleration(toleration: Draft<Toleration>): Verbatim {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const texts = `Key:${quote(key)}, Operator:${quote(operator)}, Value:${quote(value)}, Effect:${quote(effect)}`;
  return new Verbatim(`core.Toleration{${texts}, TolerationSeconds:${tolerationSeconds ?? '(*int64)(nil)'}}`);
}

const requiredKey = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredKey = 'preferredDuringSchedulingIgnoredDuringExecution';

export function* checkAffinity(affinity: Draft<Affinity> = {}, path: string, release: Release): FieldErrors {
  yield* checkNodeAffinity(affinity.nodeAffinity, `${path}.nodeAffinity`, release);
  yield* checkPodAffinity(affinity.podAffinity, `${path}.podAffinity`);
  yield* checkPodAffinity(affinity.podAntiAffinity, `${path}.podAntiAffinity`);
}

function* checkNodeAffinity(affinity: Draft<NodeAffinity> = {}, path: string, release: Release): FieldErrors {
  const { [requiredKey]: selector, [preferredKey]: preferred = [] } = affinity;
  const withValues = release.does('labelValuesOfNodes');
  if (selector) yield* checkNodeSelector(selector, `${path}.${requiredKey}`, withValues);
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
  yield* checkLabelKeys(term, path);
  if (topologyKey === '') yield required(`${path}.topologyKey`, 'can not be empty');
  yield* checkText(`${path}.topologyKey`, topologyKey, qualifiedNameCheck);
}

/** Other pods must have the same values for the keys of the first list, and other values for the keys of the second. */
function* checkLabelKeys(term: Draft<PodAffinityTerm>, path: string): FieldErrors {
  const { matchLabelKeys: match = [], mismatchLabelKeys: mismatch = [], labelSelector } = term;
  for (const [field, keys] of [
    ['matchLabelKeys', match],
    ['mismatchLabelKeys', mismatch],
  ] as const) {
    if (keys.length > 0 && !labelSelector) {
      yield forbidden(`${path}.${field}`, 'must not be specified when labelSelector is not set');
    } else for (const [i, key] of keys.entries()) yield* checkText(`${path}.${field}[${i}]`, key, qualifiedNameCheck);
  }
  for (const [i, key] of match.entries()) {
    if (!mismatch.includes(key)) continue;
    yield invalidValue(`${path}.matchLabelKeys[${i}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  }
}

type Constraint = Draft<TopologySpreadConstraint>;

const actions = ['DoNotSchedule', 'ScheduleAnyway'] as const;

/** Checks topology spread constraints. */
export function* checkTopologySpread(
  constraints: readonly Constraint[] = [],
  path: string,
  release: Release,
): FieldErrors {
  const last = new Map(constraints.map((constraint, i) => [pairOf(constraint), i] as const));
  for (const [i, constraint] of constraints.entries()) {
    yield* checkConstraint(constraint, `${path}[${i}]`, last.get(pairOf(constraint)) !== i);
    // Keys that are merged into the selector are also in it.
    const isMerged = release.does('labelKeysOfSpreadMerged');
    yield* checkMatchLabelKeys(constraint, `${path}[${i}].matchLabelKeys`, !isMerged);
    yield* checkSelector(constraint, `${path}[${i}].labelSelector`);
  }
}

/** Prints the key and action of a constraint; each pair occurs once. */
const pairOf = ({ topologyKey = '', whenUnsatisfiable = '' }: Constraint): string =>
  `{${topologyKey}, ${whenUnsatisfiable}}`;

function* checkConstraint(constraint: Constraint, path: string, isRepeated: boolean): FieldErrors {
  const { maxSkew = 0, topologyKey, whenUnsatisfiable: action = '' } = constraint;
  if (maxSkew <= 0) yield invalidValue(`${path}.maxSkew`, maxSkew, 'must be greater than zero');
  if (!topologyKey) yield required(`${path}.topologyKey`, 'can not be empty');
  if (!actions.some((known) => known === action)) yield notSupported(`${path}.whenUnsatisfiable`, action, actions);
  if (isRepeated) yield duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, pairOf(constraint));
  yield* checkMinDomains(constraint, `${path}.minDomains`);
  yield* checkOneOf(constraint.nodeAffinityPolicy, `${path}.nodeAffinityPolicy`, ['Honor', 'Ignore']);
  yield* checkOneOf(constraint.nodeTaintsPolicy, `${path}.nodeTaintsPolicy`, ['Honor', 'Ignore']);
}

function* checkSelector({ labelSelector }: Constraint, path: string): FieldErrors {
  if (labelSelector) yield* validateLabelSelector(labelSelector, path);
}

function* checkMinDomains({ minDomains, whenUnsatisfiable = '' }: Constraint, path: string): FieldErrors {
  if (minDomains === undefined) return;
  if (minDomains <= 0) yield invalidValue(path, minDomains, 'must be greater than zero');
  if (whenUnsatisfiable === 'DoNotSchedule') return;
  const problem = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  yield invalidValue(path, minDomains, problem);
}

function* checkMatchLabelKeys(
  { matchLabelKeys: keys = [], labelSelector }: Constraint,
  path: string,
  once: boolean,
): FieldErrors {
  if (keys.length === 0) return;
  if (!labelSelector) {
    yield forbidden(path, 'must not be specified when labelSelector is not set');
    return;
  }
  const { matchLabels = {}, matchExpressions = [] } = labelSelector;
  const selected = new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key = '' }) => key)]);
  for (const [i, key] of keys.entries()) {
    yield* checkText(`${path}[${i}]`, key, qualifiedNameCheck);
    if (!once || !selected.has(key)) continue;
    yield invalidValue(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector');
  }
}

/** Checks a list of taints. */
export function* checkTaints(taints: readonly Draft<Taint>[], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    const at = `${path}[${i}]`;
    const { key = '', value = '', effect = '' } = taint;
    yield* checkText(`${at}.key`, key, qualifiedNameCheck);
    const problems = labelValue(value);
    if (problems.length > 0) yield invalidValue(`${at}.value`, value, problems.join(';'));
    yield* checkRequiredOneOf(effect, `${at}.effect`, effects);
    const pair = `${effect}:${key}`;
    if (seen.has(pair)) yield { reason: 'FieldValueDuplicate', field: at, message: repeated(taint) };
    seen.add(pair);
  }
}

function repeated({ key = '', value = '', effect = '', timeAdded }: Draft<Taint>): string {
  const time = timeAdded === undefined ? '(*v1.Time)(nil)' : quote(timeAdded);
  const printed = `core.Taint{Key:${quote(key)}, Value:${quote(value)}, Effect:${quote(effect)}, TimeAdded:${time}}`;
  return `Duplicate value: ${printed}: taints must be unique by key and effect pair`;
}
