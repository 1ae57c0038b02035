/** Rules for how pods spread over the domains of a topology. */
import type { TopologySpreadConstraint } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../../runtime/objects/names/key-names.js';
import { validateLabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { checkOneOf, checkText, type FieldErrors } from '../../shared/field-checks.js';

type Constraint = Draft<TopologySpreadConstraint>;

const actions = ['DoNotSchedule', 'ScheduleAnyway'] as const;

/** The constraints at the path of their list. */
export function* checkTopologySpread(constraints: readonly Constraint[] = [], path: string): FieldErrors {
  const last = new Map(constraints.map((constraint, i) => [pairOf(constraint), i] as const));
  for (const [i, constraint] of constraints.entries()) {
    yield* checkConstraint(constraint, `${path}[${i}]`, last.get(pairOf(constraint)) !== i);
  }
}

/** The key and action of a constraint, of which each pair occurs once, as errors print them. */
const pairOf = ({ topologyKey = '', whenUnsatisfiable = '' }: Constraint): string =>
  `{${topologyKey}, ${whenUnsatisfiable}}`;

function* checkConstraint(constraint: Constraint, path: string, isRepeated: boolean): FieldErrors {
  const { maxSkew = 0, topologyKey, whenUnsatisfiable: action = '', labelSelector } = constraint;
  if (maxSkew <= 0) yield invalidValue(`${path}.maxSkew`, maxSkew, 'must be greater than zero');
  if (!topologyKey) yield required(`${path}.topologyKey`, 'can not be empty');
  if (!actions.some((known) => known === action)) yield notSupported(`${path}.whenUnsatisfiable`, action, actions);
  if (isRepeated) yield duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, pairOf(constraint));
  yield* checkMinDomains(constraint, `${path}.minDomains`);
  yield* checkOneOf(constraint.nodeAffinityPolicy, `${path}.nodeAffinityPolicy`, ['Honor', 'Ignore']);
  yield* checkOneOf(constraint.nodeTaintsPolicy, `${path}.nodeTaintsPolicy`, ['Honor', 'Ignore']);
  yield* checkMatchLabelKeys(constraint, `${path}.matchLabelKeys`);
  if (labelSelector) yield* validateLabelSelector(labelSelector, `${path}.labelSelector`);
}

function* checkMinDomains({ minDomains, whenUnsatisfiable = '' }: Constraint, path: string): FieldErrors {
  if (minDomains === undefined) return;
  if (minDomains <= 0) yield invalidValue(path, minDomains, 'must be greater than zero');
  if (whenUnsatisfiable === 'DoNotSchedule') return;
  const problem = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  yield invalidValue(path, minDomains, problem);
}

function* checkMatchLabelKeys({ matchLabelKeys: keys = [], labelSelector }: Constraint, path: string): FieldErrors {
  if (keys.length === 0) return;
  if (!labelSelector) {
    yield forbidden(path, 'must not be specified when labelSelector is not set');
    return;
  }
  const { matchLabels = {}, matchExpressions = [] } = labelSelector;
  const selected = new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key = '' }) => key)]);
  for (const [i, key] of keys.entries()) {
    yield* checkText(`${path}[${i}]`, key, qualifiedNameCheck);
    if (!selected.has(key)) continue;
    yield invalidValue(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector');
  }
}
