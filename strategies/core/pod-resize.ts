/** How requests and limits of a running pod may change. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { Container, PodSpec, ResourceRequirements } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import type { Serving } from '../shared/serving.js';
import { hasAmounts, qualityOfService } from './pod-quality.js';
import { podAnnotationKeys } from './pod-spec/pod-annotations.js';
import { isSidecar } from './pod-spec/restart-rules.js';

/** Checks a change of the resources of a pod. */
export function resizeErrors(
  { spec = {} }: DraftObject<Pod>,
  old: DraftObject<Pod>,
  { names, release }: Serving,
): readonly FieldError[] {
  const before = old.spec ?? {};
  if (getOwn(old.metadata.annotations ?? {}, podAnnotationKeys(names).mirror) !== undefined) {
    return [forbidden('', 'static pods cannot be resized')];
  }
  if (before.os?.name === 'windows') return [forbidden('', 'windows pods cannot be resized')];
  const errors = [...stateErrors(spec, old), ...podErrors(spec, before, release.does('podsResizeAsWhole'))];
  const order = lists.flatMap((list) => orderErrors(spec[list] ?? [], before[list] ?? [], list));
  if (order.length > 0) return [...errors, ...order];
  const mayEnd = release.does('initContainersResize');
  const found = [...errors, ...removalErrors(spec, before, mayEnd), ...fixedErrors(spec, before, mayEnd)];
  if (found.length > 0 || equal(withOldAmounts(spec, before), before)) return found;
  return [forbidden('spec', 'only cpu and memory resources are mutable')];
}

/** Restores the fields that a resize does not write, in place. Leaves lists with other containers to the checks. */
export function keepAllButResources(pod: DraftObject<Pod>, { spec: before }: DraftObject<Pod>): void {
  if (!pod.spec) return;
  for (const list of lists) {
    const old = before?.[list] ?? [];
    const now = pod.spec[list] ?? [];
    if (now.length !== old.length || now.some(({ name }, i) => name !== old[i]?.name)) continue;
    if (now.length > 0) pod.spec[list] = now.map((one, i) => ({ ...old[i], ...resizedPart(one) }));
  }
}

const resizedPart = ({ name = '', resources, resizePolicy }: Draft<Container>): Draft<Container> => ({
  name,
  ...(resources && { resources }),
  ...(resizePolicy && { resizePolicy }),
});

/**
 * A pod keeps its quality of service. If a running container reports no resources, its node is too old for a resize.
 */
function stateErrors(spec: Draft<PodSpec>, old: DraftObject<Pod>): readonly FieldError[] {
  const { qosClass = qualityOfService(old.spec), containerStatuses = [], ...status } = old.status ?? {};
  const running = containerStatuses.find(({ state }) => state?.running !== undefined);
  const claimed = (status.nodeAllocatableResourceClaimStatuses ?? []).length > 0;
  const kept = 'Pod QOS Class may not change as a result of resizing';
  return [
    ...(qosClass === qualityOfService(spec) ? [] : [invalidValue('spec', qosClass, kept)]),
    ...(running && running.resources === undefined
      ? [forbidden('spec', 'Pod running on node without support for resize')]
      : []),
    ...(claimed ? [forbidden('spec', 'pods with node allocatable resource claims cannot be resized')] : []),
  ];
}

type Amounts = Readonly<Record<string, string>>;
type Resources = Draft<ResourceRequirements>;

const isRemoved = (now: Amounts = {}, before: Amounts = {}): boolean =>
  Object.keys(before).some((name) => getOwn(now, name) === undefined);

/** Checks the resources of the pod as a whole. */
function podErrors(spec: Draft<PodSpec>, before: Draft<PodSpec>, mayChange: boolean): readonly FieldError[] {
  const { resources: now } = spec;
  const { resources: old } = before;
  if (!hasAmounts(now) && !hasAmounts(old)) return [];
  if (!mayChange) {
    const gate = 'InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled';
    return [forbidden('', `resize of pods with pod-level resources is forbidden when ${gate}`)];
  }
  if (!old || now) {
    return [
      ...amountErrors(now, old, 'spec.resources', 'pod-level resource '),
      ...(equal(withOld(now, old), old)
        ? []
        : [forbidden('spec', 'only cpu and memory resources are mutable at pod-level')]),
    ];
  }
  return [forbidden('spec.resources', 'pod-level resources cannot be removed')];
}

