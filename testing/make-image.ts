/** Makes an image: starts a server with only the built-in kinds, waits for its last write, and keeps its objects. */
import { type ApiObjectLike, createResourceClient, defineResource, systemClock } from '../client/index.js';
import type { Backend, Checkpoint } from '../runtime/contract/index.js';
import { stateOf } from '../runtime/storage/index.js';
import { type StartOptions, startServer } from '../server/index.js';
import { atRest } from './at-rest.js';
import { type Image, imageTime } from './image.js';

/** How long there must be no write before the image is complete, milliseconds. */
const quietMs = 300;

export async function makeImage(naming: StartOptions['naming'] = 'platform'): Promise<Image> {
  // Retries come soon, but all times are the same.
  const clock = { ...systemClock, wallMs: () => Date.parse(imageTime) };
  const last = lastCheckpoint();
  const server = await startServer({ naming, clock, http: false, controllers: [], storage: { backend: last.backend } });
  try {
    // Each server writes its own authorities there.
    const place = naming === 'kubernetes' ? 'kube-system' : 'platform-system';
    await createResourceClient(configMaps, server.client()).in(place).delete('extension-apiserver-authentication');
    await atRest(server.store, quietMs);
    const { entries } = stateOf(server.store);
    const { revision, digest } = last.checkpoint();
    return {
      checkpoint: { revision, digest },
      records: entries.map(({ key, revision: at, bytes }) => ({
        key,
        revision: at,
        text: Buffer.from(bytes).toString(),
      })),
    };
  } finally {
    await server.stop();
  }
}

const configMaps = defineResource<ApiObjectLike>()({
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  scope: 'Namespaced',
  subresources: [],
} as const);

/** Makes a backend in memory that keeps the last checkpoint. */
function lastCheckpoint(): { readonly backend: Backend; checkpoint(): Checkpoint } {
  let checkpoint: Checkpoint = { revision: 0, oldestRevision: 0, digest: 0, time: 0 };
  return {
    backend: {
      name: 'memory',
      durability: 'none',
      open: async () => ({ checkpoint, records: [], damage: [] }),
      commit: async (_records, next) => {
        checkpoint = next;
      },
      close: async () => {},
    },
    checkpoint: () => checkpoint,
  };
}
