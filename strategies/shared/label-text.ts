/** Labels in one line, as tables show them. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { isString } from '../../runtime/objects/guards.js';

/** As in `app=web,tier=front`, in order; `<none>` for none. */
export function labelText(labels: JsonObject | undefined): string {
  const parts = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${isString(value) ? value : ''}`);
  return parts.length === 0 ? '<none>' : parts.sort().join(',');
}
