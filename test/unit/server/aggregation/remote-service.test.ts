/** One service behind this server: the result of a check, and how requests and their users reach it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiObject, UserInfo } from '../../../../runtime/contract/index.js';
import { type ApiRequest, type ApiResponse, defineForwarder } from '../../../../runtime/server/index.js';
import type { ApiService } from '../../../../server/aggregation/api-service.js';
import { RemoteService } from '../../../../server/aggregation/remote-service.js';
import { requestOf, textOf } from '../../../support/api-requests.js';
import { type IssuedPair, makeAuthority, type TestAuthority } from '../../../support/certificate-authority.js';
import { listenLocally } from '../../../support/local-server.js';

type Behaviour = (req: IncomingMessage, res: ServerResponse) => void;

const resources = [{ name: 'gadgets', singularName: 'gadget', namespaced: true, kind: 'Gadget', verbs: ['get'] }];
const usual: Behaviour = ({ url }, res) => {
  if (url === '/apis/behind.example.com/v1')
    return res.end(JSON.stringify({ kind: 'APIResourceList', groupVersion: 'behind.example.com/v1', resources }));
  if (url === '/openapi/v3') {
    const paths = {
      'apis/behind.example.com/v1': { serverRelativeURL: '/openapi/v3/apis/behind.example.com/v1?hash=AB' },
    };
    return res.end(JSON.stringify({ paths }));
  }
  if (url === '/openapi/v2') {
    const paths = { '/apis/behind.example.com/v1/gadgets': {}, '/api/v1/pods': {} };
    return res.end(JSON.stringify({ swagger: '2.0', paths, definitions: {} }));
  }
  return res.writeHead(404).end();
};

let authority: TestAuthority;
let client: IssuedPair;
let behaviour: Behaviour = usual;
const servers: Server[] = [];
const services: RemoteService[] = [];
const forwarder = defineForwarder({ loopback: true, isHidden: () => false, maxBodyBytes: 1000, connectMs: 1000 });

/** Starts a server with a certificate for a name, and returns its port. */
async function startServer(name: string): Promise<number> {
  const pair = await authority.issue({ subject: 'CN=api', names: [name], purposes: ['server'] });
  const server = createServer(
    { ...pair, ca: authority.cert, requestCert: true, rejectUnauthorized: false },
    (req, res) => behaviour(req, res),
  );
  servers.push(server);
  return listenLocally(server);
}

const external: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'api', namespace: 'shop' },
  spec: { type: 'ExternalName', externalName: 'localhost' },
};

