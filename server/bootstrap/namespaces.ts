/** The namespaces that every server has from its start. Their names show the naming of the stored data. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isAlreadyExists,
} from '../../client/index.js';
import { kubernetesNaming, type Naming, platformNaming } from '../../runtime/objects/names/naming.js';
import { systemPriorityClasses } from '../../strategies/scheduling.platform.io/priorityclasses.js';
import { type BootstrapHook, ensureObjects, isMissing } from './ensure-objects.js';

/** Thrown if the data has another naming: the server would not find most of it. */
export class OtherNamingError extends Error {
  /** The naming of the data. */
  readonly naming: Naming['id'];

  constructor(naming: Naming['id']) {
    super(`the data was written under ${naming} names`);
    this.naming = naming;
  }
}

export const systemNamespaces: BootstrapHook = {
  name: 'start-system-namespaces-controller',
  everySeconds: 60,
  run: ({ client, naming }) => createNamespaces(client, naming),
};

const namespaces = defineResource<ApiObjectLike>()({
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  scope: 'Cluster',
  subresources: [],
});

/** Creates missing namespaces, if the server serves namespaces. Rejects with an `OtherNamingError`. */
async function createNamespaces(client: ClientOptions, naming: Naming): Promise<void> {
  const resource = createResourceClient(namespaces, client);
  const exists = (name: string): Promise<boolean> =>
    resource.get(name).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    );
  const other = naming.id === 'platform' ? kubernetesNaming : platformNaming;
  if ((await exists(other.namespaces.system)) && !(await exists(naming.namespaces.system))) {
    throw new OtherNamingError(other.id);
  }
  for (const name of Object.values(naming.namespaces)) {
    await resource.create({ metadata: { name } }).catch((error: unknown) => {
      if (!isAlreadyExists(error) && !isMissing(error)) throw error;
    });
  }
}

export const systemPriorities: BootstrapHook = {
  name: 'scheduling/bootstrap-system-priority-classes',
  run: ({ client, naming }) =>
    ensureObjects(
      client,
      {
        group: naming.rename('scheduling.platform.io'),
        version: 'v1',
        plural: 'priorityclasses',
        kind: 'PriorityClass',
      },
      systemPriorityClasses.map(({ name, value, description }) => ({ metadata: { name }, value, description })),
    ),
};
