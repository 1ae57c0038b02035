/** Turns hooks that are typed by their kind into the strategy of that kind. */
import type { Handlers, Strategy } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';

/**
 * The strategy of a kind. Its hooks only ever get objects of the kind, decoded and normalized by its schema, which is
 * what their type says of them.
 * @param kind group and kind as the definition has them, as in `storage.platform.io/CSIDriver`.
 */
export function bindHandlers<T>(kind: string, handlers: Handlers<T>): Strategy {
  const strategy: unknown = { ...handlers, kind };
  if (isStrategy(strategy)) return strategy;
  throw new TypeError(`the handlers of ${kind} are no object`);
}

/** Hooks differ in the type of their objects alone, which no check can see. */
const isStrategy = (value: unknown): value is Strategy => isObject(value) && typeof value.kind === 'string';
