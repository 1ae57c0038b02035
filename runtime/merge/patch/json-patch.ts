/** Applies JSON Patch (RFC 6902) operations to a document. */
import type { JsonValue, Result } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { isDeeper, readableLevels } from '../../objects/from-below.js';
import { getOwn, setOwn } from '../../objects/guards.js';
import { finish, type Steps } from '../../objects/turns.js';
import { boundedCopy } from '../order.js';
import {
  type JsonPatchOperation,
  type Pointer,
  parseLooseIndex,
  parseLoosePointer,
  parsePointer,
} from './json-patch-document.js';
import { indexOf, type Location, read, type Session, setRoot, writable } from './json-patch-session.js';

/**
 * `rfc6902` is exactly the standard. `loose` is the dialect of Kubernetes. It allows paths without a leading slash,
 * negative and padded list indexes, `replace` of an absent member (which adds it), a missing `value` (null), and `test`
 * and `copy` of an absent member (null). In it, only `test` and `replace` may name the whole document (the empty path).
 */
export type JsonPatchDialect = 'rfc6902' | 'loose';

/**
 * The operations before other requests get a turn. One operation may move all later items of a list, which takes up to
 * 0.2 ms.
 */
const operationsPerStep = 50;

/** The largest total size of all copies, in characters of JSON. */
export const MAX_COPIED = 3 * 1024 * 1024;

/**
 * The maximum depth of the patched document: the depth of bodies, and five more levels for the record of the deepest
 * field's owner.
 */
export const MAX_PATCHED_DEPTH = readableLevels + 5;

/**
 * Applies operations in order, all or none. Does not change the given document; the result shares unchanged parts with
 * it. Fails with `Invalid` and the same message for every patch that does not fit. Copies each changed container once
 * per patch, and moves the later items of a list for each item that is added or removed.
 */
export const applyJsonPatch = (
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  dialect: JsonPatchDialect = 'loose',
): Result<JsonValue> => finish(jsonPatchInSteps(document, operations, dialect));

/** Applies a patch in steps. */
export function* jsonPatchInSteps(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  dialect: JsonPatchDialect = 'loose',
): Steps<Result<JsonValue>> {
  const patched = yield* explainedPatch(document, operations, dialect);
  return patched.ok ? patched : REJECTED;
}

/** A patched document, or the problem. `isUnmet` means that an operation `test` failed. */
export type PatchedDocument =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string; readonly isUnmet: boolean };

/** Works like `jsonPatchInSteps`, but returns the problem in the words of the reference. */
export function* explainedPatch(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  dialect: JsonPatchDialect = 'loose',
): Steps<PatchedDocument> {
  const session: Session = {
    loose: dialect === 'loose',
    root: document,
    owned: new Set(),
    budget: { characters: MAX_COPIED },
  };
  for (const [index, operation] of operations.entries()) {
    const problem = applyOperation(session, operation);
    if (problem !== undefined) return { ok: false, problem, isUnmet: getOwn(operation, 'op') === 'test' };
    if (index % operationsPerStep === operationsPerStep - 1) yield;
  }
  if (!isDeeper(session.root, MAX_PATCHED_DEPTH)) return { ok: true, value: session.root };
  return { ok: false, problem: 'the patched document is too deep', isUnmet: false };
}

const REJECTED: Result<never> = {
  ok: false,
  failure: {
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  },
};

/** The reason why an operation failed; `undefined` if it succeeded. */
type Problem = string | undefined;

function applyOperation(session: Session, operation: JsonPatchOperation): Problem {
  const op = getOwn(operation, 'op');
  const place = placeOf(session, operation, 'path');
  if (place === undefined) return `${String(op)} operation failed to decode path: missing value`;
  switch (op) {
    case 'add':
      return add(session, place, operandOf(session, operation));
    case 'remove':
      return remove(session, place);
    case 'replace':
      return replace(session, place, operandOf(session, operation));
    case 'test':
      return test(session, place, operandOf(session, operation));
    case 'move':
      return move(session, place, placeOf(session, operation, 'from'));
    case 'copy':
      return copy(session, place, placeOf(session, operation, 'from'));
    default:
      return `Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`;
  }
}

/** A path as sent and as parsed. */
interface Place {
  readonly text: string;
  readonly path: Pointer;
}

function placeOf(session: Session, operation: JsonPatchOperation, member: string): Place | undefined {
  const text = getOwn(operation, member);
  if (typeof text !== 'string') return undefined;
  const path = session.loose ? parseLoosePointer(text) : parsePointer(text);
  return path && { text, path };
}

function operandOf(session: Session, operation: JsonPatchOperation): JsonValue | undefined {
  return getOwn(operation, 'value') ?? (session.loose || Object.hasOwn(operation, 'value') ? null : undefined);
}

const missing = (operation: string, what: string): string =>
  `${operation} operation does not apply: doc is missing ${what}: missing value`;

