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
import { changedPaths, firstErrors } from '../shared/field-checks.js';
import type { Serving } from '../shared/serving.js';
import { gatesText, podAddress, readyText, restartsText, statusText } from './pod-columns.js';
import { qualityOfService } from './pod-quality.js';
import { keepAllButResources, resizeErrors } from './pod-resize.js';
import { checkSameAppArmor, completeAppArmor } from './pod-spec/app-armor.js';
import { mergeLabelKeys } from './pod-spec/label-keys.js';
import { checkPodAnnotations, podAnnotationChanges, podAnnotationKeys } from './pod-spec/pod-annotations.js';
import { podOnlyErrors, validatePodSpec } from './pod-spec/pod-spec.js';
import { canonicalizePod } from './pod-spec/pod-template.js';
import { podSpecWarnings } from './pod-spec/pod-warnings.js';
import { canonicalizeAddresses, keepGenerations, newPodStatus, podStatusErrors, statusWarnings } from './pod-status.js';
import { podUpdateErrors } from './pod-update.js';

const path = 'spec.ephemeralContainers';

export const definePods = (names: Naming, release: Release = emulate()): KindHandlers =>
  definePodHandlers({
    updateChecks: ['metadata changes', 'metadata', 'fields', 'field changes'],
    canonicalize(pod) {
      canonicalizePod(pod, names);
      canonicalizeAddresses(pod.status);
    },
    prepareForCreate(pod, { now, warn }) {
      if (release.does('labelKeysMerged')) mergeLabelKeys(pod, release);
      if (release.does('appArmorFields')) completeAppArmor(pod, names, warn);
      pod.status = newPodStatus(pod.spec, qualityOfService(pod.spec), release.does('gatedSince') ? now : null);
      if (release.does('podGenerations')) pod.metadata.generation = 1;
    },
    prepareForUpdate(pod, old, { subresource, warn }) {
      if (subresource === 'resize') keepAllButResources(pod, old);
      if (release.does('podGenerations')) pod.metadata.generation = nextGeneration(pod, old);
      // A status update neither changes the owners of the pod nor deletes it.
      if (subresource !== 'status') return;
      pod.metadata.ownerReferences = old.metadata.ownerReferences;
      pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
      // The writer of a status need not know the quality of service, which stays.
      if (release.does('podsResize') && pod.status) pod.status.qosClass ||= old.status?.qosClass;
      if (pod.status) keepGenerations(pod.status, old.status);
      for (const warning of statusWarnings(pod.status, release)) warn(warning);
    },
    validate: (pod, { subresource }) => (subresource === 'status' ? [] : podErrors(pod, { names, release })),
    validateUpdate(pod, old, { subresource, featureEnabled }) {
      const changes = annotationChanges(pod, old, { names, release });
      if (subresource === 'ephemeralcontainers') {
        return [...changes, ...mirrorErrors(old, names), ...ephemeralUpdateErrors(pod.spec, old.spec)];
      }
      if (subresource === 'resize') return resizeErrors(pod, old, { names, release });
      if (subresource === 'status') return [...changes, ...podStatusErrors(pod, old, { release, featureEnabled })];
      return [...changes, ...podUpdateErrors(pod.spec ?? {}, old.spec ?? {}, release)];
    },
    warn({ spec = {}, metadata: { annotations } }, old) {
      return old ? [] : podSpecWarnings(spec, 'spec', { names, release, annotations });
    },
    gracePeriod,
    mayRemove: ({ metadata }) => (metadata.deletionGracePeriodSeconds ?? 0) === 0,
    selectableFields: {
      'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork ?? false),
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

/** Counts changes of the spec. Pods that were stored without a generation start at 1. */
function nextGeneration({ spec }: DraftObject<Pod>, { spec: before, metadata }: DraftObject<Pod>): number | undefined {
  return equal(spec, before) ? metadata.generation : (metadata.generation ?? 0) + 1;
}

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
    ...(resourceVersion === undefined
      ? firstErrors(checkSameAppArmor(spec, annotations ?? {}, 'spec', serving.names))
      : []),
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
