/** Applies JSON Patch (RFC 6902) operations to a document. */
import type { JsonObject, JsonValue, Result } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { isDeeper, readableLevels } from '../../objects/from-below.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { finish, type Steps } from '../../objects/turns.js';
import { boundedCopy, type CopyBudget } from '../order.js';
import {
  type JsonPatchOperation,
  type Pointer,
  parseIndex,
  parseLooseIndex,
  parseLoosePointer,
  parsePointer,
} from './json-patch-document.js';

/**
 * `rfc6902`: the standard to the letter. `loose`: as API clients know it from this kind of API, which forgives more:
 * paths without a leading slash, negative and padded list indexes, `replace` of an absent member (it is added), a
 * missing `value` (null), `test` and `copy` of an absent member (null). There the whole document (the empty path) can
 * be tested and replaced only.
 */
export type JsonPatchDialect = 'rfc6902' | 'loose';

/**
 * Operations before other requests get a turn. One operation may move all following items of a list, which takes up to
 * 0.2 ms.
 */
const operationsPerStep = 50;

/** The largest sum of all copies, in characters of JSON. */
export const MAX_COPIED = 3 * 1024 * 1024;

/**
 * The maximum depth of the patched document: the depth of bodies, and five more levels for the record of the deepest
 * field's owner.
 */
export const MAX_PATCHED_DEPTH = readableLevels + 5;

/** The containers that operations work on. */
type Container = JsonObject | JsonValue[];

/** The place of an operation in the document: the member or item `token` of `container`. */
interface Location {
  readonly container: Container;
  readonly token: string;
}

interface Session {
  readonly loose: boolean;
  root: JsonValue;
  /** Containers that this patch has copied and may change in place. */
  readonly owned: Set<Container>;
  readonly budget: CopyBudget;
}

/**
 * Applies operations in order, all or none. The document given is not changed; the result shares with it what no
 * operation touched. Fails with `Invalid` and the one message that clients get for every patch that does not fit.
 * Costs a copy of each container that is written to, once per patch, and a move of the items behind each that is
 * added to a list or removed from it.
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
  const session: Session = {
    loose: dialect === 'loose',
    root: document,
    owned: new Set(),
    budget: { characters: MAX_COPIED },
  };
  for (const [index, operation] of operations.entries()) {
    if (!applyOperation(session, operation)) return REJECTED;
    if (index % operationsPerStep === operationsPerStep - 1) yield;
  }
  return isDeeper(session.root, MAX_PATCHED_DEPTH) ? REJECTED : { ok: true, value: session.root };
}

const REJECTED: Result<never> = {
  ok: false,
  failure: {
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  },
};

/** Applies an operation. Returns whether it was possible. */
function applyOperation(session: Session, operation: JsonPatchOperation): boolean {
  const path = pointerOf(session, operation, 'path');
  if (path === undefined) return false;
  switch (getOwn(operation, 'op')) {
    case 'add':
      return add(session, path, operandOf(session, operation));
    case 'remove':
      return remove(session, path) !== undefined;
    case 'replace':
      return replace(session, path, operandOf(session, operation));
    case 'test':
      return test(session, path, operandOf(session, operation));
    case 'move':
      return move(session, path, pointerOf(session, operation, 'from'));
    case 'copy':
      return copy(session, path, pointerOf(session, operation, 'from'));
    default:
      return false;
  }
}

function pointerOf(session: Session, operation: JsonPatchOperation, member: string): Pointer | undefined {
  const text = getOwn(operation, member);
  if (typeof text !== 'string') return undefined;
  return session.loose ? parseLoosePointer(text) : parsePointer(text);
}

function operandOf(session: Session, operation: JsonPatchOperation): JsonValue | undefined {
  return getOwn(operation, 'value') ?? (session.loose || Object.hasOwn(operation, 'value') ? null : undefined);
}

function add(session: Session, path: Pointer, value: JsonValue | undefined): boolean {
  if (value === undefined) return false;
  if (path.length === 0) return !session.loose && setRoot(session, value);
  const location = writable(session, path);
  if (location === undefined) return false;
  const { container, token } = location;
  if (!Array.isArray(container)) {
    setOwn(container, token, value);
    return true;
  }
  const index = token === '-' ? container.length : indexOf(session, token, container.length + 1);
  if (index === undefined) return false;
  container.splice(index, 0, value);
  return true;
}

