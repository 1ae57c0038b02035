/** What may change about a pod once it is there. */
import type { FieldError, JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../../runtime/objects/field-error.js';
import { getOwn, isObject, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { changedPaths } from '../../shared/changed-paths.js';
import { maxInt32 } from '../../shared/field-checks.js';
import { hasAt, integerAt, listAt, objectsAt } from '../../shared/reading.js';
import { addedTolerationErrors } from '../pod-spec/tolerations.js';

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Errors of a change of a pod's spec. */
export function podUpdateErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const lists = ['containers', 'initContainers'].filter(
    (list) => listAt(spec, list).length !== listAt(old, list).length,
  );
  const [grown] = lists;
  if (grown) return [forbidden(`spec.${grown}`, 'pod updates may not add or remove containers')];
  const deadline = deadlineErrors(spec, old);
  if (deadline.length > 0) return deadline;
  const { munged, errors } = withAllowedChanges(spec, old);
  const found = [...addedTolerationErrors(spec, old, 'spec.tolerations'), ...gateErrors(spec, old), ...errors];
  if (equal(munged, old)) return found;
  return [...found, forbidden('spec', `${changeable}\n${changedPaths(munged, old, 'spec')}`)];
}

/** A deadline can be set once, and brought forward. */
function deadlineErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const at = 'spec.activeDeadlineSeconds';
  const [now, before] = [integerAt(spec, 'activeDeadlineSeconds'), integerAt(old, 'activeDeadlineSeconds')];
  if (now === undefined) {
    if (before === undefined) return [];
    return [invalidValue(at, undefined, 'must not update from a positive integer to nil value')];
  }
  if (now < 0 || now > maxInt32) return [invalidValue(at, now, `must be between 0 and ${maxInt32}, inclusive`)];
  if (before === undefined || now <= before) return [];
  return [invalidValue(at, now, 'must be less than or equal to previous value')];
}

/** Gates are opened and never closed. */
function gateErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = new Set(objectsAt(old, 'schedulingGates').map((gate) => stringAt(gate, 'name')));
  return objectsAt(spec, 'schedulingGates').flatMap((gate, i) => {
    const name = stringAt(gate, 'name');
    if (before.has(name)) return [];
    const problem = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(`spec.schedulingGates[${i}].name`, problem)];
  });
}

interface Munged {
  /** The spec with the old value wherever a change is allowed, or has been told already. */
  readonly munged: JsonObject;
  readonly errors: readonly FieldError[];
}

function withAllowedChanges(spec: JsonObject, old: JsonObject): Munged {
  const munged: JsonObject = { ...spec };
  for (const list of ['containers', 'initContainers']) {
    if (hasAt(spec, list)) munged[list] = oldImages(listAt(spec, list), objectsAt(old, list));
  }
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) keep(munged, old, key);
  const grace = integerAt(old, 'terminationGracePeriodSeconds');
  if (grace !== undefined && grace < 0 && integerAt(spec, 'terminationGracePeriodSeconds') === 1) {
    keep(munged, old, 'terminationGracePeriodSeconds');
  }
  const errors = listAt(old, 'schedulingGates').length > 0 ? mungeGated(munged, old) : [];
  return { munged, errors };
}

function oldImages(containers: readonly JsonValue[], old: readonly JsonObject[]): JsonValue[] {
  return containers.map((container, i) => {
    if (!isObject(container)) return container;
    const munged = { ...container };
    keep(munged, old[i] ?? {}, 'image');
    return munged;
  });
}

/** Makes a field what it was, absence included. */
function keep(object: JsonObject, old: JsonObject, key: string): void {
  object[key] = getOwn(old, key);
}

/** While a gate keeps a pod from being placed, the nodes that it may be placed on can become fewer. */
function mungeGated(munged: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const labels = objectAt(munged, 'nodeSelector') ?? {};
  const before = objectAt(old, 'nodeSelector') ?? {};
  if (Object.keys(before).some((key) => getOwn(labels, key) !== getOwn(before, key))) {
    const problem = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    errors.push(invalidValue('spec.nodeSelector', labels, problem));
  }
  keep(munged, old, 'nodeSelector');
  errors.push(...nodeAffinityErrors(munged, old));
  const others = { ...objectAt(munged, 'affinity') };
  const own = objectAt(objectAt(old, 'affinity'), 'nodeAffinity');
  others.nodeAffinity = own;
  munged.affinity =
    hasAt(old, 'affinity') || Object.values(others).some((one) => one !== undefined) ? others : undefined;
  return errors;
}

function nodeAffinityErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const terms = (from: JsonObject): readonly JsonObject[] =>
    objectsAt(objectAt(objectAt(objectAt(from, 'affinity'), 'nodeAffinity'), required), 'nodeSelectorTerms');
  const [now, before] = [terms(spec), terms(old)];
  const at = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  if (before.length > 0 && before.length !== now.length) {
    const problem = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalidValue(at, [...now], problem)];
  }
  return before.flatMap((term, i) =>
    onlyAdds(now[i] ?? {}, term)
      ? []
      : [invalidValue(`${at}[${i}]`, now[i], 'only additions are allowed (no mutations or deletions)')],
  );
}

/** Whether a term has all conditions that it had, at the places where they were. */
function onlyAdds(term: JsonObject, old: JsonObject): boolean {
  if (listAt(old, 'matchExpressions').length === 0 && listAt(old, 'matchFields').length === 0) {
    return listAt(term, 'matchExpressions').length === 0 && listAt(term, 'matchFields').length === 0;
  }
  return ['matchExpressions', 'matchFields'].every((list) =>
    listAt(old, list).every((condition, i) => equal(condition, listAt(term, list)[i])),
  );
}
