import { expect, it } from 'vitest';
import { discover } from '../../../client/discovery.js';
import { startServer } from '../../../server/index.js';

it('finds nothing missing on a server without the core group', async () => {
  const server = await startServer({ kinds: [], storage: 'memory', http: { port: 'auto' }, controllers: [] });
  try {
    const { resources, failed } = await discover(server.client());
    expect(failed).toEqual([]);
    expect(resources.filter(({ group }) => group === '')).toEqual([]);
  } finally {
    await server.stop();
  }
}, 60_000);
