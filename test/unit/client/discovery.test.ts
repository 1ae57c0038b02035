import { expect, it, onTestFinished } from 'vitest';
import { discover, discoverResources } from '../../../client/discovery.js';
import { startServer } from '../../../server/index.js';
import { answering, groupListOf, resourceListOf } from '../../support/answering-transport.js';

it('finds nothing missing on a server without the core group', async () => {
  const server = await startServer({ kinds: [], storage: 'memory', http: { port: 'auto' }, controllers: [] });
  onTestFinished(() => server.stop());
  const { resources, failed } = await discover(server.client());
  expect(failed).toEqual([]);
  expect(resources.filter(({ group }) => group === '')).toEqual([]);
}, 60_000);

/** Returns a client of a server in front of one that answers with a code. */
const clientWhile = (code: number) => ({
  transport: answering(
    (path) =>
      ({
        '/apis': groupListOf('here', 'behind'),
        '/api/v1': resourceListOf('v1', 'pods'),
        '/apis/here/v1': resourceListOf('here/v1', 'things'),
        '/apis/behind/v1': code,
      })[path],
  ),
  retry: { retries: 0 },
});

it('leaves out versions of a server that is not available', async () => {
  const { failed } = await discover(clientWhile(503));
  expect(failed).toMatchObject([{ groupVersion: 'behind/v1', error: { code: 503 } }]);
  expect((await discoverResources(clientWhile(503))).map(({ plural }) => plural)).toEqual(['pods', 'things']);
});

it('does not hide other failures of a version', async () => {
  await expect(discoverResources(clientWhile(500))).rejects.toMatchObject({ code: 500 });
});