/** Returns the removed value, or `undefined` if there was none. */
function remove(session: Session, path: Pointer): JsonValue | undefined {
  if (path.length === 0) return session.loose ? undefined : takeRoot(session);
  const location = writable(session, path);
  if (location === undefined) return undefined;
  const { container, token } = location;
  if (Array.isArray(container)) {
    const index = indexOf(session, token, container.length);
    return index === undefined ? undefined : container.splice(index, 1)[0];
  }
  const value = getOwn(container, token);
  if (value !== undefined) delete container[token];
  return value;
}

function replace(session: Session, path: Pointer, value: JsonValue | undefined): boolean {
  if (value === undefined) return false;
  if (path.length === 0) return setRoot(session, value);
  const location = writable(session, path);
  if (location === undefined) return false;
  const { container, token } = location;
  if (Array.isArray(container)) {
    const index = indexOf(session, token, container.length);
    if (index === undefined) return false;
    container[index] = value;
    return true;
  }
  if (!session.loose && getOwn(container, token) === undefined) return false;
  setOwn(container, token, value);
  return true;
}

function test(session: Session, path: Pointer, value: JsonValue | undefined): boolean {
  const found = read(session, path);
  return value !== undefined && found !== undefined && equal(found, value);
}

function move(session: Session, path: Pointer, from: Pointer | undefined): boolean {
  if (from === undefined || isProperPrefix(from, path)) return false;
  const value = remove(session, from);
  return value !== undefined && add(session, path, value);
}

function copy(session: Session, path: Pointer, from: Pointer | undefined): boolean {
  if (from === undefined || (session.loose && from.length === 0)) return false;
  const value = read(session, from);
  if (value === undefined) return false;
  const copied = boundedCopy(value, session.budget);
  return copied !== undefined && add(session, path, copied);
}

/** Returns the value at a path. In the loose dialect an absent member of an existing object is null. */
function read(session: Session, path: Pointer): JsonValue | undefined {
  let value: JsonValue | undefined = session.root;
  for (const [depth, token] of path.entries()) {
    if (typeof value !== 'object' || value === null) return undefined;
    const child: JsonValue | undefined = childOf(session, value, token);
    const forgiven: boolean = session.loose && depth === path.length - 1 && isObject(value);
    value = child ?? (forgiven ? null : child);
  }
  return value;
}

function childOf(session: Session, container: Container, token: string): JsonValue | undefined {
  if (!Array.isArray(container)) return getOwn(container, token);
  const index = indexOf(session, token, container.length);
  return index === undefined ? undefined : container[index];
}

/** Returns the place of a path. All containers on the way are copied first, once per patch. */
function writable(session: Session, path: Pointer): Location | undefined {
  const token = path.at(-1);
  if (token === undefined || typeof session.root !== 'object' || session.root === null) return undefined;
  let container = own(session, session.root);
  session.root = container;
  for (const step of path.slice(0, -1)) {
    const child = childOf(session, container, step);
    if (typeof child !== 'object' || child === null) return undefined;
    const mine = own(session, child);
    if (mine !== child) putChild(session, container, step, mine);
    container = mine;
  }
  return { container, token };
}

function putChild(session: Session, container: Container, token: string, child: Container): void {
  if (!Array.isArray(container)) setOwn(container, token, child);
  else container[indexOf(session, token, container.length) ?? 0] = child;
}

/** Returns a copy that may be changed, or the container itself if this patch made it. */
function own(session: Session, container: Container): Container {
  if (session.owned.has(container)) return container;
  const mine = Array.isArray(container) ? container.slice() : { ...container };
  session.owned.add(mine);
  return mine;
}

/** Returns the index of a token in a list with `size` positions; negative ones count from the end. */
function indexOf(session: Session, token: string, size: number): number | undefined {
  const index = session.loose ? parseLooseIndex(token) : parseIndex(token);
  if (index === undefined) return undefined;
  const position = index < 0 ? index + size : index;
  return position >= 0 && position < size ? position : undefined;
}

function setRoot(session: Session, value: JsonValue): true {
  session.root = value;
  return true;
}

function takeRoot(session: Session): JsonValue {
  const value = session.root;
  session.root = null;
  return value;
}

function isProperPrefix(prefix: Pointer, path: Pointer): boolean {
  return prefix.length < path.length && prefix.every((token, index) => token === path[index]);
}
