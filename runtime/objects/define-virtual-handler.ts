/** Defines the handler of a virtual kind, with functions that have the kind's types. */
import type { DraftObject, KindType, VirtualHandler } from '../contract/index.js';
import { isObject } from './guards.js';

/**
 * Defines the handler of a virtual kind, or of a subresource with its own kind. The kind's schema decodes the objects
 * that its functions get; `T` is the type that the generator prints for the kind.
 */
export function defineVirtualHandler<T extends KindType>(handler: VirtualHandler<DraftObject<T>>): VirtualHandler {
  const untyped: unknown = handler;
  if (isHandler(untyped)) return untyped;
  throw new TypeError(`the handler of ${handler.resource} is not an object`);
}

/**
 * Returns whether a value is an object. Handlers differ only in the type of their objects, which cannot be checked at
 * run time.
 */
const isHandler = (value: unknown): value is VirtualHandler => isObject(value) && typeof value.resource === 'string';
