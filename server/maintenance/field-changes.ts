/** Finds who changed a field of an object, from the events of its writes in order. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';

export interface FieldChange {
  readonly event: JsonObject;
  /** Values before and after; absent if the field did not exist. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** Whether the earlier value is known. It is not for the first event of a log. */
  readonly beforeIsKnown: boolean;
  readonly afterIsKnown: boolean;
}

/** Follows the value of a field from event to event. */
export interface FieldFollower {
  /** Returns the change in an event of the object, or `undefined` if the field did not change. */
  readonly take: (event: JsonObject) => FieldChange | undefined;
  /** Counts the writes without recorded bodies. Their effect on the field is unknown. */
  readonly blind: () => number;
}

/** A value of the field; `undefined` while unknown. */
type Known = { readonly value: JsonValue | undefined } | undefined;

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

export function followField(path: FieldPath): FieldFollower {
  let known: Known;
  let blind = 0;
  return {
    blind: () => blind,
    take(event) {
      if (!isWrite(event)) return undefined;
      const result = resultOf(event, path);
      if (result === 'blind') {
        blind++;
        known = undefined;
        return undefined;
      }
      if (result === 'untouched') return undefined;
      const before = stringAt(event, 'verb') === 'create' ? { value: undefined } : known;
      known = result.after;
      if (before && result.after && equal(before.value, result.after.value)) return undefined;
      if (!before && !result.touches) return undefined;
      return changeOf(event, before, result.after);
    },
  };
}

/** Reports whether an event is a successful write, and not a dry run. */
function isWrite(event: JsonObject): boolean {
  if (stringAt(event, 'stage') !== 'ResponseComplete' || !writes.has(stringAt(event, 'verb'))) return false;
  const code = objectAt(event, 'responseStatus')?.code;
  if (typeof code !== 'number' || code >= 400) return false;
  return !new URLSearchParams(stringAt(event, 'requestURI').split('?')[1] ?? '').has('dryRun');
}

interface Result {
  /** The value after the write, if known. */
  readonly after: Known;
  /** Whether the write names the field itself. */
  readonly touches: boolean;
}

function resultOf(event: JsonObject, path: FieldPath): Result | 'blind' | 'untouched' {
  const verb = stringAt(event, 'verb');
  if (verb === 'delete') return { after: { value: undefined }, touches: true };
  const request = event.requestObject;
  const answer = objectAt(event, 'responseObject');
  // Reads the object itself only, not a subresource's view of it.
  const answered = answer && answer.kind !== 'Status' && objectAt(answer, 'metadata') ? answer : undefined;
  if (stringAt(objectAt(event, 'objectRef'), 'subresource') === 'scale') return scaled(event, path);
  const after = answered && { value: valueAt(answered, path) };
  if (request === undefined || request === null) return after ? { after, touches: owns(event, path) } : 'blind';
  if (verb !== 'patch') return { after: after ?? { value: valueAt(request, path) }, touches: verb === 'create' };
  const touched = touchedBy(request, path);
  if (after) return { after, touches: touched !== undefined };
  if (touched === undefined) return 'untouched';
  return { after: touched === 'unknown value' ? undefined : touched, touches: true };
}

/** Reads a scale. It has the number of replicas at the same path as most kinds. */
function scaled(event: JsonObject, path: FieldPath): Result | 'blind' | 'untouched' {
  if (path.join('.') !== 'spec.replicas') return 'untouched';
  const scale = objectAt(event, 'responseObject') ?? objectAt(event, 'requestObject');
  return scale ? { after: { value: valueAt(scale, path) }, touches: true } : 'blind';
}

/** Reports whether managed fields show that a writer set the field in the same second as this event. */
function owns(event: JsonObject, path: FieldPath): boolean {
  const second = stringAt(event, 'stageTimestamp').slice(0, 19);
  const managers = valueAt(event.responseObject, ['metadata', 'managedFields']);
  if (!Array.isArray(managers)) return false;
  return managers.some(
    (entry) =>
      isObject(entry) &&
      stringAt(entry, 'time').slice(0, 19) === second &&
      valueAt(
        entry.fieldsV1,
        path.map((step) => `f:${step}`),
      ) !== undefined,
  );
}

const changeOf = (event: JsonObject, before: Known, after: Known): FieldChange => ({
  event,
  beforeIsKnown: before !== undefined,
  afterIsKnown: after !== undefined,
  ...(before?.value === undefined ? {} : { before: before.value }),
  ...(after?.value === undefined ? {} : { after: after.value }),
});

/** The effect on the field: none, or the new value, if known. */
type Touched = undefined | { readonly value: JsonValue | undefined } | 'unknown value';

/** Returns the effect on a field of a JSON patch (a list), a merge patch or an applied configuration. */
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

/** Returns the steps of a JSON pointer (RFC 6901). */
const pointerPath = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const isPrefix = (short: readonly string[], long: FieldPath): boolean =>
  short.length <= long.length && short.every((step, i) => step === String(long[i]));

/** Returns the effect of a merge. A null removes a value. Does not read lists in a strategic merge. */
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

/** Keys in objects, and indexes in lists. */
export type FieldPath = readonly (string | number)[];

/** Parses a path; `undefined` if the text is not one. */
export function parseFieldPath(text: string): FieldPath | undefined {
  const path: (string | number)[] = [];
  const step = /^(?:\.?([^.[\]'"]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\])/;
  for (let rest = text; rest !== ''; ) {
    const found = step.exec(rest);
    if (!found) return undefined;
    const [whole, key, index, single, double] = found;
    path.push(index === undefined ? (key ?? single ?? double ?? '') : Number(index));
    rest = rest.slice(whole.length);
  }
  return path.length > 0 && !text.startsWith('.') ? path : undefined;
}

/** Returns the value of a field; `undefined` if the object does not have it. */
function valueAt(object: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  let value = object;
  for (const step of path) {
    if (typeof step === 'number') value = isArray(value) ? value[step] : undefined;
    else value = isObject(value) ? getOwn(value, step) : undefined;
  }
  return value;
}
