/** Only this user, and only the same program, can talk to the owner of the data. */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryBackend, openStore } from '../../../../../runtime/storage/index.js';
import { FORMAT } from '../../../../../runtime/storage/owner/messages.js';
import { Questions } from '../../../../../runtime/storage/owner/questions.js';
import { type ServedStore, serveStore } from '../../../../../runtime/storage/owner/serve-store.js';
import { testFolder } from '../../../../support/scratch-folder.js';
import { encoded, readAttributes } from '../../../../support/store-objects.js';

let folder: string;
let path: string;
let served: ServedStore;
beforeEach(async () => {
  folder = testFolder();
  path = join(folder, 'owner');
  served = await serveStore(await openStore({ backend: memoryBackend(), readAttributes }), path);
});
afterEach(async () => {
  await served.close();
});

async function questions(): Promise<Questions> {
  const socket = connect(path);
  await once(socket, 'connect');
  return new Questions(socket);
}

it('lets only this user open the socket', async () => {
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('refuses a worker with other messages', async () => {
  const asked = await questions();
  const open = (format: string) => asked.ask({ ask: 'open', format, replacing: false }, 'opened', 1000);
  await expect(open('0, v1.2.3')).rejects.toMatchObject({
    problem: 'refused',
    message: expect.stringContaining('and this worker 0, v1.2.3; start the server again'),
  });
  await expect(open(FORMAT)).resolves.toMatchObject({ opened: { unfinished: false } });
});

it('leaves the outcome of changes open if the connection ends before the answer', async () => {
  const asked = await questions();
  const group = [{ key: 'g/things/a', expected: 0, next: encoded('a'), writes: true }];
  const answer = asked.ask({ ask: 'commit', writer: 'w', group, head: undefined }, 'committed', 1000);
  const outcome = expect(answer).rejects.toMatchObject({ problem: 'uncertain' });
  await served.close();
  await outcome;
  await expect(asked.ask({ ask: 'look', key: undefined }, 'seen', 1000)).rejects.toMatchObject({ problem: 'unsent' });
});
