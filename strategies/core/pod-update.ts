/** How the spec of a pod may change. */
import type { Container, NodeSelectorTerm, PodSpec } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import type { Release } from '../../runtime/objects/release.js';
import { changedPaths, maxInt32 } from '../shared/field-checks.js';
import { addedTolerationErrors, checkTolerations } from './pod-spec/scheduling.js';

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const containerLists = ['containers', 'initContainers'] as const;

/** Checks a change of the spec. */
export function podUpdateErrors(spec: Draft<PodSpec>, old: Draft<PodSpec>, release: Release): readonly FieldError[] {
  const images: FieldError[] = [];
  for (const list of containerLists) {
    if ((spec[list] ?? []).length !== (old[list] ?? []).length) {
      return [...images, forbidden(`spec.${list}`, 'pod updates may not add or remove containers')];
    }
    images.push(...imageErrors(spec[list] ?? [], `spec.${list}`));
  }
  const deadline = deadlineErrors(spec, old);
  // A wrong deadline ends the check, unless it was removed.
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return [...images, ...deadline];
  const munged = withAllowedChanges(spec, old);
  const found = [
    ...images,
    ...deadline,
    ...tolerationErrors(spec.tolerations ?? [], old.tolerations, 'spec.tolerations', release),
    ...addedGateErrors(spec, old),
    ...(isGated(old) ? placementErrors(spec, old) : []),
  ];
  if (equal(munged, old)) return found;
  return [...found, forbidden('spec', `${changeable}\n${changedPaths(munged, old, 'spec')}`)];
}

/** Images may change, and are checked again. */
const imageErrors = (containers: readonly Draft<Container>[], path: string): readonly FieldError[] =>
  containers.flatMap(({ image = '' }, i) => {
    if (image === '') return [required(`${path}[${i}].image`)];
    const problem = 'must not have leading or trailing whitespace';
    return image === image.trim() ? [] : [invalidValue(`${path}[${i}].image`, image, problem)];
  });

/** Tolerations may be added, and are checked again. */
function tolerationErrors(now: Tolerations, old: Tolerations, path: string, release: Release): readonly FieldError[] {
  const gone = addedTolerationErrors(now, old, path);
  return gone.length > 0 ? gone : [...checkTolerations(now, path, release)];
}

type Tolerations = Draft<PodSpec>['tolerations'];

/** A deadline can be set once, and brought forward. */
function deadlineErrors(
  { activeDeadlineSeconds: now }: Draft<PodSpec>,
  { activeDeadlineSeconds: before }: Draft<PodSpec>,
): readonly FieldError[] {
  const at = 'spec.activeDeadlineSeconds';
  if (now === undefined) {
    if (before === undefined) return [];
    return [invalidValue(at, undefined, 'must not update from a positive integer to nil value')];
  }
  if (now < 0 || now > maxInt32) return [invalidValue(at, now, `must be between 0 and ${maxInt32}, inclusive`)];
  if (before === undefined || now <= before) return [];
  return [invalidValue(at, now, 'must be less than or equal to previous value')];
}

/** Scheduling gates can be removed but not added. */
function addedGateErrors({ schedulingGates = [] }: Draft<PodSpec>, old: Draft<PodSpec>): readonly FieldError[] {
  const before = new Set(old.schedulingGates?.map(({ name = '' }) => name));
  return schedulingGates.flatMap(({ name = '' }, i) => {
    if (before.has(name)) return [];
    const problem = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(`spec.schedulingGates[${i}].name`, problem)];
  });
}

/** Returns the spec with the old value of every field that may change or that has errors of its own. */
function withAllowedChanges(spec: Draft<PodSpec>, old: Draft<PodSpec>): Draft<PodSpec> {
  const { activeDeadlineSeconds, schedulingGates, tolerations, terminationGracePeriodSeconds: grace } = old;
  const munged = { ...spec, activeDeadlineSeconds, schedulingGates, tolerations };
  for (const list of containerLists) if (spec[list]) munged[list] = withOldImages(spec[list], old[list]);
  // Old pods may have a negative period, which can be set to 1.
  if (grace !== undefined && grace < 0 && spec.terminationGracePeriodSeconds === 1) {
    munged.terminationGracePeriodSeconds = grace;
  }
  return isGated(old) ? withOldPlacement(munged, old) : munged;
}

const withOldImages = (containers: Draft<Container>[], old?: Draft<Container>[] | null): Draft<Container>[] =>
  containers.map((container, i) => ({ ...container, image: old?.[i]?.image }));

/** Returns whether a gate keeps a pod from being scheduled. While it does, updates can narrow the choice of nodes. */
const isGated = ({ schedulingGates = [] }: Draft<PodSpec>): boolean => schedulingGates.length > 0;

function withOldPlacement(spec: Draft<PodSpec>, old: Draft<PodSpec>): Draft<PodSpec> {
  const affinity = { ...spec.affinity, nodeAffinity: old.affinity?.nodeAffinity };
  const hasAffinity = old.affinity !== undefined || Object.values(affinity).some((part) => part !== undefined);
  return { ...spec, nodeSelector: old.nodeSelector, affinity: hasAffinity ? affinity : undefined };
}

function placementErrors(spec: Draft<PodSpec>, old: Draft<PodSpec>): readonly FieldError[] {
  const { nodeSelector: labels = {} } = spec;
  const { nodeSelector: before = {} } = old;
  const problem = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  const changed = Object.keys(before).some((key) => getOwn(labels, key) !== getOwn(before, key));
  return [
    ...(changed ? [invalidValue('spec.nodeSelector', labels, problem)] : []),
    ...nodeAffinityErrors(nodeTerms(spec), nodeTerms(old)),
  ];
}

const mandatory = 'requiredDuringSchedulingIgnoredDuringExecution';

const nodeTerms = ({ affinity }: Draft<PodSpec>): Draft<NodeSelectorTerm>[] =>
  affinity?.nodeAffinity?.[mandatory]?.nodeSelectorTerms ?? [];

function nodeAffinityErrors(now: Draft<NodeSelectorTerm>[], before: Draft<NodeSelectorTerm>[]): readonly FieldError[] {
  const at = `spec.affinity.nodeAffinity.${mandatory}.nodeSelectorTerms`;
  if (before.length > 0 && before.length !== now.length) {
    return [invalidValue(at, now, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return before.flatMap((term, i) =>
    onlyAdds(now[i] ?? {}, term)
      ? []
      : [invalidValue(`${at}[${i}]`, now[i], 'only additions are allowed (no mutations or deletions)')],
  );
}

/** Returns whether a term keeps all its conditions in place. A term without conditions cannot get any. */
function onlyAdds(term: Draft<NodeSelectorTerm>, old: Draft<NodeSelectorTerm>): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  const { matchExpressions: oldExpressions = [], matchFields: oldFields = [] } = old;
  if (oldExpressions.length + oldFields.length === 0) return matchExpressions.length + matchFields.length === 0;
  return (
    oldExpressions.every((condition, i) => equal(condition, matchExpressions[i])) &&
    oldFields.every((condition, i) => equal(condition, matchFields[i]))
  );
}
