/** Only users who may get the path of explanations see them, even when they impersonate somebody. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratchFolder } from '../../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

const folder = scratchFolder();
let running: ListeningServer;
beforeAll(async () => {
  writeFileSync(join(folder, 'tokens.csv'), 'chief,chief,1,"system:masters"\nclerk,clerk,2\n');
  running = await startServing({
    naming: 'kubernetes',
    controllers: 'none',
    tokenAuthFile: join(folder, 'tokens.csv'),
  });
});
afterAll(() => running.stop());

const send = (token: string, headers: Record<string, string> = {}) =>
  fetch(`${running.url}/api/v1/namespaces/default/configmaps?dryRun=All`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'kindforge-explain-admission': 'true',
      ...headers,
    },
    body: JSON.stringify({ metadata: { name: 'a' } }),
  });

it('other users do not learn which plugins and webhooks take part', async () => {
  const refused = await send('clerk');
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('cannot get path \\"/debug/admission\\"');
  expect((await send('nobody')).status).toBe(401);
});

it('an impersonated request has the rights of that user, and explains itself to the caller', async () => {
  const answer = await send('chief', { 'impersonate-user': 'clerk' });
  expect(answer.status).toBe(200);
  expect(JSON.parse(await answer.text())).toMatchObject({ code: 403, steps: [] });
  expect(JSON.parse(await (await send('chief')).text())).toMatchObject({ code: 201 });
});
