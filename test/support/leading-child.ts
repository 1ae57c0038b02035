/**
 * A server over etcd in its own process. Its controllers compete for the lease, and the leader's controller answers
 * pings with its name.
 */
import { createResourceClient, isAlreadyExists } from '../../client/index.js';
import { defineController, watch } from '../../controllers/kit/index.js';
import { configMaps } from '../../generated/core/v1/configmaps/resource.js';
import { startServer } from '../../server/index.js';

/** Answers the ConfigMap `ping-3` with the ConfigMap `pong-3`, that names the leader. */
const answering = (identity: string) =>
  defineController({
    name: 'answering',
    watches: [watch(configMaps, { labelSelector: 'role=ping' })],
    async reconcile(key, { client, cacheOf, signal }) {
      const ping = cacheOf(configMaps).get(key);
      if (ping === undefined) return;
      const pong = {
        metadata: { name: (ping.metadata.name ?? '').replace('ping', 'pong'), labels: { role: 'pong' } },
        data: { by: identity },
      };
      try {
        await createResourceClient(configMaps, client).in('default').create(pong, { signal });
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    },
  });

const [identity, endpoint] = process.argv.slice(2);
if (process.send && identity !== undefined && endpoint !== undefined) {
  const server = await startServer({
    storage: { etcd: { endpoints: [endpoint] } },
    controllers: ['namespace', answering(identity)],
    leaderElection: true,
    authentication: { anonymous: 'administrator' },
    onProblem: () => {},
  });
  process.send(server.url);
}
