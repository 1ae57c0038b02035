/** A server of the built-in kinds for tests of their rules, and the values in its answers. */
import type { JsonValue } from '../../runtime/contract/index.js';
import { isArray, isObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { noRuntimeConfig } from '../../runtime/registry/runtime-config.js';
import { conversions, kindHandlers } from '../../strategies/index.js';
import { registry } from './built-in-modules.js';
import { type Reply, suiteApi, type TestApi, type TestApiOptions } from './test-api.js';

/** Serves every version of every kind. */
export const everyVersion = { ...noRuntimeConfig, classes: new Map([['api/all', true]]) };

/** Starts a server of all kinds but definitions, with all gates on, for the tests of a file or a `describe`. */
export const suiteKinds = (naming: Naming, options: TestApiOptions = {}): Promise<TestApi> =>
  suiteApi(
    registry.filter(({ names }) => names.plural !== 'customresourcedefinitions'),
    {
      naming,
      handlers: kindHandlers(naming),
      conversions,
      featureEnabled: () => true,
      runtimeConfig: everyVersion,
      ...options,
    },
  );

/** Returns the value at a path with dots. */
export const at = (object: JsonValue | undefined, path: string): JsonValue | undefined =>
  path.split('.').reduce<JsonValue | undefined>((value, key) => {
    if (isArray(value)) return value[Number(key)];
    return isObject(value) ? value[key] : undefined;
  }, object);

/** Lists the fields of the mistakes in a refusal. */
export const fieldsOf = ({ body }: Pick<Reply, 'body'>): readonly (JsonValue | undefined)[] => {
  const causes = at(body, 'details.causes');
  return isArray(causes) ? causes.map((cause) => at(cause, 'field')) : [];
};
