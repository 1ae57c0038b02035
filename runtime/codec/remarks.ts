/** The words of warnings and strict validation about fields of a body. */
import type { JsonValue } from '../contract/index.js';
import { quote } from '../objects/printing.js';

/** Returns the remark on a field that is not in the schema. */
export function unknownFieldRemark(path: string): string {
  return `unknown field ${quote(path)}`;
}

/** Returns the remark on a repeated JSON field. */
export function duplicateFieldRemark(path: string): string {
  return `duplicate field ${quote(path)}`;
}

/** Returns the remark on a repeated YAML key. Lines count from 1. */
export function duplicateKeyRemark(line: number, key: JsonValue): string {
  return `line ${line}: key ${typeof key === 'string' ? quote(key) : String(key)} already set in map`;
}
