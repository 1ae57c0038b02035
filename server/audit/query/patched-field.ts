/** Works out the value that a patch gives to a field. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isArray, isObject, stringAt } from '../../../runtime/objects/guards.js';
import { type FieldPath, valueAt } from './field-path.js';

/** The field is not touched; or it is, and has this value afterwards, where that can be told. */
export type Touched = undefined | { readonly value: JsonValue | undefined } | 'unknown value';

/** The effect of a JSON patch, which is a list, or of a merge patch or a configuration. */
export const touchedBy = (patch: JsonValue, path: FieldPath): Touched =>
  isArray(patch) ? touchedByOperations(patch, path) : touchedByMerge(patch, path);

function touchedByOperations(operations: readonly JsonValue[], path: FieldPath): Touched {
  let touched: Touched;
  for (const operation of operations) {
    if (!isObject(operation) || operation.op === 'test') continue;
    touched = touchedByOne(operation, path) ?? touched;
  }
  return touched;
}

function touchedByOne(operation: JsonObject, path: FieldPath): Touched {
  const target = pointerPath(stringAt(operation, 'path'));
  const source = operation.op === 'move' ? pointerPath(stringAt(operation, 'from')) : undefined;
  if (source && isPrefix(source, path)) return { value: undefined };
  if (!isPrefix(target, path)) return isPrefix(path.map(String), target) ? 'unknown value' : undefined;
  if (operation.op === 'remove') return { value: undefined };
  if (operation.op === 'add' || operation.op === 'replace') {
    return { value: valueAt(operation.value, path.slice(target.length)) };
  }
  return 'unknown value';
}

/** The steps of a JSON pointer (RFC 6901). */
const pointerPath = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const isPrefix = (short: readonly string[], long: FieldPath): boolean =>
  short.length <= long.length && short.every((step, i) => step === String(long[i]));

/** A null removes what is there; a list in a strategic merge is not looked into. */
function touchedByMerge(patch: JsonValue, path: FieldPath): Touched {
  let value: JsonValue | undefined = patch;
  for (const step of path) {
    if (value === null) return { value: undefined };
    if (isArray(value)) return 'unknown value';
    if (!isObject(value) || typeof step === 'number') return value === undefined ? undefined : 'unknown value';
    value = value[step];
  }
  if (value === undefined) return undefined;
  return { value: value === null ? undefined : value };
}