const amountErrors = (now: Resources = {}, old: Resources = {}, path: string, kind: string): readonly FieldError[] =>
  (['requests', 'limits'] as const).flatMap((field) =>
    isRemoved(now[field], old[field]) ? [forbidden(`${path}.${field}`, `${kind}${field} cannot be removed`)] : [],
  );

const lists = ['containers', 'initContainers'] as const;

type List = (typeof lists)[number];

/** The containers stay as they are, in their order. */
function orderErrors(
  now: readonly Draft<Container>[],
  old: readonly Draft<Container>[],
  list: List,
): readonly FieldError[] {
  if (now.length !== old.length) {
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return old.flatMap(({ name }, i) =>
    now[i]?.name === name
      ? []
      : [forbidden(`spec.${list}[${i}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

/** Amounts change, but are not removed. */
function removalErrors(spec: Draft<PodSpec>, before: Draft<PodSpec>, mayEnd: boolean): readonly FieldError[] {
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    (before[list] ?? []).flatMap((old, i) => {
      if (list === 'initContainers' && !mayEnd && !isSidecar(old)) return [];
      return amountErrors(spec[list]?.[i]?.resources, old.resources, `spec.${list}[${i}].resources`, 'resource ');
    }),
  );
}

/** Only CPU and memory of containers change. */
function fixedErrors(spec: Draft<PodSpec>, before: Draft<PodSpec>, mayEnd: boolean): readonly FieldError[] {
  const running = (spec.containers ?? []).flatMap((container, i) =>
    equal(withOldResources(container, before.containers?.[i]), before.containers?.[i])
      ? []
      : [forbidden('spec', 'only cpu and memory resources are mutable')],
  );
  const initial = (spec.initContainers ?? []).flatMap((container, i) =>
    initErrors(container, before.initContainers?.[i], `spec.initContainers[${i}]`, mayEnd),
  );
  return [...running, ...initial];
}

function initErrors(
  container: Draft<Container>,
  old: Draft<Container> | undefined,
  path: string,
  mayEnd: boolean,
): readonly FieldError[] {
  if (equal(container, old)) return [];
  const fixed = 'only cpu and memory resources for init or sidecar containers are mutable';
  const other = equal(withOldResources(container, old), old) ? [] : [forbidden(path, fixed)];
  if (isSidecar(container)) return other;
  if (!mayEnd) return [forbidden('spec', 'resources for non-sidecar init containers are immutable')];
  const restarts = (container.resizePolicy ?? []).filter(({ restartPolicy }) => restartPolicy === 'RestartContainer');
  const problem = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
  return [...other, ...restarts.map(() => forbidden(path, problem))];
}

const withOldAmounts = (spec: Draft<PodSpec>, before: Draft<PodSpec>): Draft<PodSpec> => ({
  ...spec,
  resources: withOld(spec.resources, before.resources),
  ...Object.fromEntries(
    lists.flatMap((list) => {
      const now = spec[list]?.map((one, i) => withOldResources(one, before[list]?.[i]));
      return now ? [[list, now] as const] : [];
    }),
  ),
});

const withOldResources = (container: Draft<Container>, old: Draft<Container> | undefined): Draft<Container> => ({
  ...container,
  resources: withOld(container.resources, old?.resources),
});

/** Returns resources with the old amounts of CPU and memory. */
function withOld(now: Resources | undefined, old: Resources | undefined): Resources | undefined {
  const merged = { ...now };
  for (const field of ['requests', 'limits'] as const) {
    const { cpu: _cpu, memory: _memory, ...others } = now?.[field] ?? {};
    const { cpu, memory } = old?.[field] ?? {};
    const amounts = { ...others, ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
    if (Object.keys(amounts).length > 0 || old?.[field]) merged[field] = amounts;
    else delete merged[field];
  }
  return Object.keys(merged).length === 0 ? old : merged;
}