let port = 0;
beforeAll(async () => {
  authority = await makeAuthority('CN=behind');
  client = await authority.issue({ subject: 'CN=front-proxy-client', purposes: ['client'] });
  port = await startServer('api.shop.svc');
});
beforeEach(() => {
  behaviour = usual;
});
afterEach(() => {
  for (const one of services.splice(0)) one.close();
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A check is never repeated, and never late on a busy machine. */
const patient = { answer: 10_000, pause: 60_000, firstRetry: 60_000, lastRetry: 60_000 };

const quick = { ...patient, pause: 50, firstRetry: 30, lastRetry: 60 };

/** The reported reasons, and whether something has changed. */
const reported: (readonly [reason: string, hasChanged: boolean])[] = [];

function serviceAt(
  at: number,
  change: Partial<ApiService> = {},
  service: ApiObject | null = external,
  times = patient,
): RemoteService {
  reported.length = 0;
  const reference = { namespace: 'shop', name: 'api', port: at };
  const spec = {
    group: 'behind.example.com',
    version: 'v1',
    groupPriority: 1000,
    versionPriority: 15,
    service: reference,
    ca: authority.cert,
    insecure: false,
    ...change,
  };
  const one = new RemoteService(
    spec,
    reference,
    {
      addresses: {
        find: (kind) => (kind === 'services' && service !== null ? service : undefined),
        given: () => undefined,
        toEndpoints: false,
      },
      certificate: () => client,
      forwarder,
      onChecked: ({ reason }, hasChanged) => void reported.push([reason, hasChanged]),
    },
    times,
  );
  services.push(one);
  return one;
}

const failed = (message: unknown): object => ({ status: 'False', reason: 'FailedDiscoveryCheck', message });
const url = (at: number): string => `https://localhost:${at}/apis/behind.example.com/v1`;

describe('a check', () => {
  it('passes if the service answers discovery, and keeps its documents', async () => {
    const one = serviceAt(port);
    await one.check();
    expect(one.finding).toEqual({ status: 'True', reason: 'Passed', message: 'all checks passed' });
    expect(one).toMatchObject({ resources, openApiV3: 'AB', isCurrent: true });
    expect(Object.keys(one.openApiV2?.paths ?? {})).toEqual(['/apis/behind.example.com/v1/gadgets']);
  });

  it('reports whether the availability or the documents have changed', async () => {
    const one = serviceAt(port);
    await one.check();
    await one.check();
    behaviour = (_req, res) => res.writeHead(500).end();
    await one.check();
    await one.check();
    expect(reported).toEqual([
      ['Passed', true],
      // The documents of OpenAPI are read after the check.
      ['Passed', true],
      ['Passed', false],
      ['FailedDiscoveryCheck', true],
      ['FailedDiscoveryCheck', false],
    ]);
  });

  it('names the service if there is none', async () => {
    const one = serviceAt(port, {}, null);
    await one.check();
    expect(one.finding).toEqual({
      status: 'False',
      reason: 'ServiceNotFound',
      message: 'service/api in "shop" is not present',
    });
  });

  it('fails if nobody listens', async () => {
    const one = serviceAt(1);
    await one.check();
    const why = `failing or missing response from ${url(1)}: Get "${url(1)}": `;
    expect(one.finding).toEqual(failed(expect.stringMatching(/connect: connection refused$/)));
    expect(one.finding?.message).toContain(why);
  });

  it('fails after its time if the service hangs', async () => {
    behaviour = () => {};
    const one = serviceAt(port, {}, external, { ...patient, answer: 300 });
    const before = performance.now();
    await one.check();
    expect(performance.now() - before).toBeLessThan(9000);
    expect(one.finding).toEqual(
      failed(`failing or missing response from ${url(port)}: Get "${url(port)}": context deadline exceeded`),
    );
  });

  it.each([
    [
      'of an unknown authority',
      async () => ({ ca: (await makeAuthority('CN=other')).cert }),
      'signed by unknown authority',
    ],
    ['for another name', async () => ({}), "Hostname/IP does not match certificate's altnames"],
    ['if the bundle has none', async () => ({ ca: 'junk' }), 'unable to parse bytes as PEM block'],
  ])('refuses a certificate %s', async (_what, change, message) => {
    const at = message.startsWith('Hostname') ? await startServer('other.shop.svc') : port;
    const one = serviceAt(at, await change());
    await one.check();
    expect(one.finding).toEqual(failed(expect.stringContaining(message)));
  });

  it('accepts any certificate if the APIService allows it', async () => {
    const one = serviceAt(await startServer('other.shop.svc'), { ca: undefined, insecure: true });
    await one.check();
    expect(one.isCurrent).toBe(true);
  });

  it.each([
    [503, '{}', /bad status from .*: 503$/],
    [200, '<html>', /the answer is not the APIResourceList of behind\.example\.com\/v1 in JSON$/],
  ])('fails for an answer %i %s', async (code, text, message) => {
    behaviour = (_req, res) => res.writeHead(code).end(text);
    const one = serviceAt(port);
    await one.check();
    expect(one.finding).toEqual(failed(expect.stringMatching(message)));
  });

  it('is repeated until the service answers, and keeps the last resources in between', async () => {
    const one = serviceAt(port, {}, external, quick);
    await one.check();
    behaviour = (_req, res) => res.writeHead(500).end();
    await expect.poll(() => one.isCurrent).toBe(false);
    expect(one.resources).toEqual(resources);
    behaviour = usual;
    await expect.poll(() => one.isCurrent).toBe(true);
  });

  it('ends when the service is closed', async () => {
    let checks = 0;
    behaviour = (req, res) => {
      checks++;
      usual(req, res);
    };
    const one = serviceAt(port, {}, external, quick);
    await one.check();
    one.close();
    const before = checks;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(checks).toBe(before);
  });
});

const jane: UserInfo = { name: 'jane', uid: 'u-1', groups: ['makers', 'testers'], extra: { 'a/b': ['1', '2'] } };

const limited = (path: string, headers: ApiRequest['headers'] = {}): ApiRequest =>
  requestOf({ path, search: 'limit=1', headers });

/** Reads a body to its end, as a client does. */
const streamed = (body: ApiResponse['body']): Promise<string> =>
  new Promise((resolve, reject) => {
    if (!('stream' in body)) return reject(new Error('not a stream'));
    let text = '';
    body.stream({
      buffered: 0,
      write: (chunk) => {
        text += Buffer.from(chunk).toString();
      },
      taken: async () => {},
      end: () => resolve(text),
      destroy: () => reject(new Error('broken off')),
    });
  });

describe('a request', () => {
  it('is sent with its user, and without its credentials', async () => {
    const one = serviceAt(port);
    await one.check();
    let seen: { readonly req: IncomingMessage; readonly subject: unknown } | undefined;
    behaviour = (req, res) => {
      const subject = 'getPeerCertificate' in req.socket ? (req.socket as TLSSocket).getPeerCertificate().subject : {};
      seen = { req, subject };
      res.end('{}');
    };
    const headers = {
      authorization: 'Bearer secret',
      'x-remote-user': 'root',
      'x-remote-group': 'system:masters',
      'x-remote-uid': '0',
      'x-remote-extra-scopes': 'all',
      accept: 'application/json',
    };
    const answer = await one.answer(limited('/apis/behind.example.com/v1/gadgets', headers), jane);
    expect(answer.code).toBe(200);
    expect(seen?.req.url).toBe('/apis/behind.example.com/v1/gadgets?limit=1');
    expect(seen?.subject).toEqual({ CN: 'front-proxy-client' });
    const { headersDistinct } = seen?.req ?? {};
    expect(headersDistinct).toMatchObject({
      accept: ['application/json'],
      host: [`localhost:${port}`],
      'x-remote-user': ['jane'],
      'x-remote-uid': ['u-1'],
      'x-remote-group': ['makers', 'testers'],
      'x-remote-extra-a%2fb': ['1', '2'],
    });
    expect(Object.keys(headersDistinct ?? {})).not.toContain('authorization');
    expect(Object.keys(headersDistinct ?? {})).not.toContain('x-remote-extra-scopes');
  });

  it('waits for the first check, and is refused at once if that fails', async () => {
    const answer = await serviceAt(1).answer(limited('/apis/behind.example.com/v1/gadgets'), jane);
    expect([answer.code, textOf(answer), answer.contentType]).toEqual([
      503,
      'service unavailable\n',
      'text/plain; charset=utf-8',
    ]);
    expect(answer.headers?.warning).toEqual([
      expect.stringMatching(/^299 - "v1\.behind\.example\.com is not available: FailedDiscoveryCheck: .*refused"$/),
    ]);
  });

  it('is refused after its time if the service does not answer it', async () => {
    const one = serviceAt(port);
    await one.check();
    behaviour = () => {};
    const answer = await one.answer(limited('/apis/behind.example.com/v1/gadgets'), jane, 100);
    expect([answer.code, answer.document?.reason]).toEqual([504, 'Timeout']);
  });

  it('shares a connection with other reads, and is sent again if that was just closed', async () => {
    const one = serviceAt(port);
    await one.check();
    const connections = new Set<unknown>();
    behaviour = (req, res) => {
      connections.add(req.socket);
      res.end('{}');
    };
    const ask = async (): Promise<string> => {
      const { code, body } = await one.answer(limited('/apis/behind.example.com/v1/gadgets'), jane);
      return `${code} ${await streamed(body)}`;
    };
    for (let i = 0; i < 12; i++) expect(await ask()).toBe('200 {}');
    expect(connections.size).toBe(1);
    let isFirst = true;
    behaviour = (req, res) => {
      if (!isFirst) return res.end('{}');
      isFirst = false;
      return req.socket.destroy();
    };
    expect(await ask()).toBe('200 {}');
  });

  it('never gets a redirect', async () => {
    const one = serviceAt(port);
    await one.check();
    behaviour = (_req, res) => res.writeHead(307, { location: 'https://evil.example.com/' }).end();
    const answer = await one.answer(limited('/apis/behind.example.com/v1/gadgets'), jane);
    expect([answer.code, answer.headers?.location]).toEqual([502, undefined]);
    expect(textOf(answer)).toBe('the backend attempted to redirect this request, which is not permitted');
    const document = await one.answerOpenApi(limited('/openapi/v3/apis/behind.example.com/v1'));
    expect(document.code).toBe(307);
  });

  it('that fails starts a check', async () => {
    const one = serviceAt(port);
    await one.check();
    behaviour = (req) => req.socket.destroy();
    const answer = await one.answer(limited('/apis/behind.example.com/v1/gadgets'), jane);
    expect([answer.code, textOf(answer)]).toEqual([503, 'error trying to reach service: EOF\n']);
    await expect.poll(() => one.isCurrent).toBe(false);
  });

  it('is not sent for a user with a name that headers would change', async () => {
    const one = serviceAt(port);
    await one.check();
    const answer = await one.answer(limited('/apis/behind.example.com/v1/gadgets'), { ...jane, name: 'admin ' });
    expect(answer.code).toBe(500);
  });
});
