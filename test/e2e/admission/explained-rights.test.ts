/** Only users who may get the path of explanations see them, even when they impersonate somebody. */
import { expect, it } from 'vitest';
import { send } from '../../support/ask.js';
import { filesIn, scratchFolder } from '../../support/scratch-folder.js';
import { servingForTests } from '../../support/serving.js';

const running = servingForTests({
  naming: 'kubernetes',
  controllers: 'none',
  tokenAuthFile: filesIn(scratchFolder())('tokens.csv', 'chief,chief,1,"system:masters"\nclerk,clerk,2\n'),
});

const create = (token: string, headers: Record<string, string> = {}) =>
  send(running(), 'POST', '/api/v1/namespaces/default/configmaps?dryRun=All', {
    body: { metadata: { name: 'a' } },
    token,
    headers: { 'kindforge-explain-admission': 'true', ...headers },
  });

it('other users do not learn which plugins and webhooks take part', async () => {
  const refused = await create('clerk');
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('cannot get path \\"/debug/admission\\"');
  expect((await create('nobody')).status).toBe(401);
});

it('an impersonated request has the rights of that user, and explains itself to the caller', async () => {
  const answer = await create('chief', { 'impersonate-user': 'clerk' });
  expect(answer.status).toBe(200);
  expect(JSON.parse(await answer.text())).toMatchObject({ code: 403, steps: [] });
  expect(JSON.parse(await (await create('chief')).text())).toMatchObject({ code: 201 });
});
