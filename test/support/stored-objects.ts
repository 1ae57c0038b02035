/** An object of each built-in kind with handlers, as the server stores it. */
import { readFileSync } from 'node:fs';
import type { ApiObject, JsonObject, KindHandlers } from '../../runtime/contract/index.js';
import { isObject, objectAt } from '../../runtime/objects/guards.js';
import { objectOf } from './field-errors.js';
import { readYaml } from './yaml.js';

/** Each object without its version and kind, by `<group>/<version>/<kind>`. */
const table = readYaml(readFileSync(new URL('../fixtures/stored-objects.yaml', import.meta.url)));

/** Returns the stored object of a kind. */
export function storedObject(handlers: KindHandlers): ApiObject {
  const { apiVersion, kind } = objectOf(handlers, {});
  const found = isObject(table) ? table[`${apiVersion}/${kind}`] : undefined;
  if (!isObject(found)) throw new Error(`stored-objects.yaml has no ${apiVersion}/${kind}`);
  return { apiVersion, kind, metadata: {}, ...JSON.parse(JSON.stringify(found)) };
}

/** Returns the stored object of a kind with other fields in `spec` and `metadata`, and with other top-level parts. */
export function storedLike(
  handlers: KindHandlers,
  { spec = {}, ...rest }: JsonObject & { readonly spec?: JsonObject },
  metadata: ApiObject['metadata'] = {},
): ApiObject {
  const stored = storedObject(handlers);
  return {
    ...stored,
    metadata: { ...stored.metadata, ...metadata },
    spec: { ...objectAt(stored, 'spec'), ...spec },
    ...rest,
  };
}
