/** The function that printed handlers call. */
import type { KindHandlers, ResourceModule } from '../contract/index.js';
import { isObject } from './guards.js';

/**
 * Returns the handlers of a kind with the kind. The printed function has checked their types. Here they accept any
 * object, because TypeScript cannot compare the types of kinds with deep schemas. Throws for a resource that is not an
 * object.
 */
export function ofKind(resource: ResourceModule, handlers: object): KindHandlers {
  const made: unknown = { ...handlers, resource };
  if (isKindHandlers(made)) return made;
  throw new TypeError('handlers need the resource that they are for');
}

const isKindHandlers = (value: unknown): value is KindHandlers => isObject(value) && isObject(value.resource);
