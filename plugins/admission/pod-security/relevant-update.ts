/** Whether an update of a pod changes anything that pod security judges. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';

/** Of a pod's containers, images can be changed, and ephemeral containers can be added. */
export function isRelevantUpdate(object: ApiObject, oldObject: ApiObject | undefined): boolean {
  const [spec, old] = [objectAt(object, 'spec'), objectAt(oldObject, 'spec')];
  return (
    ['initContainers', 'containers'].some((list) => differ(objectsAt(spec, list), objectsAt(old, list))) ||
    hasNew(objectsAt(spec, 'ephemeralContainers'), objectsAt(old, 'ephemeralContainers'))
  );
}

const imageOf = (container: JsonObject | undefined): string => stringAt(container, 'image');

const differ = (containers: readonly JsonObject[], old: readonly JsonObject[]): boolean =>
  containers.length !== old.length || containers.some((container, i) => imageOf(container) !== imageOf(old[i]));

function hasNew(containers: readonly JsonObject[], old: readonly JsonObject[]): boolean {
  const images = new Map(old.map((container) => [stringAt(container, 'name'), imageOf(container)]));
  return containers.some((container) => images.get(stringAt(container, 'name')) !== imageOf(container));
}
