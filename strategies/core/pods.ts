/** Pod: its defaults, its changes, its grace period, and its columns. */
import { definePodHandlers } from '../../generated/core/v1/pods/handlers.js';
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { PodSpec } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { addQuantities, compareQuantities, type Quantity } from '../../runtime/objects/scan/quantity.js';
import { changedPaths, firstErrors } from '../shared/field-checks.js';
import { amountsOf } from '../shared/resources.js';
import type { Serving } from '../shared/serving.js';
import { gatesText, podAddress, readyText, restartsText, statusText } from './pod-columns.js';
import { checkPodAnnotations, podAnnotationChanges, podAnnotationKeys } from './pod-spec/pod-annotations.js';
import { podOnlyErrors, validatePodSpec } from './pod-spec/pod-spec.js';
import { canonicalizePod } from './pod-spec/pod-template.js';
import { podSpecWarnings } from './pod-spec/pod-warnings.js';
import { canonicalizeAddresses, newPodStatus, podStatusErrors } from './pod-status.js';
import { podUpdateErrors } from './pod-update.js';

type QualityOfService = 'BestEffort' | 'Burstable' | 'Guaranteed';

const counted = ['cpu', 'memory'] as const;

const path = 'spec.ephemeralContainers';

export const definePods = (names: Naming, release: Release = emulate()): KindHandlers =>
  definePodHandlers({
    updateChecks: ['metadata changes', 'metadata', 'fields', 'field changes'],
    canonicalize(pod) {
      canonicalizePod(pod, names);
      canonicalizeAddresses(pod.status);
    },
    prepareForCreate(pod) {
      pod.status = newPodStatus(pod.spec, qualityOfService(pod.spec));
      if (release.does('podGenerations')) pod.metadata.generation = 1;
    },
    prepareForUpdate(pod, old, { subresource }) {
      if (release.does('podGenerations')) pod.metadata.generation = nextGeneration(pod, old);
      // A status update neither changes the owners of the pod nor deletes it.
      if (subresource !== 'status') return;
      pod.metadata.ownerReferences = old.metadata.ownerReferences;
      pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
    },
    validate: (pod, { subresource }) => (subresource === 'status' ? [] : podErrors(pod, { names, release })),
    validateUpdate(pod, old, { subresource }) {
      const changes = annotationChanges(pod, old, { names, release });
      if (subresource === 'ephemeralcontainers') {
        return [...changes, ...mirrorErrors(old, names), ...ephemeralUpdateErrors(pod.spec, old.spec)];
      }
      if (subresource === 'status') return [...changes, ...podStatusErrors(pod, old)];
      return [...changes, ...podUpdateErrors(pod.spec ?? {}, old.spec ?? {}, release)];
    },
    warn({ spec = {}, metadata: { annotations } }, old) {
      return old ? [] : podSpecWarnings(spec, 'spec', { names, release, annotations });
    },
    gracePeriod,
    mayRemove: ({ metadata }) => (metadata.deletionGracePeriodSeconds ?? 0) === 0,
    selectableFields: {
      'spec.host': ({ spec }) => spec?.nodeName ?? '',
      'status.podIP': podAddress,
      // Clients know this field selector, but its value is always empty.
      'status.podIPs': () => '',
    },
    columns: {
      Ready: readyText,
      Status: statusText,
      Restarts: restartsText,
      IP: (pod) => podAddress(pod) || '<none>',
      Node: ({ spec }) => spec?.nodeName || '<none>',
      'Nominated Node': ({ status }) => status?.nominatedNodeName || '<none>',
      'Readiness Gates': gatesText,
    },
  });

/** Counts changes of the spec. Pods from before generations begin with the first one. */
function nextGeneration({ spec }: DraftObject<Pod>, { spec: before, metadata }: DraftObject<Pod>): number | undefined {
  return equal(spec, before) ? metadata.generation : (metadata.generation ?? 0) + 1;
}

/** Returns the quality of service that follows from requests and limits. */
function qualityOfService(spec: Draft<PodSpec> = {}): QualityOfService {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let allLimited = true;
  for (const { resources } of containers) {
    add(requests, amountsOf(resources?.requests));
    if (add(limits, amountsOf(resources?.limits)) < counted.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const equal = [...requests].every(([name, amount]) => isSame(amount, limits.get(name)));
  return allLimited && equal && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Adds amounts, and returns how many count. */
function add(sums: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): number {
  let found = 0;
  for (const name of counted) {
    const amount = amounts.get(name);
    if (!amount || amount.digits <= 0n) continue;
    const sum = sums.get(name);
    sums.set(name, sum ? addQuantities(sum, amount) : amount);
    found++;
  }
  return found;
}

const isSame = (a: Quantity, b: Quantity | undefined): boolean => b !== undefined && compareQuantities(a, b) === 0;

/** Ephemeral containers stay as they are, in any order; others may be added. */
function ephemeralUpdateErrors(
  { ephemeralContainers = [] }: Draft<PodSpec> = {},
  old: Draft<PodSpec> = {},
): readonly FieldError[] {
  const now = new Map(ephemeralContainers.map((container) => [container.name ?? '', container] as const));
  return (old.ephemeralContainers ?? []).flatMap((before) => {
    const { name = '' } = before;
    const container = now.get(name);
    if (equal(container, before)) return [];
    const start = `existing ephemeral containers ${quote(name)} may not be`;
    if (!container) return [forbidden(path, `${start} removed\n`)];
    return [forbidden(path, `${start} changed\n${changedPaths(container, before, '')}`)];
  });
}

/** Checks a pod. A new pod must follow more rules. */
function podErrors({ metadata, spec = {} }: DraftObject<Pod>, serving: Serving): readonly FieldError[] {
  const { annotations, name: podName = '', resourceVersion } = metadata;
  return [
    ...validatePodSpec(spec, 'spec', { ...serving, annotations, annotationsPath: 'metadata.annotations', podName }),
    ...podOnlyErrors(spec, 'spec'),
    ...(resourceVersion === undefined ? newPodErrors(spec) : []),
  ];
}

function newPodErrors({
  ephemeralContainers = [],
  nodeName,
  schedulingGates = [],
}: Draft<PodSpec>): readonly FieldError[] {
  const problem = 'cannot be set until all schedulingGates have been cleared';
  return [
    ...(ephemeralContainers.length > 0 ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')] : []),
    ...(nodeName && schedulingGates.length > 0 ? [forbidden('spec.nodeName', problem)] : []),
  ];
}

/** Checks changes of annotations; repeats what is wrong with them. */
function annotationChanges(
  { metadata: { annotations = {} }, spec = {} }: DraftObject<Pod>,
  old: DraftObject<Pod>,
  serving: Serving,
): readonly FieldError[] {
  const path = 'metadata.annotations';
  return [
    ...podAnnotationChanges(annotations, old.metadata.annotations ?? {}, path, serving.names),
    ...firstErrors(checkPodAnnotations(annotations, spec, path, serving)),
  ];
}

/** The mirror of a static pod takes no ephemeral containers, because its node would never see them. */
function mirrorErrors({ metadata: { annotations = {} } }: DraftObject<Pod>, names: Naming): readonly FieldError[] {
  if (getOwn(annotations, podAnnotationKeys(names).mirror) === undefined) return [];
  return [forbidden('', 'static pods do not support ephemeral containers')];
}

/** A pod without a node, or one that has ended, is removed at once. */
function gracePeriod({ spec, status }: DraftObject<Pod>, wanted: number | undefined): number {
  if (!spec?.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
  const period = wanted ?? Number(spec.terminationGracePeriodSeconds ?? 0);
  return period < 0 ? 1 : period;
}
