/**
 * Colleagues get access with `kindforge user create`, do what their roles allow, and lose access with `kindforge user
 * revoke`.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { webSocketTransport } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';
import { createClient } from '../../generated/client.js';
import { makeAuthority } from '../support/certificate-authority.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { hasKubectl, kubectlFor } from '../support/kubectl.js';
import { listenLocally } from '../support/local-server.js';
import { runHere } from '../support/run-here.js';
import { scratchFolder, testFolder } from '../support/scratch-folder.js';
import { type Ended, runCommand } from '../support/server-process.js';
import { type ListeningServer, type ServingFlags, startServing } from '../support/serving.js';

const folder = scratchFolder();
const file = (name: string): string => join(folder, name);

/** A server with TLS, an administrator and an audit log. Other tests do not have these. */
const served: ServingFlags = { naming: 'kubernetes', securePort: 'auto' };

let server: ListeningServer;
beforeAll(async () => {
  writeFileSync(file('policy.yaml'), 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n');
  const audit = { auditPolicyFile: file('policy.yaml'), auditLogPath: file('audit.log') };
  server = await startServing({ ...served, ...audit, credentialsDir: folder });
}, 300_000);
afterAll(() => server.stop());

const admin = (at = folder): string => join(at, 'kubeconfig');

/** Runs `kindforge user` as the administrator; `words` have spaces between. */
function user(words: string, at?: string): Promise<Ended> {
  const [verb = '', ...rest] = words.split(' ');
  return runHere('user', verb, ...rest, verb === 'create' ? '--admin-kubeconfig' : '--kubeconfig', admin(at));
}

/** Returns the output of a command that must succeed. */
async function done(words: string, at?: string): Promise<string> {
  const { code, out, err } = await user(words, at);
  expect(code, err).toBe(0);
  return out;
}

/** Returns the output of a command that must fail. */
async function failure(words: string, at?: string): Promise<string> {
  const { code, err } = await user(words, at);
  expect(code, err).not.toBe(0);
  return err;
}

/** Reads a kubeconfig with a certificate. */
function certificateIn(path: string) {
  const { clusters, users } = JSON.parse(readFileSync(path, 'utf8'));
  const decode = (text: string): Buffer => Buffer.from(text, 'base64');
  return {
    url: String(clusters[0].cluster.server),
    ca: decode(clusters[0].cluster['certificate-authority-data']),
    cert: decode(users[0].user['client-certificate-data']),
    key: decode(users[0].user['client-key-data']),
  };
}

const client = (path: string) => createClient({ kubeconfig: loadKubeconfig({ path }), naming: 'kubernetes' });
const reason = (found: Promise<unknown>): Promise<unknown> =>
  found.then(
    () => 'let in',
    (error: Error) => error.message,
  );
const maps = (path: string): Promise<unknown> => reason(client(path).core.v1.configMaps.in('default').list());

/** Sends requests over one connection with a user's certificate, and reads watches. */
function connection(path: string) {
  const { url, ...credentials } = certificateIn(path);
  const agent = new Agent({ keepAlive: true, maxSockets: 2, ...credentials });
  const ask = (target: string, onData: (text: string) => void = () => undefined) =>
    new Promise<{ readonly code: number; readonly ended: Promise<string>; readonly reused: boolean }>(
      (resolve, reject) => {
        const sent = request(`${url}${target}`, { agent }, (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            onData(text);
          });
          const ended = new Promise<string>((end) => answer.once('end', () => end(text)));
          resolve({ code: answer.statusCode ?? 0, ended, reused: sent.reusedSocket });
        });
        sent.once('error', reject);
        sent.end();
      },
    );
  return { ask, close: () => agent.destroy() };
}

