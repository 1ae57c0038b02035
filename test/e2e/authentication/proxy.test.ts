/** Headers that name users count only with the certificate of a proxy. */
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, defineAuthority, type KeyPair } from '../../../plugins/index.js';
import { type ListeningServer, startServer } from '../../../server/index.js';
import { filesIn, scratchFolder } from '../../support/scratch-folder.js';

const file = filesIn(scratchFolder());
const authority = (name: string): Authority => defineAuthority({ secret: undefined, name, now: Date.now() });
const [proxies, clients] = [authority('proxies'), authority('clients')];
const hourMs = 3_600_000;
const certify = (
  by: Authority,
  commonName: string,
  from = -hourMs,
  until = hourMs,
  use: 'client' | 'server' = 'client',
) =>
  by.issue({
    subject: { commonName, organizations: ['teams'] },
    notBefore: new Date(Date.now() + from),
    notAfter: new Date(Date.now() + until),
    use,
  });

let server: ListeningServer;
beforeAll(async () => {
  server = await startServer({
    naming: 'kubernetes',
    runtimeConfig: 'api/all=true',
    controllers: [],
    tls: {},
    authorization: { modes: ['AlwaysAllow'] },
    authentication: {
      clientCaFile: file('clients.crt', clients.certificate),
      requestHeader: {
        clientCaFile: file('proxies.crt', proxies.certificate),
        allowedNames: ['front', 'second'],
        usernameHeaders: ['X-Remote-User', 'X-Login'],
        groupHeaders: ['X-Remote-Group', 'X-Team'],
        extraHeadersPrefixes: ['X-Remote-Extra-'],
      },
    },
    routes: (app) =>
      app.get('/seen', ({ req, context }) => ({ headers: Object.fromEntries(req.headers), user: context.user?.name })),
  });
});
afterAll(() => server.stop());

type Headers = Readonly<Record<string, string | string[]>>;

/** A review of the user, or the user that a route has seen. */
interface Answer {
  readonly status?: { readonly userInfo: { readonly username: string } };
  readonly user?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the code of an answer, and its JSON. */
function ask(
  headers: Headers,
  shown?: KeyPair,
  path = reviews,
): Promise<{ readonly code: number; readonly body: Answer }> {
  const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1beta1', kind: 'SelfSubjectReview' });
  return new Promise((resolve, reject) => {
    const call = request(
      server.url + path,
      {
        method: path === reviews ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', ...headers },
        rejectUnauthorized: false,
        ...shown,
      },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        resolve({ code: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      },
    );
    call.on('error', reject);
    call.end(path === reviews ? review : undefined);
  });
}

const reviews = '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews';
const front = certify(proxies, 'front');

describe('a proxy', () => {
  it('names a user, with groups and extras', async () => {
    const { body } = await ask(
      {
        'X-REMOTE-USER': 'anna',
        'x-login': 'other',
        'x-remote-group': ['a', 'b,c'],
        'x-team': 'd',
        'x-remote-extra-Scopes': ['one', 'two'],
        'x-remote-extra-example.com%2fplace': 'here',
      },
      front,
    );
    expect(body.status?.userInfo).toEqual({
      username: 'anna',
      groups: ['a', 'b,c', 'd', 'system:authenticated'],
      extra: { scopes: ['one', 'two'], 'example.com/place': ['here'] },
    });
  });

  it('names a user by the next header, if the first is empty', async () => {
    const { body } = await ask({ 'x-remote-user': '', 'x-login': 'ben' }, certify(proxies, 'second'));
    expect(body.status?.userInfo.username).toBe('ben');
  });

  it('is anonymous if it names no user', async () =>
    expect(await ask({ 'x-remote-group': 'system:masters' }, front)).toHaveProperty('code', 401));
});

describe('headers do not count', () => {
  const headers = { 'x-remote-user': 'anna', 'x-remote-group': 'system:masters' };
  it.each<[string, () => KeyPair | undefined]>([
    ['without a certificate', () => undefined],
    ['of a proxy that is not allowed', () => certify(proxies, 'third')],
    ['of another authority', () => certify(authority('proxies'), 'front')],
    ['that has ended', () => certify(proxies, 'front', -2 * hourMs, -hourMs)],
    ['that has not begun', () => certify(proxies, 'front', hourMs, 2 * hourMs)],
    ['that is for servers', () => certify(proxies, 'front', -hourMs, hourMs, 'server')],
  ])('%s', async (_, shown) => expect(await ask(headers, shown())).toHaveProperty('code', 401));

  it('of a client, which keeps the user of its certificate', async () => {
    const { body } = await ask(headers, certify(clients, 'front'));
    expect(body.status?.userInfo).toMatchObject({ username: 'front', groups: ['teams', 'system:authenticated'] });
  });

  it('but a proxy without them is not a user', async () => expect(await ask({}, front)).toHaveProperty('code', 401));
});

it('hides the headers from routes', async () => {
  const sent = { 'x-remote-user': 'anna', 'x-team': 'd', 'x-remote-extra-a': 'b', 'x-other': 'stays' };
  for (const [shown, user] of [
    [front, 'anna'],
    [certify(clients, 'carl'), 'carl'],
  ] as const) {
    const { body } = await ask(sent, shown, '/seen');
    expect(body.user).toBe(user);
    expect(body.headers).toMatchObject({ 'x-other': 'stays' });
    expect(Object.keys(body.headers ?? {}).filter((name) => /^x-(remote|team|login)/.test(name))).toEqual([]);
  }
});
