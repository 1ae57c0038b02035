/** Defines the handler of a virtual kind by functions that are typed by it. */
import type { DraftObject, KindType, VirtualHandler } from '../contract/index.js';
import { isObject } from './guards.js';

/**
 * The handler of a virtual kind, or of a subresource with a kind of its own. Its functions get objects that have been
 * decoded by the kind's schema; `T` is the type that the generator prints for it.
 */
export function defineVirtualHandler<T extends KindType>(handler: VirtualHandler<DraftObject<T>>): VirtualHandler {
  const untyped: unknown = handler;
  if (isHandler(untyped)) return untyped;
  throw new TypeError(`the handler of ${handler.resource} is not an object`);
}

/** Handlers differ in the type of their objects alone, which no check can see. */
const isHandler = (value: unknown): value is VirtualHandler => isObject(value) && typeof value.resource === 'string';
