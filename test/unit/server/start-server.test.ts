import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectionOf, credentialHeaders } from '../../../client/connection/kubeconfig.js';
import { isForbidden } from '../../../client/index.js';
import { createClient } from '../../../generated/index.js';
import { authenticatedUser } from '../../../plugins/kit.js';
import type { Authenticator } from '../../../runtime/contract/index.js';
import {
  builtinKinds,
  type ListeningServer,
  OptionError,
  type RunningServer,
  type StartOptions,
  startServer,
} from '../../../server/index.js';
import { listenLocally } from '../../support/local-server.js';
import { moduleOf } from '../../support/modules.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const folder = scratchFolder();

const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

async function started<S extends RunningServer>(starting: Promise<S>): Promise<S> {
  const server = await starting;
  open.push(server);
  return server;
}

it('accepts requests without credentials at the paths of its file only', async () => {
  const configFile = join(folder, 'authentication.yaml');
  writeFileSync(
    configFile,
    'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\nanonymous: { enabled: true, conditions: [{ path: /livez }] }\n',
  );
  const { url } = await started(startServer({ authentication: { configFile } }));
  const codes = ['/livez', '/livez/ping', '/version'].map(async (path) => (await fetch(url + path)).status);
  expect(await Promise.all(codes)).toEqual([200, 401, 401]);
});

const object = { metadata: { name: 'one' }, data: { a: '1' } };
const maps = (server: RunningServer, user?: Parameters<RunningServer['client']>[0]) =>
  createClient(server.client(user)).core.v1.configMaps.in('default');

describe('a server without options', () => {
  let server: ListeningServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());
  const path = '/api/v1/namespaces/default/configmaps/one';

  it('stores objects that a client in the same process writes', async () => {
    await maps(server).create(object);
    expect((await maps(server).get('one')).data).toEqual({ a: '1' });
  });

  it('accepts clients with its kubeconfig, and no others', async () => {
    const connection = connectionOf(JSON.parse(server.kubeconfig));
    expect(connection.baseUrl).toBe(server.url);
    const answer = await fetch(server.url + path, { headers: credentialHeaders(connection) });
    expect(await answer.json()).toMatchObject(object);
    expect((await fetch(server.url + path)).status).toBe(401);
  });

  it('listens on a free port of this machine only', () =>
    expect(server.address).toEqual({ host: '127.0.0.1', port: Number(new URL(server.url).port) }));

  it('uses the rights of users in the same process', async () => {
    const anna = authenticatedUser('anna', '', []);
    await expect(maps(server, anna).list()).rejects.toSatisfy(isForbidden);
  });
});

describe('a server with options', () => {
  it('serves in process only', async () => {
    const server = await started(startServer({ http: false, controllers: [] }));
    await maps(server).create(object);
    expect('url' in server).toBe(false);
  });

  it('keeps its data, and its administrator', async () => {
    const storage = { lmdb: join(folder, 'data') };
    const first = await startServer({ storage, controllers: [] });
    await maps(first).create(object);
    await first.stop();
    const second = await started(startServer({ storage, controllers: [] }));
    expect((await maps(second).get('one')).data).toEqual({ a: '1' });
    const tokenOf = (text: string) => connectionOf(JSON.parse(text)).token;
    expect(tokenOf(second.kubeconfig)).toBe(tokenOf(first.kubeconfig));
  });

  it('writes credentials if a folder is given', async () => {
    const place = join(folder, 'credentials');
    const server = await started(startServer({ credentials: { folder: place }, controllers: [] }));
    expect(readFileSync(join(place, 'kubeconfig'), 'utf8')).toBe(server.kubeconfig);
    expect(statSync(join(place, 'header')).mode & 0o777).toBe(0o600);
  });

  it.each(['anonymous', 'administrator', { name: 'me', uid: '', groups: [], extra: {} }] as const)(
    'refuses an unknown token, if requests without one come from %j',
    async (anonymous) => {
      const server = await started(
        startServer({
          authentication: { anonymous, bootstrapTokens: true },
          authorization: { modes: ['RBAC'] },
          controllers: [],
        }),
      );
      const codeOf = async (authorization?: string): Promise<number> => {
        const headers = new Headers(authorization === undefined ? {} : { authorization });
        return (await fetch(`${server.url}/version`, { headers })).status;
      };
      const without = anonymous === 'administrator' ? 200 : await codeOf();
      expect(without).not.toBe(401);
      // An unknown authentication method in a header counts as no header.
      for (const none of ['Basic YTpi', 'Bearer', 'Bearer ']) expect(await codeOf(none)).toBe(without);
      for (const token of ['guess', 'abcdef.0123456789abcdef', 'a.b.c', 'x'.repeat(10_000)])
        expect([token.length, await codeOf(`Bearer ${token}`), await codeOf(`bEARER ${token} x`)]).toEqual([
          token.length,
          401,
          401,
        ]);
    },
  );

  it('asks its own authenticators and its own authorizer', async () => {
    const everyone: Authenticator = {
      name: 'everyone',
      authenticate: () => ({ user: authenticatedUser('anna', '', ['readers']) }),
    };
    const server = await started(
      startServer({
        authentication: { authenticators: [everyone] },
        authorization: {
          authorizer: {
            name: 'readers',
            decide: ({ verb, user }) =>
              verb === 'list' && user.groups.includes('readers') ? { decision: 'allow' } : { decision: 'no opinion' },
          },
        },
        controllers: [],
      }),
    );
    const url = `${server.url}/api/v1/namespaces/default/configmaps`;
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
  });

  it('serves other kinds instead of the built-in ones, or beside them', async () => {
    const modules = [moduleOf('shop.example.com', 'lamps', 'Lamp')];
    const only = await started(startServer({ kinds: [{ modules }], http: false }));
    expect(only.registry.find('shop.example.com', 'v1', 'lamps')).toBeDefined();
    expect(only.registry.find('', 'v1', 'namespaces')).toBe(undefined);
    const both = await started(startServer({ kinds: [builtinKinds, { modules }], http: false, controllers: [] }));
    expect(both.registry.find('shop.example.com', 'v1', 'lamps')).toBeDefined();
    expect(both.registry.find('', 'v1', 'namespaces')).toBeDefined();
  });

  it("runs the program's controllers until it stops", async () => {
    let ended = false;
    const controller = {
      name: 'own',
      run: ({ signal }: { readonly signal: AbortSignal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            ended = true;
            resolve();
          });
        }),
    };
    const server = await startServer({ http: false, controllers: [controller] });
    expect(ended).toBe(false);
    await server.stop();
    expect(ended).toBe(true);
  });
});

