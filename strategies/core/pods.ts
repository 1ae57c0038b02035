/** Pod: its defaults and rules, what may change once it is there, how long it goes on, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy, StrategyContext } from '../../runtime/contract/index.js';
import { forbidden } from '../../runtime/objects/field-error.js';
import { isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { integerAt, listAt } from '../shared/reading.js';
import { podAnnotationChanges } from './pod-spec/pod-annotations.js';
import { canonicalizePod } from './pod-spec/pod-defaults.js';
import { podOnlyErrors, validatePodSpec } from './pod-spec/pod-spec.js';
import { podSpecWarnings } from './pod-spec/pod-warnings.js';
import { podCell } from './pods/columns.js';
import { ephemeralUpdateErrors } from './pods/ephemeral-update.js';
import { qualityOfService } from './pods/quality-of-service.js';
import { canonicalizeAddresses, newPodStatus, podStatusErrors } from './pods/status.js';
import { podUpdateErrors } from './pods/update.js';

export function definePodStrategy(names: Naming): Strategy {
  return {
    kind: 'Pod',
    repeatsMetadataErrors: true,
    canonicalize(pod) {
      canonicalizePod(specOf(pod));
      canonicalizeAddresses(objectAt(pod, 'status'));
    },
    prepareForCreate(pod) {
      const spec = specOf(pod);
      pod.status = newPodStatus(spec, qualityOfService(spec));
    },
    prepareForUpdate,
    validate: (pod, context) => (context.subresource === 'status' ? [] : podErrors(pod, names)),
    validateUpdate: (pod, old, { subresource }) => updateErrors(pod, old, subresource, names),
    warnings: (pod, old) => (old ? [] : podSpecWarnings(specOf(pod) ?? {}, 'spec', { names, metadata: pod.metadata })),
    gracePeriod,
    mayRemove: ({ metadata }) => (metadata.deletionGracePeriodSeconds ?? 0) === 0,
    selectableField: (pod, path) => fields.get(path)?.(pod),
    cell: podCell,
  };
}

const specOf = (pod: ApiObject): JsonObject | undefined => objectAt(pod, 'spec');

/** A status says nothing about who owns the pod, nor does it end it. */
function prepareForUpdate(pod: ApiObject, old: ApiObject, { subresource }: StrategyContext): void {
  if (subresource !== 'status') return;
  pod.metadata.ownerReferences = old.metadata.ownerReferences;
  pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
}

/** Errors of a pod by itself; those that only a new pod can have are found by what it has not been given yet. */
function podErrors(pod: ApiObject, names: Naming): readonly FieldError[] {
  const spec = specOf(pod) ?? {};
  const annotations = objectAt(pod.metadata, 'annotations');
  const context = { names, annotations, annotationsPath: 'metadata.annotations', podName: pod.metadata.name ?? '' };
  return [
    ...validatePodSpec(spec, 'spec', context),
    ...podOnlyErrors(spec, 'spec'),
    ...(isNew(pod) ? newPodErrors(spec) : []),
  ];
}

/** A pod that has not been stored yet. */
const isNew = ({ metadata }: ApiObject): boolean => metadata.resourceVersion === undefined;

function newPodErrors(spec: JsonObject): readonly FieldError[] {
  const looked = listAt(spec, 'ephemeralContainers').length > 0;
  const gated = stringAt(spec, 'nodeName') !== '' && listAt(spec, 'schedulingGates').length > 0;
  const problem = 'cannot be set until all schedulingGates have been cleared';
  return [
    ...(looked ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')] : []),
    ...(gated ? [forbidden('spec.nodeName', problem)] : []),
  ];
}

function updateErrors(pod: ApiObject, old: ApiObject, subresource: string, names: Naming): readonly FieldError[] {
  const annotations = (object: ApiObject): JsonObject => objectAt(object.metadata, 'annotations') ?? {};
  const changes = podAnnotationChanges(annotations(pod), annotations(old), 'metadata.annotations', names);
  const [spec, before] = [specOf(pod) ?? {}, specOf(old) ?? {}];
  if (subresource === 'status') return [...changes, ...podStatusErrors(pod, old)];
  if (subresource === 'ephemeralcontainers') return ephemeralUpdateErrors(spec, before);
  return [...changes, ...podUpdateErrors(spec, before)];
}

/** A pod that no node runs, or that has ended, goes at once. */
function gracePeriod(pod: ApiObject, wanted: number | undefined): number {
  const own = Number(integerAt(specOf(pod), 'terminationGracePeriodSeconds') ?? 0);
  const phase = stringAt(objectAt(pod, 'status'), 'phase');
  if (stringAt(specOf(pod), 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const period = wanted ?? own;
  return period < 0 ? 1 : period;
}

type Field = (pod: ApiObject) => string | undefined;

/** Fields that pods can be selected by where they are not plain texts. */
const fields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['spec.host', (pod) => stringAt(specOf(pod), 'nodeName')],
  ['status.podIP', firstAddress],
  ['status.podIPs', () => ''],
]);

function firstAddress(pod: ApiObject): string {
  const status = objectAt(pod, 'status');
  const [first] = listAt(status, 'podIPs');
  return isObject(first) ? stringAt(first, 'ip') : stringAt(status, 'podIP');
}
