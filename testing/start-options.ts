/** Makes of the options of a test server those of the server that it starts. */

import type { Backend, Key, StoredRecord } from '../runtime/contract/index.js';
import { builtinKinds, type ListeningOptions, type StartOptions } from '../server/index.js';
import { freshRecords, type Image } from './image.js';
import { imageFor } from './images.js';
import { type Definition, modulesOfDefinitions } from './load-definitions.js';
import type { TestServerOptions } from './options.js';
import type { TestClock } from './test-clock.js';

/** The parts of a test server that its server is told of. */
export type OwnParts = Required<Pick<StartOptions, 'door' | 'authentication'>> & { readonly clock: TestClock };

export async function startOptionsOf(options: TestServerOptions, own: OwnParts): Promise<ListeningOptions> {
  const {
    project: _project,
    definitions = [],
    customResources: _crds,
    objects: _objects,
    frozenAt: _frozenAt,
    faults: _faults,
    ...given
  } = options;
  const { kinds = [], controllers, ...rest } = given;
  const image = isUsual(options) ? await imageFor(options.naming ?? 'platform') : undefined;
  const list = listOf(definitions);
  return {
    ...rest,
    ...own,
    kinds: [builtinKinds, ...kinds],
    ...(list.length === 0 ? {} : { schemas: { modules: await modulesOfDefinitions(list) } }),
    admission: admissionOf(options),
    controllers: builtInControllers(controllers),
    storage: { backend: memoryWith(image, own.clock.now()) },
    bootstrapped: image !== undefined,
  };
}

function listOf(definitions: NonNullable<TestServerOptions['definitions']>): readonly Definition[] {
  if (typeof definitions === 'string') return [definitions];
  return isList(definitions) ? definitions : [definitions];
}

const isList = (value: object): value is readonly Definition[] => Array.isArray(value);

/** Whether a server makes at its start what every other one makes; those that do not take longer to start. */
const isUsual = (options: TestServerOptions): boolean => unusual.every((option) => options[option] === undefined);

const unusual = [
  'advertiseAddress',
  'emulatedVersion',
  'featureGates',
  'runtimeConfig',
  'serviceRanges',
  'tls',
] as const;

/** Own controllers are run apart, as clients that faults can meet. */
function builtInControllers(controllers: TestServerOptions['controllers'] = false): readonly string[] {
  if (typeof controllers === 'boolean') return controllers ? ['*'] : [];
  return controllers.filter((one) => typeof one === 'string');
}

const accountsPlugin = 'ServiceAccount';
const accountsController = 'serviceaccount';

/** Where nobody makes the default account of namespaces, pods need none. */
function admissionOf({ admission = {}, controllers }: TestServerOptions): NonNullable<StartOptions['admission']> {
  const running = builtInControllers(controllers);
  const isMade = running.includes('*') || running.includes(accountsController);
  if (isMade || admission.enable?.includes(accountsPlugin)) return admission;
  return { ...admission, disable: [...(admission.disable ?? []), accountsPlugin] };
}

// A backend in memory that begins with objects; what is written later it leaves to the store's own memory.

/** Begins with nothing where there is no image. `at` is the time of the start. */
function memoryWith(image: Image | undefined, at: Date): Backend {
  return {
    name: 'memory',
    durability: 'none',
    async open() {
      const { revision, digest } = image?.checkpoint ?? { revision: 0, digest: 0 };
      const records = image ? freshRecords(image, at).map(toStored) : [];
      return {
        // Nothing from before the start can be watched from.
        checkpoint: { revision, oldestRevision: revision, digest, time: at.getTime() },
        records,
        damage: [],
      };
    },
    async commit() {},
    async close() {},
  };
}

const toStored = ({ key, revision, text }: { key: Key; revision: number; text: string }): StoredRecord => ({
  key,
  revision,
  replaces: 0,
  deleted: false,
  bytes: Buffer.from(text),
});
