/** Defines the strategy of a kind by hooks that are typed by it. */
import type { DraftObject, Handlers, KindName, KindType, Strategy } from '../contract/index.js';
import { isObject } from './guards.js';

/**
 * The strategy of a kind. Its hooks get objects of the kind's stored version, decoded by its schema; `T` is the type that
 * the generator prints for that version.
 * @param kind group and kind as the definition has them, as in `storage.platform.io/CSIDriver`.
 */
export function defineStrategy<T extends KindType>(kind: KindName<T>, hooks: Handlers<DraftObject<T>>): Strategy {
  const strategy: unknown = { ...hooks, kind };
  if (isStrategy(strategy)) return strategy;
  throw new TypeError(`the hooks of ${kind} are no object`);
}

/** Hooks differ in the type of their objects alone, which no check can see. */
const isStrategy = (value: unknown): value is Strategy => isObject(value) && typeof value.kind === 'string';
