/** Binding: ties a pod to the node that it is to run on. */
import type {
  ApiObject,
  Failure,
  JsonObject,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { notSupported, required } from '../../runtime/objects/field-error.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { quote } from '../../runtime/objects/printing.js';
import { badRequest, conflict, invalid } from '../../runtime/objects/status.js';
import { formatTime } from '../../runtime/objects/time/time.js';

/** Pods are bound by a path of their own, and by the older collection of bindings. */
export function defineBindings(): readonly VirtualHandler[] {
  return [
    { group: '', resource: 'bindings', check: checkTarget, create: bind },
    { group: '', resource: 'pods', subresource: 'binding', check: checkName, create: bind },
  ];
}

function checkName(binding: ApiObject, { name }: VirtualContext): Failure | undefined {
  if (binding.metadata.name !== name) return badRequest('name in URL does not match name in Binding object');
  return checkTarget(binding);
}

function checkTarget(binding: ApiObject): Failure | undefined {
  const target = objectAt(binding, 'target');
  const kind = stringAt(target, 'kind');
  const errors = [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(stringAt(target, 'name') === '' ? [required('target.name')] : []),
  ];
  return errors.length === 0 ? undefined : invalid('', 'Binding', binding.metadata.name ?? '', errors);
}

async function bind(binding: ApiObject, { namespace, now, objects }: VirtualContext): Promise<Result<'done'>> {
  const name = binding.metadata.name ?? '';
  const node = stringAt(objectAt(binding, 'target'), 'name');
  const place = { group: '', resource: 'pods', namespace, name };
  const bound = await objects.update(place, (pod) => {
    const why = mismatch(binding, pod) ?? unbindable(pod);
    if (why !== undefined) return conflict('', 'pods/binding', name, why);
    assign(pod, node, binding.metadata.annotations ?? {}, formatTime(now));
    return undefined;
  });
  return bound.ok ? { ok: true, value: 'done' } : bound;
}

/** Why a binding is not meant for the pod as it is. */
function mismatch({ metadata: wanted }: ApiObject, { metadata: found }: ApiObject): string | undefined {
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

function unbindable(pod: ApiObject): string | undefined {
  const { name } = pod.metadata;
  const spec = objectAt(pod, 'spec') ?? {};
  const node = stringAt(spec, 'nodeName');
  const gates = getOwn(spec, 'schedulingGates');
  if (pod.metadata.deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (node !== '') return `pod ${name} is already assigned to node ${quote(node)}`;
  return isArray(gates) && gates.length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

function assign(pod: ApiObject, node: string, annotations: Readonly<Record<string, string>>, now: string): void {
  pod.spec = { ...objectAt(pod, 'spec'), nodeName: node };
  if (Object.keys(annotations).length > 0) {
    pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
  }
  const status = objectAt(pod, 'status');
  pod.status = { ...status, conditions: withScheduled(status, now) };
}

/** The conditions of a pod with the one that says that it has a node. */
function withScheduled(status: JsonObject | undefined, now: string): JsonObject[] {
  const conditions = getOwn(status ?? {}, 'conditions');
  const known = (isArray(conditions) ? conditions : []).filter(isObject);
  const before = known.find(({ type }) => type === 'PodScheduled');
  const lastTransitionTime = before?.status === 'True' ? before.lastTransitionTime : now;
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime };
  return before ? known.map((each) => (each === before ? scheduled : each)) : [...known, scheduled];
}
