/**
 * LimitRanger: sets default requests and limits of containers, and keeps pods and claims within the bounds of their
 * namespace.
 */
import type { AdmissionPlugin, ApiObject, Failure, JsonObject } from '../../runtime/contract/index.js';
import { joinErrors } from '../../runtime/objects/field-error.js';
import { objectAt, objectsAt, setOwn, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { requestEntityTooLarge } from '../../runtime/objects/status.js';
import { handlesObjects, refuse } from './define-admission-plugin.js';
import {
  checkDemand,
  checkRequests,
  demandOf,
  demandOfPod,
  demandOfWholePod,
  type Limit,
  type LimitRange,
  LimitRanges,
} from './limit-ranges.js';

const isResize: AdmissionPlugin['handles'] = ({ group, names }, operation, subresource) =>
  group === '' && names.plural === 'pods' && operation === 'UPDATE' && subresource === 'resize';

/** Checks pods when they are created; later, only a resize changes their resources. */
const isPods = handlesObjects('', 'pods', 'CREATE');
const isClaims = handlesObjects('', 'persistentvolumeclaims', 'CREATE', 'UPDATE');

export function defineLimitRanger({ rename }: Naming, release: Release = emulate()): AdmissionPlugin {
  const demandOfPods = release.does('podLimitsSummed') ? demandOfWholePod : demandOfPod;
  const resizes = release.does('podsResize');
  const checkPods = (spec: JsonObject, limit: Limit) => checkPod(spec, limit, demandOfPods);
  const annotation = rename('platform.io/limit-ranger');
  const ranges = new LimitRanges();
  return {
    name: 'LimitRanger',
    start: (host) => void host.follow('', 'limitranges', ranges),
    handles: (...what) => isPods(...what) || isClaims(...what) || (resizes && isResize(...what)),
    admit({ object, resource, namespace, operation }) {
      const spec = objectAt(object, 'spec');
      if (!object || !spec || resource.names.plural !== 'pods' || operation !== 'CREATE') return undefined;
      for (const range of ranges.of(namespace)) {
        const failure = setDefaults(object, spec, range, annotation);
        if (failure) return failure;
      }
      return undefined;
    },
    validate(attributes) {
      const { object, oldObject, resource, namespace } = attributes;
      const spec = objectAt(object, 'spec');
      // An object that is being deleted must be able to lose its finalizers.
      if (!spec || oldObject?.metadata.deletionTimestamp !== undefined) return undefined;
      const check = resource.names.plural === 'pods' ? checkPods : checkClaim;
      for (const { limits } of ranges.of(namespace)) {
        const problems = new Set<string>();
        for (const problem of problemsOf(limits, (limit) => check(spec, limit))) {
          if (problems.add(problem).size === mostProblems) break;
        }
        if (problems.size > 0) return refuse(attributes, joinErrors([...problems]));
      }
      return undefined;
    },
  };
}

/** The most problems that a refusal lists. */
const mostProblems = 1000;

function* problemsOf(limits: readonly Limit[], check: (limit: Limit) => Iterable<string>): Iterable<string> {
  for (const limit of limits) yield* check(limit);
}

function* checkPod(spec: JsonObject, limit: Limit, ofPod: typeof demandOfPod): Iterable<string> {
  if (limit.type === 'Pod') yield* checkDemand(limit, ofPod(spec));
  if (limit.type !== 'Container') return;
  const containers = ['containers', 'initContainers'].flatMap((list) => objectsAt(spec, list));
  for (const container of containers) yield* checkDemand(limit, demandOf(container));
}

const checkClaim = (spec: JsonObject, limit: Limit): Iterable<string> =>
  limit.type === 'PersistentVolumeClaim' ? checkRequests(limit, demandOf(spec)) : [];

/** A pod with more amounts, and the annotation that names them, would be too large to store. */
const mostAmounts = 100_000;

/**
 * Sets the defaults and records them in an annotation. Refuses a pod if its containers would get more amounts than can
 * be stored.
 */
function setDefaults(
  pod: ApiObject,
  spec: JsonObject,
  { defaults }: LimitRange,
  annotation: string,
): Failure | undefined {
  const [containers, initContainers] = [objectsAt(spec, 'containers'), objectsAt(spec, 'initContainers')];
  const each = Object.keys(defaults.requests).length + Object.keys(defaults.limits).length;
  if (each * (containers.length + initContainers.length) > mostAmounts)
    return requestEntityTooLarge(`limit is ${mostAmounts} amounts set by limit ranges`);
  const said = [
    ...containers.flatMap((container) => fill(container, 'container', defaults)),
    ...initContainers.flatMap((container) => fill(container, 'init container', defaults)),
  ];
  if (said.length === 0) return undefined;
  const text = `LimitRanger plugin set: ${said.join('; ')}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: text };
  return undefined;
}

/** Sets defaults of one container and returns the words of the annotation. */
function fill(container: JsonObject, kind: string, defaults: LimitRange['defaults']): readonly string[] {
  const resources = objectAt(container, 'resources') ?? {};
  const whose = `${kind} ${stringAt(container, 'name')}`;
  const words = (['requests', 'limits'] as const).flatMap((key) => {
    const own = objectAt(resources, key) ?? {};
    const missing = Object.keys(defaults[key]).filter((name) => !Object.hasOwn(own, name));
    if (missing.length === 0) return [];
    const filled = { ...own };
    for (const name of missing) setOwn(filled, name, defaults[key][name] ?? null);
    resources[key] = filled;
    return [`${missing.sort().join(', ')} ${key.slice(0, -1)} for ${whose}`];
  });
  if (words.length > 0) container.resources = resources;
  return words;
}
