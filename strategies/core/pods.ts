/** Pod: its defaults and rules, the changes that are allowed, its grace period, and its columns. */
import { definePodHandlers } from '../../generated/core/v1/pods/handlers.js';
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { PodSpec } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { forbidden } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { firstErrors } from '../shared/field-checks.js';
import { checkPodAnnotations, podAnnotationChanges, podAnnotationKeys } from './pod-spec/pod-annotations.js';
import { canonicalizePod } from './pod-spec/pod-defaults.js';
import { podOnlyErrors, validatePodSpec } from './pod-spec/pod-spec.js';
import { podSpecWarnings } from './pod-spec/pod-warnings.js';
import { gatesText, podAddress, readyText, restartsText, statusText } from './pods/columns.js';
import { ephemeralUpdateErrors } from './pods/ephemeral-update.js';
import { qualityOfService } from './pods/quality-of-service.js';
import { canonicalizeAddresses, newPodStatus, podStatusErrors } from './pods/status.js';
import { podUpdateErrors } from './pods/update.js';

export const definePods = (names: Naming): KindHandlers =>
  definePodHandlers({
    repeatsMetadataErrors: true,
    canonicalize(pod) {
      canonicalizePod(pod.spec);
      canonicalizeAddresses(pod.status);
    },
    prepareForCreate(pod) {
      pod.status = newPodStatus(pod.spec, qualityOfService(pod.spec));
    },
    prepareForUpdate(pod, old, { subresource }) {
      // A status neither changes the owners of the pod nor ends it.
      if (subresource !== 'status') return;
      pod.metadata.ownerReferences = old.metadata.ownerReferences;
      pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
    },
    validate: (pod, { subresource }) => (subresource === 'status' ? [] : podErrors(pod, names)),
    validateUpdate(pod, old, { subresource }) {
      const changes = annotationChanges(pod, old, names);
      if (subresource === 'ephemeralcontainers') {
        return [...changes, ...mirrorErrors(old, names), ...ephemeralUpdateErrors(pod.spec, old.spec)];
      }
      if (subresource === 'status') return [...changes, ...podStatusErrors(pod, old)];
      return [...changes, ...podUpdateErrors(pod.spec ?? {}, old.spec ?? {})];
    },
    warn({ spec = {}, metadata: { annotations } }, old) {
      return old ? [] : podSpecWarnings(spec, 'spec', { names, annotations });
    },
    gracePeriod,
    mayRemove: ({ metadata }) => (metadata.deletionGracePeriodSeconds ?? 0) === 0,
    selectableFields: {
      'spec.host': ({ spec }) => spec?.nodeName ?? '',
      'status.podIP': podAddress,
      // Known to clients, and always empty.
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

/** Errors of a pod by itself. A pod that has not been stored yet keeps to further rules. */
function podErrors({ metadata, spec = {} }: DraftObject<Pod>, names: Naming): readonly FieldError[] {
  const { annotations, name: podName = '', resourceVersion } = metadata;
  return [
    ...validatePodSpec(spec, 'spec', { names, annotations, annotationsPath: 'metadata.annotations', podName }),
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

/** Errors of changes of annotations; what is wrong with these anyway is told with them. */
function annotationChanges(
  { metadata: { annotations = {} }, spec = {} }: DraftObject<Pod>,
  old: DraftObject<Pod>,
  names: Naming,
): readonly FieldError[] {
  const path = 'metadata.annotations';
  return [
    ...podAnnotationChanges(annotations, old.metadata.annotations ?? {}, path, names),
    ...firstErrors(checkPodAnnotations(annotations, spec, path, names)),
  ];
}

/** A node that runs a pod from a file of its own knows nothing of containers that are added to the mirror. */
function mirrorErrors({ metadata: { annotations = {} } }: DraftObject<Pod>, names: Naming): readonly FieldError[] {
  if (getOwn(annotations, podAnnotationKeys(names).mirror) === undefined) return [];
  return [forbidden('', 'static pods do not support ephemeral containers')];
}

/** A pod that no node runs, or that has ended, is removed at once. */
function gracePeriod({ spec, status }: DraftObject<Pod>, wanted: number | undefined): number {
  if (!spec?.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
  const period = wanted ?? Number(spec.terminationGracePeriodSeconds ?? 0);
  return period < 0 ? 1 : period;
}
