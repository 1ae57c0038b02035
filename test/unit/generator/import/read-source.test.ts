/** Reading the documents of a server. */
import { createServer, type ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { noProgress } from '../../../../generator/diagnostics/progress.js';
import { readServer } from '../../../../generator/import/read-source.js';
import { listenLocally } from '../../../support/local-server.js';

const document = { openapi: '3.0.0', paths: {} };
const groups = ['apps/v1', 'batch/v1'];
const index = {
  paths: Object.fromEntries(
    ['api', 'api/v1', 'apis', 'apis/apps', ...groups.map((one) => `apis/${one}`), 'version'].map((path) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=1` },
    ]),
  ),
};

/** Starts a server of documents; `asked` has the paths of requests. */
async function start(before: (path: string, response: ServerResponse) => boolean = () => false) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    asked.push(path);
    if (before(path, response)) return;
    const versions = groups.map((groupVersion) => ({ versions: [{ groupVersion }] }));
    response.end(JSON.stringify(path === '/openapi/v3' ? index : path === '/apis' ? { groups: versions } : document));
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, baseUrl: `http://127.0.0.1:${port}` };
}

it.each([
  [['apps'], ['/openapi/v3', '/openapi/v3/apis/apps/v1', '/apis', '/apis/apps/v1']],
  [
    ['', 'batch'],
    ['/openapi/v3', '/openapi/v3/api/v1', '/openapi/v3/apis/batch/v1', '/apis', '/api/v1', '/apis/batch/v1'],
  ],
])('requests nothing else for the groups %j', async (wanted, paths) => {
  const { asked, baseUrl } = await start();
  await readServer({ baseUrl }, '', { progress: noProgress, groups: wanted });
  expect(asked).toEqual(paths);
});

it('requests all documents without groups, and for unknown groups', async () => {
  const all = await start();
  await readServer(all, '', { progress: noProgress });
  expect(all.asked).toHaveLength(1 + 7 + 2 + 2);
  const none = await start();
  await readServer(none, '', { progress: noProgress, groups: ['other'] });
  expect(none.asked.filter((path) => path.startsWith('/openapi/v3/'))).toHaveLength(7);
});

it('requests again if a connection drops in the middle of a document, but not forever', async () => {
  let drops = 2;
  const { asked, baseUrl } = await start((path, response) => {
    if (path !== '/openapi/v3/apis/apps/v1' || drops-- <= 0) return false;
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"openapi"', () => response.destroy());
    return true;
  });
  const read = () => readServer({ baseUrl }, '', { progress: noProgress, groups: ['apps'] });
  expect((await read()).documents).toEqual([document]);
  expect(asked.filter((path) => path === '/openapi/v3/apis/apps/v1')).toHaveLength(3);
  drops = 3;
  await expect(read()).rejects.toThrow('is the server running');
});