describe('a server that stops', () => {
  it('is not ready from then on, and ends once however often it is stopped', async () => {
    const server = await startServer({
      http: false,
      controllers: [],
      shutdownDelayMs: 200,
      authentication: { anonymous: 'administrator' },
    });
    const codeOf = async (path: string): Promise<number> =>
      (await server.handle({ method: 'GET', path, search: '', headers: {}, readBody: unread })).code;
    expect(await codeOf('/readyz')).toBe(200);
    const ends = [server.stop(), server.stop()];
    expect(ends[0]).toBe(ends[1]);
    expect([await codeOf('/readyz'), await codeOf('/livez')]).toEqual([500, 200]);
    await Promise.all(ends);
  });

  const unread = (): Promise<never> => Promise.reject(new Error('there is no body'));
});

describe('origins with access', () => {
  it('cause a warning if they may match longer hosts', async () => {
    const problems: string[] = [];
    const corsAllowedOrigins = ['^https://a\\.example$', '^https://b\\.example'];
    await started(startServer({ controllers: [], corsAllowedOrigins, onProblem: (one) => void problems.push(one) }));
    expect(problems).toEqual([
      'the origins ^https://b\\.example may be of hosts with longer names, too; end the expression with (:|$)',
    ]);
  });
});

describe('options that cannot be used', () => {
  const secret = join(folder, 'key.pem');
  writeFileSync(secret, 'no key');

  it.each<[StartOptions, string]>([
    [{ http: { port: 70_000 } }, 'http.port 70000: must be a port from 1 to 65535, or auto for a free one'],
    [{ http: { port: 0 } }, 'http.port 0: must be a port from 1 to 65535, or auto for a free one'],
    [
      { http: { host: '0.0.0.0' } },
      'http.host 0.0.0.0 is not a loopback address; plain HTTP is for this machine only, and tls.host',
    ],
    [{ tls: { port: 0 } }, 'tls.port 0: must be a port'],
    [{ http: { fd: -1 } }, 'http.fd -1: must be a file descriptor, such as 3'],
    [{ http: { fd: 1_000_000 } }, 'http.fd 1000000 cannot be listened on: '],
    [{ tls: { fd: 0.5 } }, 'tls.fd 0.5: must be a file descriptor, such as 3'],
    [{ shutdownDelayMs: -1 }, 'shutdownDelayMs -1: must be a number of milliseconds from 0 to 86400000'],
    [{ livezGraceMs: Number.NaN }, 'livezGraceMs NaN: must be a number of milliseconds from 0 to 86400000'],
    [{ corsAllowedOrigins: ['^https://a$', 'example.com'] }, 'corsAllowedOrigins example.com matches other hosts too'],
    [{ advertiseAddress: '0.0.0.0' }, 'advertiseAddress 0.0.0.0: must be an address that clients can reach'],
    [{ tls: { host: 'here' } }, 'tls.host here: must be an address, such as 0.0.0.0'],
    [{ tls: { names: ['a b'] } }, 'tls.names a b: must be a host name or an IP address, such as api.example.com'],
    [
      { tls: { names: ['a'], certificate: { cert: '', key: '' } } },
      'tls.names is for the certificate that the server makes, and tls.certificate gives another',
    ],
    [
      { tls: { host: '0.0.0.0' }, authentication: { anonymous: 'administrator' } },
      'tls.host 0.0.0.0 can be reached from other machines, where everyone would be an administrator; add authentication',
    ],
    [
      { tls: { host: '::' }, authentication: { anonymous: 'anonymous' }, authorization: { modes: ['AlwaysAllow'] } },
      'tls.host :: can be reached from other machines, where everyone would be allowed everything; add RBAC',
    ],
    [{ authentication: { clientCaFile: 'a' } }, 'authentication.clientCaFile: only for servers with TLS; set tls.port'],
    [{ tls: {}, authentication: { clientCaFile: '/nowhere' } }, 'authentication.clientCaFile /nowhere: ENOENT'],
    [
      { tls: {}, authentication: { clientCaFile: secret } },
      `authentication.clientCaFile ${secret}: no certificate in PEM`,
    ],
    [{ tls: { named: [{ certFile: '/nowhere', keyFile: 'a' }] } }, 'tls.named /nowhere: ENOENT'],
    [{ tls: { named: [{ certFile: secret, keyFile: secret }] } }, `tls.named ${secret},${secret}: `],
    [{ http: false, credentials: {} }, 'credentials: only for servers that listen, and http is false'],
    [
      { credentials: {}, authentication: { administrator: false } },
      "credentials are the administrator's, and authentication.administrator is false",
    ],
    [{ credentials: { folder: '' } }, 'credentials.folder is empty; give a folder'],
    [{ authorization: { modes: [] } }, 'authorization.modes is empty; give one, or an authorization.authorizer'],
    [{ authorization: { modes: ['RBAC', 'RBAC'] } }, 'authorization.modes: RBAC is given twice'],
    [
      { authorization: { modes: ['Webhook'] } },
      'authorization.modes Webhook needs authorization.webhook.configFile; add it, with its file',
    ],
    [
      { authorization: { webhook: { configFile: 'hook' } } },
      'authorization.webhook.configFile is for the mode Webhook; add it to authorization.modes',
    ],
    [
      { authorization: { modes: ['Webhook'], webhook: { configFile: '/nowhere' } } },
      'authorization.webhook.configFile /nowhere: ENOENT',
    ],
    [
      { authorization: { modes: ['Webhook'], webhook: { configFile: 'hook', authorizedTtlMs: Number.NaN } } },
      'authorization.webhook.authorizedTtlMs NaN: must be 0 or more milliseconds',
    ],
    [{ controllers: ['namespaces'] }, 'controllers: namespaces is unknown; did you mean namespace?'],
    [{ schemas: '/nowhere' }, 'schemas /nowhere: must be a folder'],
    [{ schemas: `${secret}/below` }, `schemas ${secret}/below: must be a folder`],
    [{ featureGates: { Nothing: true } }, 'featureGates: unrecognized feature gate: Nothing'],
    [{ runtimeConfig: 'api/most' }, 'runtimeConfig: invalid key api/most'],
    [
      { tls: { certificate: { certFile: '/nowhere', keyFile: '/nowhere' } } },
      'tls.certificate.certFile /nowhere: ENOENT',
    ],
    [{ authentication: { tokenFile: '/nowhere' } }, 'authentication.tokenFile /nowhere: ENOENT'],
    [
      { authentication: { serviceAccounts: { signingKeyFile: secret } } },
      `authentication.serviceAccounts.signingKeyFile ${secret}: no private key in PEM`,
    ],
    [
      { authentication: { serviceAccounts: { maxSeconds: 60 } } },
      'authentication.serviceAccounts.maxSeconds 60 is too short; use 3600 or more',
    ],
  ])('%j', async (options, message) => {
    const starting = startServer({ http: {}, ...options } as StartOptions & { http: false });
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.toBeInstanceOf(OptionError);
  });

  it("have the caller's names for options", async () => {
    const starting = startServer({ http: { host: '1.2.3.4' } });
    const error: unknown = await starting.catch((reason: unknown) => reason);
    const told = error instanceof OptionError ? error.describe((option) => `--${option}`) : '';
    expect(told).toMatch(/^--http\.host 1\.2\.3\.4 is not a loopback address/);
  });
});

describe('a program of the user', () => {
  it('mounts a server that does not listen', async () => {
    const server = await started(startServer({ http: false, authentication: { anonymous: 'administrator' } }));
    const own = createHttpServer(server.listenerUnder('/api-of-mine'));
    const port = await listenLocally(own);
    const answer = await fetch(`http://127.0.0.1:${port}/api-of-mine/api/v1/namespaces/default`);
    expect(await answer.json()).toMatchObject({ kind: 'Namespace' });
    own.close();
  });

  it('puts routes beside the API, behind its authentication and authorization', async () => {
    const server = await started(
      startServer({ controllers: [], routes: (app) => app.get('/who', (event) => event.context.user?.name ?? '') }),
    );
    expect((await fetch(`${server.url}/who`)).status).toBe(401);
    const headers = credentialHeaders(connectionOf(JSON.parse(server.kubeconfig)));
    expect(await (await fetch(`${server.url}/who`, { headers })).text()).toBe('system:admin');
  });
});
