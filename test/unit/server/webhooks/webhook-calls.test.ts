import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OutgoingCalls } from '../../../../server/webhooks/outgoing-calls.js';
import { webhookCalls } from '../../../../server/webhooks/webhook-calls.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

it.each([
  ['hook', 'https://127.0.0.1'],
  ['shop/hook', 'http://127.0.0.1'],
  ['shop/hook', 'nonsense'],
])('an address is refused as in %s=%s', (service, address) =>
  expect(() => webhookCalls(new OutgoingCalls(), { [service]: address })).toThrow(),
);

it.each([
  ['users: [{ name: "*", user: { token: a } }]', undefined],
  ['users: [{ user: { token: a } }]', 'a user of the kubeconfig has no name'],
  ['users: [{ name: a, user: { exec: { command: id } } }]', 'user "a" of the kubeconfig has exec, which is not supp'],
  ['users: [{ name: a, user: { client-certificate-data: YQ== } }]', 'client-certificate and client-key must be given'],
  ['users: [{ name: a, user: { tokenFile: none } }]', 'no such file'],
  ['current-context: here', 'the kubeconfig has no context named "here"'],
])('the file %s is refused: %s', (text, problem) => {
  const path = join(folder, 'credentials.yaml');
  writeFileSync(path, text);
  const said = webhookCalls(new OutgoingCalls()).checkCredentials(path);
  if (problem === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(problem);
});
