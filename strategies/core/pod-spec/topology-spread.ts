/** How pods spread over the domains of a topology. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { getOwn, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../../runtime/objects/key-names.js';
import { validateLabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { checkChoice, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { integerAt, objectsAt, textsAt } from '../../shared/reading.js';

const actions = ['DoNotSchedule', 'ScheduleAnyway'] as const;

/** The constraints of a spec at a path. */
export function* checkTopologySpread(spec: JsonObject, path: string): FieldErrors {
  const constraints = objectsAt(spec, 'topologySpreadConstraints');
  const last = new Map(constraints.map((constraint, i) => [pairOf(constraint), i] as const));
  for (const [i, constraint] of constraints.entries()) {
    const pair = pairOf(constraint);
    yield* checkConstraint(constraint, `${path}.topologySpreadConstraints[${i}]`, last.get(pair) !== i);
  }
}

/** What tells constraints apart, as errors print it. */
const pairOf = (constraint: JsonObject): string =>
  `{${stringAt(constraint, 'topologyKey')}, ${stringAt(constraint, 'whenUnsatisfiable')}}`;

function* checkConstraint(constraint: JsonObject, path: string, isRepeated: boolean): FieldErrors {
  const skew = integerAt(constraint, 'maxSkew') ?? 0;
  const action = stringAt(constraint, 'whenUnsatisfiable');
  if (skew <= 0) yield invalidValue(`${path}.maxSkew`, skew, 'must be greater than zero');
  if (stringAt(constraint, 'topologyKey') === '') yield required(`${path}.topologyKey`, 'can not be empty');
  if (!actions.some((known) => known === action)) yield notSupported(`${path}.whenUnsatisfiable`, action, actions);
  if (isRepeated) yield duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, pairOf(constraint));
  yield* checkMinDomains(constraint, action, `${path}.minDomains`);
  for (const key of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
    yield* checkChoice(constraint, key, path, ['Honor', 'Ignore']);
  }
  yield* checkMatchLabelKeys(constraint, `${path}.matchLabelKeys`);
  const selector = objectAt(constraint, 'labelSelector');
  if (selector) yield* validateLabelSelector(selector, `${path}.labelSelector`);
}

function* checkMinDomains(constraint: JsonObject, action: string, path: string): FieldErrors {
  const domains = integerAt(constraint, 'minDomains');
  if (domains === undefined) return;
  if (domains <= 0) yield invalidValue(path, domains, 'must be greater than zero');
  if (action === 'DoNotSchedule') return;
  yield invalidValue(path, domains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`);
}

function* checkMatchLabelKeys(constraint: JsonObject, path: string): FieldErrors {
  const keys = textsAt(constraint, 'matchLabelKeys');
  if (keys.length === 0) return;
  const selector = objectAt(constraint, 'labelSelector');
  if (!selector) {
    yield forbidden(path, 'must not be specified when labelSelector is not set');
    return;
  }
  const labels = objectAt(selector, 'matchLabels') ?? {};
  const selected = new Set(objectsAt(selector, 'matchExpressions').map((expression) => stringAt(expression, 'key')));
  for (const [i, key] of keys.entries()) {
    yield* checkText(`${path}[${i}]`, key, qualifiedNameCheck);
    if (!selected.has(key) && getOwn(labels, key) === undefined) continue;
    yield invalidValue(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector');
  }
}
