/** The `until` of a test server. */
import type { ApiObjectLike, ClientOptions, ResourceDescriptor } from '../client/index.js';
import type { ListeningServer } from '../server/index.js';
import { checkOptions } from './check-options.js';
import { findResource } from './find-resource.js';
import { untilOptions, untilSelector } from './known-options.js';
import type { TestServer } from './test-server.js';
import { type UntilOptions, type UntilSelector, untilObjects } from './until.js';

type Condition = 'deleted' | ((of: never) => boolean);

/** Defines `until` with a client that faults do not hit. */
export function defineUntil(client: ClientOptions, registry: ListeningServer['registry']): TestServer['until'] {
  const until = async (
    selector: UntilSelector & { readonly name?: string },
    condition: Condition,
    options: UntilOptions = {},
  ): Promise<unknown> => {
    checkOptions('until', selector, untilSelector);
    checkOptions('until', options, untilOptions);
    const resource = resourceOf(selector, registry);
    const { name } = selector;
    if (condition === 'deleted') {
      await untilObjects(client, resource, selector, (objects) => objects.length === 0, options);
      return undefined;
    }
    if (typeof condition !== 'function') {
      throw new TypeError(`the condition ${JSON.stringify(condition)} is unknown; use 'deleted', or a function`);
    }
    const holds = (of: unknown): boolean => Reflect.apply(condition, undefined, [of]) === true;
    if (name === undefined) return untilObjects(client, resource, selector, holds, options);
    const [found] = await untilObjects(client, resource, selector, ([one]) => one !== undefined && holds(one), options);
    return found;
  };
  return bindTypes(until);
}

const resourceOf = ({ resource }: UntilSelector, registry: ListeningServer['registry']): ResourceDescriptor =>
  typeof resource === 'string' ? findResource(registry, resource) : resource;

/** Adds the types of the objects. Only the caller knows them. */
function bindTypes(
  until: (...args: [UntilSelector<ApiObjectLike>, Condition, UntilOptions?]) => Promise<unknown>,
): TestServer['until'];
function bindTypes(until: unknown): unknown {
  return until;
}