function add(session: Session, { text, path }: Place, value: JsonValue | undefined): Problem {
  const absent = missing('add', `path: "${text}"`);
  if (value === undefined || (path.length === 0 && session.loose)) return absent;
  if (path.length === 0) return setRoot(session, value);
  const location = writable(session, path);
  if (location === undefined) return absent;
  const problem = addAt(session, location, value);
  return problem && `error in add for path: '${text}': ${problem}`;
}

function addAt(session: Session, { container, token }: Location, value: JsonValue): Problem {
  if (!Array.isArray(container)) {
    setOwn(container, token, value);
    return undefined;
  }
  const index = token === '-' ? container.length : indexOf(session, token, container.length + 1);
  if (index === undefined) return indexProblem(token);
  container.splice(index, 0, value);
  return undefined;
}

function indexProblem(token: string): string {
  if (parseLooseIndex(token) !== undefined) return `Unable to access invalid index: ${token}: invalid index referenced`;
  return `value was not a proper array index: '${token}': strconv.Atoi: parsing ${JSON.stringify(token)}: invalid syntax`;
}

function remove(session: Session, { text, path }: Place): Problem {
  const absent = missing('remove', `path: "${text}"`);
  if (path.length === 0) return session.loose ? absent : setRoot(session, null);
  const location = writable(session, path);
  if (location === undefined) return absent;
  const taken = takeAt(session, location);
  return taken.ok ? undefined : `error in remove for path: '${text}': ${taken.problem}`;
}

type Taken = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly problem: string };

/** Removes a value and returns it. */
function takeAt(session: Session, { container, token }: Location): Taken {
  if (Array.isArray(container)) {
    const index = indexOf(session, token, container.length);
    if (index === undefined) return { ok: false, problem: indexProblem(token) };
    return { ok: true, value: container.splice(index, 1)[0] ?? null };
  }
  const value = getOwn(container, token);
  if (value === undefined) return { ok: false, problem: `Unable to remove nonexistent key: ${token}: missing value` };
  delete container[token];
  return { ok: true, value };
}

function replace(session: Session, { text, path }: Place, value: JsonValue | undefined): Problem {
  if (value === undefined) return missing('replace', `path: ${text}`);
  if (path.length === 0) return setRoot(session, value);
  const location = writable(session, path);
  if (location === undefined) return missing('replace', `path: ${text}`);
  const { container, token } = location;
  const absent = missing('replace', `key: ${text}`);
  if (Array.isArray(container)) {
    const index = indexOf(session, token, container.length);
    if (index === undefined) return absent;
    container[index] = value;
    return undefined;
  }
  if (!session.loose && getOwn(container, token) === undefined) return absent;
  setOwn(container, token, value);
  return undefined;
}

function test(session: Session, { text, path }: Place, value: JsonValue | undefined): Problem {
  const found = read(session, path);
  return value !== undefined && found !== undefined && equal(found, value)
    ? undefined
    : `testing value ${text} failed: test failed`;
}

function move(session: Session, place: Place, from: Place | undefined): Problem {
  if (from === undefined) return 'move operation failed to decode from: missing value';
  const absent = missing('move', `from path: ${from.text}`);
  if (from.path.length === 0 && session.loose) return absent;
  if (isProperPrefix(from.path, place.path)) return missing('move', `destination path: ${place.text}`);
  const location = from.path.length === 0 ? undefined : writable(session, from.path);
  const taken = location && takeAt(session, location);
  if (taken?.ok === false) return `error in move for path: '${from.text}': ${taken.problem}`;
  if (from.path.length > 0) return taken ? put(session, 'move', place, taken.value) : absent;
  const whole = session.root;
  session.root = null;
  return put(session, 'move', place, whole);
}

function copy(session: Session, place: Place, from: Place | undefined): Problem {
  if (from === undefined) return 'copy operation failed to decode from: missing value';
  const absent = missing('copy', `from path: ${from.text}`);
  if (session.loose && from.path.length === 0) return absent;
  const value = read(session, from.path);
  if (value === undefined) return absent;
  const copied = boundedCopy(value, session.budget);
  if (copied === undefined) return `the copied values are larger than ${MAX_COPIED} characters`;
  return put(session, 'copy', place, copied);
}

/** Puts a moved or copied value at its place. */
function put(session: Session, operation: 'move' | 'copy', { text, path }: Place, value: JsonValue): Problem {
  const absent = missing(operation, `destination path: ${text}`);
  if (path.length === 0) return session.loose ? absent : setRoot(session, value);
  const location = writable(session, path);
  if (location === undefined) return absent;
  const problem = addAt(session, location, value);
  if (problem === undefined) return undefined;
  return `${operation === 'move' ? `error in move for path: '${text}'` : 'error while adding value during copy'}: ${problem}`;
}

function isProperPrefix(prefix: Pointer, path: Pointer): boolean {
  return prefix.length < path.length && prefix.every((token, index) => token === path[index]);
}
