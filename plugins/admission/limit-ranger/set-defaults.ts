/** Gives containers the requests and limits of a limit range where they have none. */
import type { ApiObject, Failure, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, setOwn, stringAt } from '../../../runtime/objects/guards.js';
import { requestEntityTooLarge } from '../../../runtime/objects/status.js';
import type { LimitRange } from './limit-ranges.js';

/** A pod with so many amounts, and the annotation that names them, is larger than what is stored. */
const mostAmounts = 100_000;

/** An annotation of the pod says what was set. Refuses a pod whose containers would get more than can be stored. */
export function setDefaults(
  pod: ApiObject,
  spec: JsonObject,
  { defaults }: LimitRange,
  annotation: string,
): Failure | undefined {
  const [containers, initContainers] = [objectsAt(spec, 'containers'), objectsAt(spec, 'initContainers')];
  const each = Object.keys(defaults.requests).length + Object.keys(defaults.limits).length;
  if (each * (containers.length + initContainers.length) > mostAmounts)
    return requestEntityTooLarge(`limit is ${mostAmounts} amounts that a limit range sets`);
  const said = [
    ...containers.flatMap((container) => fill(container, 'container', defaults)),
    ...initContainers.flatMap((container) => fill(container, 'init container', defaults)),
  ];
  if (said.length === 0) return undefined;
  const text = `LimitRanger plugin set: ${said.join('; ')}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: text };
  return undefined;
}

/** The words for what a container got. */
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
