/** Credentials that a server sends to webhooks of all kinds, and the file that names them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ConversionWebhook,
  heater,
  heaterDefinition,
  heaters,
  startConversionWebhook,
} from '../../support/conversion-webhook.js';
import { type HookBench, startHookBench } from '../../support/hook-bench.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { startServing } from '../../support/serving.js';

const folder = scratchFolder();
const file = join(folder, 'admission.yaml');
const users = join(folder, 'users.yaml');

const configuration = (version: string, kubeConfigFile: string): string => `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ValidatingAdmissionWebhook
  configuration:
    apiVersion: apiserver.config.k8s.io/${version}
    kind: WebhookAdmissionConfiguration
    kubeConfigFile: ${kubeConfigFile}
`;

let bench: HookBench;
let conversion: ConversionWebhook;

beforeAll(async () => {
  conversion = await startConversionWebhook('convert.shop.svc');
  writeFileSync(
    users,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      users: [
        { name: 'hook.shop.svc', user: { token: 'for-the-hook' } },
        { name: '*.shop.svc', user: { username: 'server', password: 'secret' } },
      ],
    }),
  );
  writeFileSync(file, configuration('v1', users));
  bench = await startHookBench({ admissionControlConfigFile: file });
});
afterAll(async () => {
  await bench.stop();
  conversion.close();
});

it('only the webhook that they are for gets them', async () => {
  const service = { namespace: 'shop', name: 'hook', path: '/named' };
  const named = bench.hook('named', { clientConfig: { service, caBundle: bench.webhook.caBundle } });
  await bench.configure('validating', 'both', named, bench.hook('other'));
  expect((await bench.create('a')).code).toBe(201);
  expect(bench.webhook.reviews.map(({ path, authorization }) => [path, authorization]).sort()).toEqual([
    ['/named', 'Bearer for-the-hook'],
    ['/other', ''],
  ]);
});

it('the plugin without the file sends none', async () => {
  await bench.clear();
  const service = { namespace: 'shop', name: 'hook', path: '/changes' };
  const clientConfig = { service, caBundle: bench.webhook.caBundle };
  await bench.configure('mutating', 'changes', bench.hook('changes', { clientConfig }));
  expect((await bench.create('b')).code).toBe(201);
  expect(bench.webhook.reviews).toMatchObject([{ path: '/changes', authorization: '' }]);
});

it('a conversion webhook gets them, at the address of its Service', async () => {
  const own = await startServing({
    naming: 'kubernetes',
    controllers: 'none',
    admissionControlConfigFile: file,
    serviceResolver: [`shop/convert=${conversion.url}`],
  });
  const definition = heaterDefinition(conversion);
  const service = { namespace: 'shop', name: 'convert', path: '/convert' };
  const text = JSON.stringify(definition).replace(
    JSON.stringify({ url: conversion.url, caBundle: conversion.caBundle }),
    JSON.stringify({ service, caBundle: conversion.caBundle }),
  );
  const post = (path: string, body: string) =>
    fetch(own.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', text);
  for (let tries = 0; tries < 500 && (await fetch(own.url + heaters('v1'))).status !== 200; tries++) await sleep(20);
  expect((await post(heaters('v2'), JSON.stringify(heater('hall', { power: { watts: 7 } })))).status).toBe(201);
  const expected = `Basic ${Buffer.from('server:secret').toString('base64')}`;
  expect(new Set(conversion.authorizations)).toEqual(new Set([expected]));
  await own.stop();
});

it.each([
  ['users.yaml', 'users.yaml": must be an absolute path'],
  [join(folder, 'none.yaml'), 'none.yaml cannot be used: ENOENT'],
])('a file %s keeps the server from starting, and the error names the place', async (path, problem) => {
  const other = join(folder, 'other.yaml');
  writeFileSync(other, configuration('v1alpha1', path));
  const start = startServing({ admissionControlConfigFile: other });
  await expect(start).rejects.toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`${other}:9:21: plugins[0].configuration.kubeConfigFile: `),
    }),
  );
  await expect(start).rejects.toThrow(problem);
});