describe('a colleague', () => {
  it('gets access with a certificate, and does what the role allows', async () => {
    const words = `create jane --group dev --kubeconfig ${file('jane.yaml')} --role edit --namespace default --expires 90d`;
    const { code, out, err } = await user(words);
    expect(code, err).toBe(0);
    expect(out).toMatch(
      /^user jane created: a certificate until \d{4}-\S+Z, in \S+jane.yaml\nrolebinding kindforge:user:jane:edit in namespace default created: cluster role edit\n$/,
    );
    expect(err).toContain('no role is bound to group dev; kindforge user grant --group dev --role edit binds one');
    expect(err).toContain('the kubeconfig names 127.0.0.1, which is this machine only');
    expect(statSync(file('jane.yaml')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file('jane.yaml'), 'utf8')).contexts[0].context.namespace).toBe('default');
    const jane = client(file('jane.yaml')).core.v1;
    await jane.configMaps.in('default').create({ metadata: { name: 'by-jane' } });
    expect(await reason(jane.nodes.list())).toContain('User "jane" cannot list resource "nodes"');
  });

  it('loses access at once: on open connections, in open watches, and in the audit log', async () => {
    await done(`create rita --kubeconfig ${file('rita.yaml')} --role view`);
    const { ask, close } = connection(file('rita.yaml'));
    const path = '/api/v1/namespaces/default/configmaps';
    const first = await ask(path);
    expect(first.code).toBe(200);
    await first.ended;
    const watching = await ask(`${path}?watch=1`);
    const list = await ask(path);
    await list.ended;
    expect(await done('revoke rita')).toBe('user rita revoked\nclusterrolebinding kindforge:user:rita:view deleted\n');
    await watching.ended;
    const next = await ask(path);
    const { message, code } = JSON.parse(await next.ended);
    expect({ code, reused: next.reused }).toEqual({ code: 401, reused: true });
    expect(message).toMatch(
      /^the credentials of user "rita" were revoked at \S+Z; ask an administrator for new ones: kindforge user create rita$/,
    );
    close();
    await expect.poll(() => readFileSync(file('audit.log'), 'utf8')).toContain(JSON.stringify(message));
  });

  it.skipIf(!hasKubectl)('sees the cure in kubectl (skipped if it is not installed)', async () => {
    await done(`create kim --kubeconfig ${file('kim.yaml')}`);
    await done('revoke kim');
    const kubectl = kubectlFor(server.url);
    const { code, err } = await kubectl.runWith(
      { KUBECONFIG: file('kim.yaml') },
      'get',
      'pods',
      '--kubeconfig',
      file('kim.yaml'),
    );
    kubectl.close();
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Warning: the credentials of user "kim" were revoked at \S+; ask an administrator for new ones: kindforge user create kim$/m,
    );
    expect(err).toContain('error: You must be logged in to the server');
  });

  it('gets access again only with new credentials, and without the old role', async () => {
    await done(`create lou --kubeconfig ${file('lou.yaml')} --role view`);
    await done('revoke lou');
    expect(await done('revoke lou')).toMatch(/^user lou was revoked before, at \S+Z\n$/);
    await done(`create lou --kubeconfig ${file('lou2.yaml')}`);
    expect(await maps(file('lou.yaml'))).toContain('this certificate of user "lou" was revoked; there is a newer one');
    expect(await maps(file('lou2.yaml'))).toContain('User "lou" cannot list resource "configmaps"');
    await done('grant lou --role view --namespace default');
    expect(await maps(file('lou2.yaml'))).toBe('let in');
  });

  it('gets access with a token, printed only to standard output, and with groups in bindings', async () => {
    await done('grant --group readers --role view');
    const { out, err } = await user(
      'create bob@example.com --token --group readers --address https://api.example.com:6443',
    );
    expect(err).toMatch(/^user bob@example.com created: a token until \S+Z\n$/);
    writeFileSync(file('bob.yaml'), out.replace('https://api.example.com:6443', server.url), { mode: 0o600 });
    expect(out).toContain('"server": "https://api.example.com:6443"');
    expect(await maps(file('bob.yaml'))).toBe('let in');
    const [, token = ''] = /"token": "(.*)"/.exec(out) ?? [];
    const stored = await client(admin()).core.v1.secrets.in('kube-system').get('kindforge-user-bob.40example.2ecom');
    expect(JSON.stringify(stored)).not.toContain(token);
    await done('revoke bob@example.com');
    expect(await maps(file('bob.yaml'))).toContain('the credentials of user "bob@example.com" were revoked');
  });

  it('loses access at once in watches over WebSocket, too', async () => {
    const { out } = await user('create web --token --role view');
    const [, token = ''] = /"token": "(.*)"/.exec(out) ?? [];
    const options = { baseUrl: server.plainUrl ?? '', token, naming: 'kubernetes', WebSocket } as const;
    const { configMaps } = createClient({ transport: webSocketTransport(options), naming: 'kubernetes' }).core.v1;
    let began: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      began = resolve;
    });
    const ended = (async () => {
      for await (const event of configMaps.watch()) if (event) began();
    })();
    await first;
    await done('revoke web');
    await ended;
    await expect(configMaps.list()).rejects.toThrow('the credentials of user "web" were revoked');
  });

  it('appears in the list, with groups, credential and state', async () => {
    const lines = (await done('list')).split('\n').map((line) => line.split(/ {2,}/));
    expect(lines[0]).toEqual(['NAME', 'GROUPS', 'CREDENTIAL', 'CREATED', 'EXPIRES', 'STATE']);
    const row = (name: string) => lines.find(([first]) => first === name);
    expect(row('jane')).toEqual(['jane', 'dev', 'certificate', expect.any(String), expect.any(String), 'active']);
    expect(row('bob@example.com')?.slice(1, 3)).toEqual(['readers', 'token']);
    expect(row('rita')?.[5]).toMatch(/^revoked \d{4}-/);
    const users = JSON.parse(await done('list -o json'));
    expect(users).toContainEqual(expect.objectContaining({ name: 'jane', state: 'active', groups: ['dev'] }));
  });
});

