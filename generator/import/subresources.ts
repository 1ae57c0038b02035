/** Says what the paths below an object become: subresources of the native format, or remarks where it has none. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { VERBS } from '../model/verbs.js';
import type { Remarks } from './remarks.js';
import { inOrder, type ServedResource, type ServedSubresource } from './served.js';

/** The type of a field of the kind; undefined where there is no such field. */
export type TypeAt = (path: readonly string[]) => string | undefined;

const USUAL_VERBS = 'get patch update';

/** The subresources of a resource.  */
export function subresourcesOf(resource: ServedResource, typeAt: TypeAt, remarks: Remarks): JsonObject {
  const subresources: JsonObject = {};
  for (const [name, served] of resource.subresources) {
    const note = (message: string): void => remarks({ severity: 'note', path: served.path, message });
    const made = toSubresource(name, served, resource.kind, typeAt, note);
    if (made !== undefined) subresources[name] = made;
  }
  return subresources;
}

function toSubresource(
  name: string,
  served: ServedSubresource,
  kind: string,
  typeAt: TypeAt,
  note: (message: string) => void,
): JsonObject | undefined {
  const verbs = inOrder(served.verbs);
  const written = verbs.join(' ') === USUAL_VERBS || verbs.length === VERBS.length ? {} : { verbs: [...verbs] };
  if (served.connects) note(`subresource ${name} is left out: it opens a connection, or answers with text`);
  else if (name === 'scale') return scaleOf(written, typeAt, note);
  else if (!/^[a-z]+$/.test(name)) note(`subresource ${name} is left out: its name has more than lower-case letters`);
  else if (served.kind !== kind)
    note(`subresource ${name} is left out: it takes another kind, ${served.kind || 'which is not named'}`);
  else if (name !== 'status') {
    note(`subresource ${name} writes nothing yet: list in \`writes\` the fields that it may change`);
    return written;
  } else if (typeAt(['status']) !== undefined) return written;
  else note('subresource status is left out: the schema has no field of that name');
  return undefined;
}

/** Documents do not say where the replicas are; they are looked for where nearly all kinds have them. */
function scaleOf(verbs: JsonObject, typeAt: TypeAt, note: (message: string) => void): JsonObject | undefined {
  if (typeAt(['spec', 'replicas']) !== 'integer' || typeAt(['status', 'replicas']) !== 'integer') {
    note('subresource scale is left out: there are no integers spec.replicas and status.replicas');
    return undefined;
  }
  const selector = typeAt(['status', 'selector']) === 'string' ? { labelSelectorPath: '.status.selector' } : {};
  return { ...verbs, specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', ...selector };
}
