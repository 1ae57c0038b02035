/** Makes of the options of a test server those of the server that it starts. */
import { builtinKinds, type ListeningOptions, type StartOptions } from '../server/index.js';
import type { TestClock } from './clock/test-clock.js';
import { type Definition, modulesOfDefinitions } from './definitions/load.js';
import { imageFor } from './image/images.js';
import { memoryWith } from './image/memory.js';
import type { TestServerOptions } from './options.js';

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
