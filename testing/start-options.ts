/** Converts the options of a test server to options of the server that it starts. */

import type { Backend, Key, StoredRecord } from '../runtime/contract/index.js';
import { builtinKinds, type ListeningOptions, type StartOptions } from '../server/index.js';
import { freshRecords, type Image } from './image.js';
import { imageFor } from './images.js';
import { type Definition, modulesOfDefinitions } from './load-definitions.js';
import type { TestServerOptions } from './options.js';
import type { TestClock } from './test-clock.js';

/** The parts that a test server passes to its server. */
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

/** Returns whether a server starts with the same objects as the image. Other servers take longer to start. */
const isUsual = (options: TestServerOptions): boolean => unusual.every((option) => options[option] === undefined);

const unusual = [
  'advertiseAddress',
  'emulatedVersion',
  'featureGates',
  'runtimeConfig',
  'serviceRanges',
  'tls',
] as const;

/** Returns the built-in controllers. Other controllers run separately, as clients, so that faults can hit them. */
function builtInControllers(controllers: TestServerOptions['controllers'] = false): readonly string[] {
  if (typeof controllers === 'boolean') return controllers ? ['*'] : [];
  return controllers.filter((one) => typeof one === 'string');
}

const accountsPlugin = 'ServiceAccount';
const accountsController = 'serviceaccount';

/** Returns the admission options. Without the controller for default accounts, pods need no account. */
function admissionOf({ admission = {}, controllers }: TestServerOptions): NonNullable<StartOptions['admission']> {
  const running = builtInControllers(controllers);
  const isMade = running.includes('*') || running.includes(accountsController);
  if (isMade || admission.enable?.includes(accountsPlugin)) return admission;
  return { ...admission, disable: [...(admission.disable ?? []), accountsPlugin] };
}

// A backend in memory with initial objects. Only the store's own memory has later writes.

/** Makes the backend; empty without an image. `at` is the time of the start. */
function memoryWith(image: Image | undefined, at: Date): Backend {
  return {
    name: 'memory',
    durability: 'none',
    async open() {
      const { revision, digest } = image?.checkpoint ?? { revision: 0, digest: 0 };
      const records = image ? freshRecords(image, at).map(toStored) : [];
      return {
        // No watch may start from before the start.
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
