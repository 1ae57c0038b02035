import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pluginOf } from '../../../../client/connection/kubeconfig-plugins.js';
import type { Identity } from '../../../../client/node/identity.js';
import { execIdentity, renewedIdentity } from '../../../../client/node/load-kubeconfig.js';
import { testFolder } from '../../../support/scratch-folder.js';
import { rejection } from '../../../support/sdk.js';

const apiVersion = 'client.authentication.k8s.io/v1';

/** Prints its arguments as a token. */
const script = `
  told=$(printf '%s' "$KUBERNETES_EXEC_INFO" | base64 | tr -d '\\n')
  printf '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"%s"}}' "$told"`;

it.each(['Never', 'IfAvailable'] as const)('depends on %s and whether there is a terminal', async (mode) => {
  const plugin = { type: 'exec', user: 'me', apiVersion, command: '/bin/sh', args: ['-c', script], env: {} } as const;
  const { headers } = await execIdentity({ ...plugin, interactiveMode: mode }, '/')();
  const token = headers.authorization?.replace('Bearer ', '') ?? '';
  const told: unknown = JSON.parse(Buffer.from(token, 'base64').toString());
  expect(told).toEqual({ kind: 'ExecCredential', apiVersion, spec: { interactive: false } });
});

it("passes programs the content of the authority's file, relative to the kubeconfig", async () => {
  const folder = testFolder();
  writeFileSync(join(folder, 'ca.pem'), 'CA');
  const cluster = { server: 'https://a.example.com', 'certificate-authority': 'ca.pem' };
  const exec = { apiVersion, command: '/bin/sh', args: ['-c', script], provideClusterInfo: true };
  const plugin = pluginOf({ exec }, cluster, 'me');
  if (plugin?.type !== 'exec') throw new Error('no exec plugin');
  const { headers } = await execIdentity({ ...plugin, interactiveMode: 'Never' }, folder)();
  const told: unknown = JSON.parse(Buffer.from(headers.authorization?.slice(7) ?? '', 'base64').toString());
  expect(told).toMatchObject({
    spec: { cluster: { server: 'https://a.example.com', 'certificate-authority-data': btoa('CA') } },
  });
  expect(told).not.toHaveProperty(['spec', 'cluster', 'certificate-authority']);
});

it('prefers the authority in the kubeconfig to the one in a file', () => {
  const cluster = { 'certificate-authority': 'ca.pem', 'certificate-authority-data': btoa('CA') };
  const plugin = pluginOf({ exec: { apiVersion, command: 'login', provideClusterInfo: true } }, cluster, 'me');
  expect(plugin).toHaveProperty('cluster', { 'certificate-authority-data': btoa('CA') });
});

const identity = (token: string): Identity => ({ headers: { authorization: token } });

it('renews credentials once for all, when they end, and when they are refused', async () => {
  const ends = [Date.now() + 60_000, Date.now() - 1, undefined];
  let renewed = 0;
  const source = renewedIdentity(async () => {
    const end = ends[renewed++];
    return { identity: identity(String(renewed)), ...(end === undefined ? {} : { ends: end }) };
  });
  const [first, same] = await Promise.all([source(), source()]);
  expect(await source()).toBe(first);
  expect(same).toBe(first);
  const [second, too] = await Promise.all([source(first), source(first)]);
  expect([second, too].map(({ headers }) => headers.authorization)).toEqual(['2', '2']);
  expect((await source()).headers.authorization).toBe('3');
  expect((await source(second)).headers.authorization).toBe('3');
  expect(renewed).toBe(3);
});

it('requests credentials again after a failure', async () => {
  let asked = 0;
  const source = renewedIdentity(async () => {
    if (asked++ === 0) throw new Error('not now');
    return { identity: identity('later') };
  });
  expect(await rejection(Promise.resolve(source()))).toMatchObject({ message: 'not now' });
  expect((await source()).headers.authorization).toBe('later');
});
