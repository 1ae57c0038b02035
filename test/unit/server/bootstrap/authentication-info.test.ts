/** The ConfigMap for API servers behind this one: the authorities of clients, and the headers of forwarded requests. */
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createResourceClient } from '../../../../client/index.js';
import { configMaps } from '../../../../generated/core/v1/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { authenticationInfo } from '../../../../server/bootstrap/authentication-info.js';
import { type RunningServer, type StartOptions, startServer } from '../../../../server/index.js';
import { defaultServiceRanges } from '../../../../strategies/index.js';
import { makeAuthority } from '../../../support/certificate-authority.js';
import { filesIn, scratchFolder, testFolder } from '../../../support/scratch-folder.js';

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(options: Partial<StartOptions> = {}): Promise<RunningServer> {
  await running?.stop();
  running = await startServer({ naming: 'kubernetes', http: false, tls: {}, controllers: [], ...options });
  return running;
}

const clientOf = (server: RunningServer) => createResourceClient(configMaps, server.client()).in('kube-system');

async function dataOf(server: RunningServer): Promise<Readonly<Record<string, string>>> {
  return (await clientOf(server).get('extension-apiserver-authentication')).data ?? {};
}

const subjects = (pem = ''): readonly string[] =>
  (pem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map((one) => new X509Certificate(one).subject);

it("has the authorities of clients and of the server's certificate, and the headers that name users", async () => {
  const { 'client-ca-file': clients, 'requestheader-client-ca-file': proxy, ...rest } = await dataOf(await start());
  expect([subjects(clients), subjects(proxy)]).toEqual([['CN=kindforge-client-ca'], ['CN=kindforge-front-proxy-ca']]);
  expect(rest).toEqual({
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
});

it('does not change when a server starts again on its data', async () => {
  const storage = { lmdb: join(scratchFolder(), 'data') };
  const before = await dataOf(await start({ storage }));
  expect(await dataOf(await start({ storage }))).toEqual(before);
});

it('keeps the authorities of other servers, and drops expired ones', async () => {
  const server = await start();
  const [other, expired] = await Promise.all([
    makeAuthority('CN=other'),
    makeAuthority('CN=expired', new Date('2021-01-01')),
  ]);
  const own = await makeAuthority('CN=own');
  await clientOf(server).patch('extension-apiserver-authentication', {
    data: { 'client-ca-file': `${expired.cert}${other.cert}`, more: 'kept' },
  });
  await authenticationInfo.run({
    client: server.client(),
    naming: kubernetesNaming,
    port: 0,
    host: '',
    serviceRanges: defaultServiceRanges,
    featureEnabled: () => false,
    release: emulate(),
    ownKinds: [],
    authentication: () => ({ clientAuthorities: own.cert }),
  });
  const data = await dataOf(server);
  expect(subjects(data['client-ca-file'])).toEqual(['CN=other', 'CN=own']);
  expect([data.more, subjects(data['requestheader-client-ca-file'])]).toEqual([
    'kept',
    ['CN=kindforge-front-proxy-ca'],
  ]);
});

it("has the option's authority for proxies if the certificate was given", async () => {
  const authority = await makeAuthority('CN=proxies');
  const pair = await authority.issue({ subject: 'CN=front', purposes: ['client'] });
  const file = filesIn(testFolder());
  const proxyCertificate = { certFile: file('tls.crt', pair.cert), keyFile: file('tls.key', pair.key) };
  const given = await dataOf(await start({ aggregation: { proxyCertificate } }));
  expect(Object.keys(given)).toEqual(['client-ca-file']);
  const requestHeader = {
    clientCaFile: file('ca.crt', authority.cert),
    usernameHeaders: ['x-user'],
    allowedNames: ['front'],
  };
  const named = await dataOf(await start({ aggregation: { proxyCertificate }, authentication: { requestHeader } }));
  expect(subjects(named['requestheader-client-ca-file'])).toEqual(['CN=proxies']);
  expect(named['requestheader-allowed-names']).toBe('["front"]');
  expect(named['requestheader-username-headers']).toBe('["X-Remote-User"]');
});
