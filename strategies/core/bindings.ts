/** Binding: assigns a pod to the node that runs it. */
import type { Binding } from '../../generated/core/v1/bindings/types.js';
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { PodCondition } from '../../generated/types/core/v1/types.js';
import type {
  Draft,
  DraftObject,
  Failure,
  ObjectMeta,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { notSupported, required } from '../../runtime/objects/field-error.js';
import { quote } from '../../runtime/objects/printing.js';
import type { Release } from '../../runtime/objects/release.js';
import { formatTime } from '../../runtime/objects/scan/time.js';
import { badRequest, conflict, invalid } from '../../runtime/objects/status.js';
import { nominationGate } from './pod-status.js';

/** Creates the handlers: pods are bound through their subresource or the older collection of bindings. */
export function defineBindings(release: Release): readonly VirtualHandler[] {
  const bind: Bind = (binding, context) => bindPod(binding, context, release);
  return [
    defineVirtualHandler<Binding>({ group: '', resource: 'bindings', check: checkTarget, create: bind }),
    defineVirtualHandler<Binding>({
      group: '',
      resource: 'pods',
      subresource: 'binding',
      check: checkName,
      create: bind,
    }),
  ];
}

function checkName(binding: DraftObject<Binding>, { name }: VirtualContext): Failure | undefined {
  if (binding.metadata.name !== name) return badRequest('name in URL does not match name in Binding object');
  return checkTarget(binding);
}

function checkTarget(binding: DraftObject<Binding>): Failure | undefined {
  const { kind = '', name } = binding.target ?? {};
  const errors = [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name ? [] : [required('target.name')]),
  ];
  return errors.length === 0 ? undefined : invalid('', 'Binding', binding.metadata.name ?? '', errors);
}

type Bind = (binding: DraftObject<Binding>, context: VirtualContext) => Promise<Result<'done'>>;

async function bindPod(
  binding: DraftObject<Binding>,
  { namespace, now, objects, featureEnabled }: VirtualContext,
  release: Release,
): Promise<Result<'done'>> {
  const name = binding.metadata.name ?? '';
  const node = binding.target?.name ?? '';
  const place = { group: '', resource: 'pods', namespace, name };
  const bound = await objects.update(place, (pod: DraftObject<Pod>) => {
    const why = mismatch(binding, pod) ?? unbindable(pod);
    if (why !== undefined) return conflict('', 'pods/binding', name, why);
    assign(pod, node, binding.metadata, formatTime(now));
    if (featureEnabled(nominationGate)) delete pod.status?.nominatedNodeName;
    if (release.does('labelsOfBindings')) addLabels(pod, binding.metadata.labels ?? {});
    return undefined;
  });
  return bound.ok ? { ok: true, value: 'done' } : bound;
}

/** Returns the precondition of a binding that the pod does not meet. */
function mismatch(
  { metadata: wanted }: DraftObject<Binding>,
  { metadata: found }: DraftObject<Pod>,
): string | undefined {
  for (const [what, field] of [
    ['UID', 'uid'],
    ['ResourceVersion', 'resourceVersion'],
  ] as const) {
    const value = wanted[field];
    if (value && value !== found[field]) {
      return `Precondition failed: ${what} in precondition: ${value}, ${what} in object meta: ${found[field]}`;
    }
  }
  return undefined;
}

/** Returns why no binding can assign a pod. */
function unbindable({ metadata: { name, deletionTimestamp }, spec = {} }: DraftObject<Pod>): string | undefined {
  const { nodeName: node, schedulingGates: gates = [] } = spec;
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (node) return `pod ${name} is already assigned to node ${quote(node)}`;
  return gates.length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

function assign(pod: DraftObject<Pod>, node: string, { annotations = {} }: ObjectMeta, now: string): void {
  pod.spec = { ...pod.spec, nodeName: node };
  if (Object.keys(annotations).length > 0) {
    pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
  }
  pod.status = { ...pod.status, conditions: withScheduled(pod.status?.conditions, now) };
}

/** Labels of a binding, such as the zone of the node, are also labels of the pod. */
function addLabels({ metadata }: DraftObject<Pod>, labels: Record<string, string>): void {
  if (Object.keys(labels).length > 0) metadata.labels = { ...metadata.labels, ...labels };
}

/** Adds the condition that the pod has a node. */
function withScheduled(conditions: Draft<PodCondition>[] = [], now: string): Draft<PodCondition>[] {
  const before = conditions.find(({ type }) => type === 'PodScheduled');
  const lastTransitionTime = before?.status === 'True' ? before.lastTransitionTime : now;
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime };
  return before ? conditions.map((each) => (each === before ? scheduled : each)) : [...conditions, scheduled];
}