describe('mistakes', () => {
  it.each([
    ['create system:admin', 'user name "system:admin": names that begin with system: belong to the server'],
    [
      'create ann --group system:masters',
      'group "system:masters": groups that begin with system: belong to the server',
    ],
    ['create ann --expires 5m', '--expires 5m: must be from 10m to 3650d'],
    ['create ann --kubeconfig nowhere/ann.yaml', '--kubeconfig nowhere/ann.yaml: the folder nowhere does not exist'],
    ['create ann --address api.example.com', '--address api.example.com is not the URL of a server'],
    ['create ann --namespace default', '--namespace is for --role'],
    ['create ann --role edti', 'cluster role "edti" does not exist; did you mean edit?'],
    ['create ann --role edit --namespace shop', 'namespace "shop" does not exist'],
    ['revoke nobody', 'user "nobody" was not made with kindforge user create'],
    ['revoke jan', 'did you mean jane?'],
    ['grant jan --role edit', 'did you mean jane?'],
    ['grant --role edit', 'give either a name or --group'],
  ])('%s: %s', async (words, problem) => expect(await failure(words)).toContain(problem));

  it('an existing name is refused, and its file does not change', async () => {
    await done(`create max --kubeconfig ${file('max.yaml')}`);
    const before = readFileSync(file('max.yaml'), 'utf8');
    expect(await failure(`create max --kubeconfig ${file('max.yaml')}`)).toContain(
      `max.yaml exists and is not overwritten\n  → Name another file, or give --force`,
    );
    const exists = await failure(`create max --kubeconfig ${file('max.yaml')} --force`);
    expect(exists).toMatch(
      /user "max" exists, with a certificate that is valid until \S+Z\n {2}→ kindforge user revoke max ends it; then create max again/,
    );
    expect(readFileSync(file('max.yaml'), 'utf8')).toBe(before);
    await done('revoke max');
    await done(`create max --kubeconfig ${file('max.yaml')} --force`);
    expect(readFileSync(file('max.yaml'), 'utf8')).not.toBe(before);
  });

  it('a group with a name like the name of another group gets a warning', async () => {
    await done('grant --group developers --role view');
    expect((await user('create una --group developer')).err).toContain(
      'no role is bound to group developer, did you mean developers?',
    );
  });

  it('a server that does not answer is named, and nothing is written', async () => {
    const away = testFolder();
    writeFileSync(admin(away), readFileSync(admin(), 'utf8').replace(server.url, 'https://127.0.0.1:1'));
    const said = await failure(`create ann --kubeconfig ${join(away, 'ann.yaml')}`, away);
    expect(said).toContain('127.0.0.1:1');
    expect(said).toContain('Is the server running?');
    expect(existsSync(join(away, 'ann.yaml'))).toBe(false);
  });

  it('users of a migrated store keep access, and do not get access to another store', async () => {
    const [before, after, other] = [testFolder(), testFolder(), testFolder()];
    const storeIn = (at: string): string => `lmdb:${join(at, 'data')}`;
    const withServer = async (at: string, use: (url: string) => Promise<void>): Promise<void> => {
      const one = await startServing({ ...served, storage: storeIn(at), credentialsDir: at });
      await use(one.url).finally(() => one.stop());
    };
    const ann = join(before, 'ann.yaml');
    let first = '';
    await withServer(before, async (url) => {
      first = url;
      const created = await user(`create ann --kubeconfig ${ann} --role view`, before);
      expect(created, created.err).toMatchObject({ code: 0 });
    });
    const moved = await runCommand('storage', 'migrate', '--from', storeIn(before), '--to', storeIn(after));
    expect(moved.out).toContain("it keeps the source's secret");
    const get = async (kubeconfig: string, url: string): Promise<Ended> => {
      writeFileSync(kubeconfig, readFileSync(kubeconfig, 'utf8').replaceAll(first, url));
      const ended = await runHere('get', 'namespaces', '--kubeconfig', kubeconfig);
      writeFileSync(kubeconfig, readFileSync(kubeconfig, 'utf8').replaceAll(url, first));
      return ended;
    };
    await withServer(after, async (url) => {
      for (const file of [ann, admin(before)]) {
        const { code, err } = await get(file, url);
        expect({ code, err }).toEqual({ code: 0, err: '' });
      }
    });
    await withServer(other, async (url) => {
      const { code, err } = await get(ann, url);
      expect(code).toBe(2);
      expect(err).toContain('this client does not trust its authority');
      expect(err).not.toContain('Is the server running?');
    });
  });

  it('a server of another program is refused, because it would accept revoked users', async () => {
    const other = createServer((_request, answer) => answer.writeHead(404).end());
    const port = await listenLocally(other);
    const url = `http://127.0.0.1:${port}`;
    const { code, err } = await runHere('user', 'revoke', 'jane', '--server', url);
    other.close();
    expect(code).toBe(1);
    expect(err).toContain('this is not a Kindforge server');
  });

  it('the server decides when a certificate ends, and the command prints it', async () => {
    expect((await user('create short --expires 3650d')).err).toMatch(
      /the certificate ends at \S+Z: the server does not sign for longer \(--cluster-signing-duration\)/,
    );
  });
});

