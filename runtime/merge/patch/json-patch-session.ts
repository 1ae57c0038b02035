/** The document that a JSON Patch changes. Copies each container before its first change. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import type { CopyBudget } from '../order.js';
import { type Pointer, parseIndex, parseLooseIndex } from './json-patch-document.js';

/** The containers that operations work on. */
type Container = JsonObject | JsonValue[];

/** A place in the document: the member or item `token` of `container`. */
export interface Location {
  readonly container: Container;
  readonly token: string;
}

/** A patch in progress. */
export interface Session {
  readonly loose: boolean;
  root: JsonValue;
  /** Containers that this patch copied and may change in place. */
  readonly owned: Set<Container>;
  readonly budget: CopyBudget;
}

/** Returns the value at a path. In the loose dialect an absent member of an existing object is null. */
export function read(session: Session, path: Pointer): JsonValue | undefined {
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

/** Returns the place of a path. First copies all containers on the path, once per patch. */
export function writable(session: Session, path: Pointer): Location | undefined {
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

/** Returns a copy that this patch may change, or the container itself if this patch made it. */
function own(session: Session, container: Container): Container {
  if (session.owned.has(container)) return container;
  const mine = Array.isArray(container) ? container.slice() : { ...container };
  session.owned.add(mine);
  return mine;
}

/** Returns the index of a token in a list with `size` positions. Negative indexes count from the end. */
export function indexOf(session: Session, token: string, size: number): number | undefined {
  const index = session.loose ? parseLooseIndex(token) : parseIndex(token);
  if (index === undefined) return undefined;
  const position = index < 0 ? index + size : index;
  return position >= 0 && position < size ? position : undefined;
}

/** Replaces the whole document. */
export function setRoot(session: Session, value: JsonValue): undefined {
  session.root = value;
}
