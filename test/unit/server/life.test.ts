/** Hooks and pages that programs and projects add to a server. */
import { expect, it, vi } from 'vitest';
import { startServer } from '../../../server/index.js';

const quiet = { http: false, controllers: [] } as const;

it('calls onStart with a running server, and onStop before it stops', async () => {
  const seen: string[] = [];
  const ready = async (server: { fetch: (request: Request) => Response | Promise<Response> }) =>
    (await server.fetch(new Request('http://localhost/readyz'))).status;
  const server = await startServer({
    ...quiet,
    authentication: { anonymous: 'administrator' },
    onStart: async (running) => void seen.push(`start ${await ready(running)}`),
    onStop: async (running) => void seen.push(`stop ${await ready(running)}`),
  });
  expect(seen).toEqual(['start 200']);
  await server.stop();
  expect(seen).toEqual(['start 200', 'stop 200']);
});

it('stops and rejects if onStart throws', async () => {
  const onStop = vi.fn();
  const onStart = () => Promise.reject(new Error('no queue'));
  await expect(startServer({ ...quiet, onStart, onStop })).rejects.toThrow('no queue');
  expect(onStop).toHaveBeenCalledOnce();
});

it('stops although onStop throws, and reports the error', async () => {
  const onProblem = vi.fn();
  const onStop = () => {
    throw new Error('lost');
  };
  const server = await startServer({ ...quiet, onProblem, onStop });
  await server.stop();
  expect(onProblem).toHaveBeenCalledWith('the hook onStop has failed', new Error('lost'));
});

it('refuses a folder of pages without index.html', async () => {
  await expect(startServer({ ...quiet, pages: '/nowhere' })).rejects.toThrow(
    'pages /nowhere: must be a folder with an index.html; build it first',
  );
});
