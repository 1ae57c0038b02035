/** One frozen object of each stored entry, for all who only read it. */
import type { ApiObject, Entry, JsonValue } from '../contract/index.js';
import { Later, recursionLevels } from '../objects/from-below.js';
import type { ServedResource } from './served-resource.js';
import { objectOf } from './stored-object.js';
import { readAs } from './versions.js';

/** A decoded object and the version it was decoded as: the schema of a resource may change under an entry. */
interface Shared {
  readonly stored: ServedResource;
  readonly object: ApiObject;
}

const shared = new WeakMap<Entry, Shared>();

/**
 * An entry's object in the version that is stored now, for reading only: decoded once for all who ask, and frozen
 * through and through. Where a webhook converts, it is in the version that it was stored in.
 */
export function sharedObjectOf({ stored }: Pick<ServedResource, 'stored'>, entry: Entry): ApiObject {
  const known = shared.get(entry);
  if (known?.stored === stored) return known.object;
  // An object that only a webhook could convert stays in the version that it was written in.
  const object = stored.remote ? objectOf(entry) : readAs(stored, entry);
  freeze(object, 0);
  shared.set(entry, { stored, object });
  return object;
}

const later = new Later();

function freeze(value: JsonValue | undefined, level: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (level === recursionLevels) {
    later.run(() => freeze(value, 0));
    return;
  }
  for (const child of Object.values(value)) freeze(child, level + 1);
  Object.freeze(value);
}