it('an expired certificate of a user is named in the 401', async () => {
  const own = testFolder();
  const authority = await makeAuthority('CN=authority');
  writeFileSync(join(own, 'ca.pem'), authority.cert);
  const running = await startServing({ ...served, credentialsDir: own, clientCaFile: join(own, 'ca.pem') });
  onTestFinished(() => running.stop());
  const old = await authority.issue({
    subject: 'CN=tom',
    from: new Date('2020-01-01'),
    until: new Date('2021-01-01'),
  });
  const config = JSON.parse(readFileSync(admin(own), 'utf8'));
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  config.users[0].user = { 'client-certificate-data': base64(old.cert), 'client-key-data': base64(old.key) };
  writeFileSync(join(own, 'tom.yaml'), JSON.stringify(config));
  expect(await maps(join(own, 'tom.yaml'))).toBe('Unauthorized');
  await done('create tom --token', own);
  expect(await maps(join(own, 'tom.yaml'))).toBe(
    'the certificate of user "tom" expired at 2021-01-01T00:00:00.000Z; ask an administrator for new ones: kindforge user create tom',
  );
  // A server with authorities of its own does not accept the certificates that it signs. Nothing is left of such a
  // user.
  expect(await failure(`create eve --kubeconfig ${join(own, 'eve.yaml')}`, own)).toMatch(
    /the server does not accept the new certificate: [^\n]*\n {2}→ With --client-ca-file, a server accepts only the authorities in that file: give --token/,
  );
  expect(existsSync(join(own, 'eve.yaml'))).toBe(false);
  expect(await done('list', own)).not.toContain('eve');
  // The server can also refuse certificates from another source.
  const ann = await authority.issue({ subject: 'CN=ann' });
  config.users[0].user = { 'client-certificate-data': base64(ann.cert), 'client-key-data': base64(ann.key) };
  writeFileSync(join(own, 'ann.yaml'), JSON.stringify(config));
  expect(await maps(join(own, 'ann.yaml'))).toContain('User "ann" cannot list');
  await done('revoke ann --any', own);
  expect(await maps(join(own, 'ann.yaml'))).toContain('the credentials of user "ann" were revoked');
});

