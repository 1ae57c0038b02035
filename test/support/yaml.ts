/** Reads YAML in tests. */
import { decodeYaml } from '../../runtime/codec/yaml/yaml.js';
import type { JsonValue } from '../../runtime/contract/index.js';

/** Reads the value of the first document, as API servers do. Throws if there is none. */
export function readYaml(text: Uint8Array | string): JsonValue {
  const decoded = decodeYaml(text);
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}