it('a server without TLS has no credentials for others', async () => {
  const own = testFolder();
  const running = await startServing({ naming: 'kubernetes', credentialsDir: own });
  onTestFinished(() => running.stop());
  expect(await failure('create ann', own)).toMatch(
    /is plain HTTP, over which kubectl sends no credentials\n {2}→ Start the server with TLS/,
  );
});

it('a revoked user has no access after a restart, with platform names too', async () => {
  const own = testFolder();
  const flags: ServingFlags = { ...served, naming: 'platform', storage: `lmdb:${own}/data`, credentialsDir: own };
  const api = (path: string) => createClient({ kubeconfig: loadKubeconfig({ path }) });
  const ask = (name: string): Promise<unknown> => reason(api(join(own, name)).core.v1.configMaps.in('default').list());
  const first = await startServing(flags);
  const port = new URL(first.url).port;
  await done(`create jane --role view --kubeconfig ${join(own, 'jane.yaml')}`, own);
  await done(`create bob --role view --kubeconfig ${join(own, 'bob.yaml')}`, own);
  await done('revoke jane', own);
  await first.stop();
  const second = await startServing({ ...flags, securePort: port });
  onTestFinished(() => second.stop());
  expect(await ask('jane.yaml')).toContain('the credentials of user "jane" were revoked');
  expect(await ask('bob.yaml')).toBe('let in');
});

describe.skipIf(!hasEtcd)(`two servers over one ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.dispose());

  it('accept the same users, and refuse users that either has revoked', async () => {
    const [a, b] = [testFolder(), testFolder()];
    const storage = `etcd:${etcd.endpoints.join(',')}?prefix=people`;
    const first = await startServing({ ...served, storage, credentialsDir: a });
    const second = await startServing({ ...served, storage, credentialsDir: b });
    try {
      await done(`create jane --role view --kubeconfig ${join(a, 'jane.yaml')}`, a);
      const text = readFileSync(join(a, 'jane.yaml'), 'utf8').replace(first.url, second.url);
      writeFileSync(
        join(b, 'jane.yaml'),
        text.replace(/"certificate-authority-data": ".*"/, `"insecure-skip-tls-verify": true`),
      );
      await expect.poll(() => maps(join(b, 'jane.yaml'))).toBe('let in');
      const watching = client(join(b, 'jane.yaml')).core.v1.configMaps.in('default').watch();
      const ended = (async () => {
        for await (const event of watching) expect(event).toBeDefined();
      })();
      await done('revoke jane', a);
      await expect.poll(() => maps(join(b, 'jane.yaml'))).toContain('were revoked');
      await ended;
    } finally {
      await first.stop();
      await second.stop();
    }
  });
});
