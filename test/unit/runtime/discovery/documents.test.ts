/** Discovery and the statuses of failures, in the format that the client accepts. */
import { describe, expect, it } from 'vitest';
import { openEnvelope } from '../../../../runtime/codec/protobuf/codec.js';
import { answerPathDocument, groupNotFound } from '../../../../runtime/discovery/documents.js';
import { emulate } from '../../../../runtime/objects/release.js';
import type { ApiResponse } from '../../../../runtime/request/api-request.js';
import { requestOf } from '../../../support/api-requests.js';
import { startTestApi, suiteApi } from '../../../support/test-api.js';
import { widgets } from '../../../support/widgets.js';

const api = await suiteApi([widgets]);

const protobuf = 'application/vnd.platform.protobuf';
const missing = '/apis/example.com/v1/namespaces/default/widgets/missing';

const ask = async (path: string, headers: Readonly<Record<string, string>>): Promise<ApiResponse> =>
  api.server.handle(requestOf({ path, headers }));

function bytesOf({ body }: ApiResponse): Buffer {
  if (!(body instanceof Uint8Array)) throw new Error('the answer is in pieces');
  return Buffer.from(body);
}

const kindOf = (answer: ApiResponse): unknown => {
  const opened = openEnvelope(bytesOf(answer));
  return opened.ok && opened.value.kind;
};

describe('the status of a failure', () => {
  it('is YAML or protobuf for clients that accept it', async () => {
    const yaml = await ask(missing, { accept: 'application/yaml' });
    expect([yaml.code, yaml.contentType]).toEqual([404, 'application/yaml']);
    expect(bytesOf(yaml).toString()).toMatch(/^apiVersion: v1\ncode: 404\n/);
    const binary = await ask(missing, { accept: protobuf });
    expect([binary.contentType, kindOf(binary)]).toEqual([protobuf, 'Status']);
  });

  it('is JSON for all others, indented for people and for clients that accept no offered type', async () => {
    const textOf = async (path: string, headers: Readonly<Record<string, string>>): Promise<string> => {
      const answer = await ask(path, headers);
      expect(answer.contentType).toBe('application/json');
      return bytesOf(answer).toString();
    };
    expect(await textOf(missing, {})).not.toContain('\n');
    expect(await textOf(missing, { accept: '*/*', 'user-agent': 'kubectl/1.27' })).not.toContain('\n');
    expect(await textOf(missing, { 'user-agent': 'curl/8.0' })).toContain('\n  "kind": "Status"');
    expect(await textOf(`${missing}?pretty=true`, {})).toContain('\n  ');
    expect(await textOf(`${missing}?pretty=false`, { 'user-agent': 'curl/8.0' })).not.toContain('\n');
    expect(await textOf(missing, { accept: 'text/plain' })).toContain('\n  ');
  });

  it('is the same wherever the failure comes from', async () => {
    for (const path of ['/apis/example.com/v1/nothings', '/apis/example.com/v2', '/apis/example.com/v1/widgets/a']) {
      expect((await ask(path, { accept: 'application/yaml' })).contentType, path).toBe('application/yaml');
    }
  });
});

describe('discovery', () => {
  it.each([
    ['/api', 'APIVersions'],
    ['/apis', 'APIGroupList'],
    ['/apis/example.com', 'APIGroup'],
    ['/apis/example.com/v1', 'APIResourceList'],
  ])('%s is sent in the accepted format', async (path, kind) => {
    const binary = await ask(path, { accept: `${protobuf},application/json` });
    expect([binary.code, binary.contentType, kindOf(binary)]).toEqual([200, protobuf, kind]);
    const yaml = await ask(path, { accept: 'application/yaml' });
    expect([yaml.contentType, bytesOf(yaml).toString()]).toEqual([
      'application/yaml',
      expect.stringContaining(`kind: ${kind}\n`),
    ]);
    expect(bytesOf(await ask(path, { 'user-agent': 'curl/8.0' })).toString()).toContain('\n  ');
    expect((await ask(path, { accept: 'text/plain' })).code).toBe(406);
    expect((await ask(path, { accept: 'application/json;as=Other;g=example.com;v=v1' })).code).toBe(406);
  });

  const form = 'g=apidiscovery.platform.io;v=v2beta1;as=APIGroupDiscoveryList';

  it.each(['application/json', 'application/yaml', protobuf])('is aggregated in %s', async (type) => {
    const newer = `${type};g=apidiscovery.platform.io;v=v2;as=APIGroupDiscoveryList`;
    const answer = await ask('/apis', { accept: `${newer},${type};${form},application/json` });
    expect([answer.code, answer.contentType, answer.headers?.vary]).toEqual([200, `${type};${form}`, 'Accept']);
    expect(bytesOf(answer).toString('latin1')).toContain('APIGroupDiscoveryList');
  });

  it('is not aggregated in unknown formats', async () => {
    expect((await ask('/apis', { accept: `application/json;${form}x` })).code).toBe(406);
    expect((await ask('/apis', { accept: `application/json;${form.replace('v2beta1', 'v2')}` })).code).toBe(406);
    const both = await ask('/apis', { accept: `application/json;${form}x,application/json` });
    expect([both.contentType, both.headers]).toEqual(['application/json', {}]);
  });
});

describe('aggregated discovery', () => {
  const accept = 'application/json;g=apidiscovery.platform.io;v=v2beta1;as=APIGroupDiscoveryList';

  it('has a tag, so that clients with the current document get no body', async () => {
    const answer = await ask('/apis', { accept });
    expect([answer.code, answer.headers?.['cache-control']]).toEqual([200, 'public']);
    const again = await ask('/apis', { accept, 'if-none-match': String(answer.headers?.etag) });
    expect([again.code, bytesOf(again).length]).toEqual([304, 0]);
  });
});

describe('a document in one format', () => {
  const document = { path: '/keys', contentType: 'application/jwk-set+json', read: () => ({ keys: [] }) };
  const answerFor = (accept: string | undefined): ApiResponse => {
    const headers = accept === undefined ? {} : { accept };
    return answerPathDocument(requestOf({ path: '/keys', headers }), document, '');
  };

  it.each([
    undefined,
    '',
    '*/*',
    'application/jwk-set+json',
    'text/html, application/jwk-set+json;q=0.1',
    'a/b,*/*;q=0',
  ])('is sent to clients that accept %j', (accept) =>
    expect(answerFor(accept)).toMatchObject({ code: 200, contentType: 'application/jwk-set+json' }),
  );

  it.each(['application/json', 'application/*', 'text/html'])('is not sent to clients that accept %j', (accept) => {
    const answer = answerFor(accept);
    expect(answer.code).toBe(406);
    expect(bytesOf(answer).toString()).toContain('Available representations: application/jwk-set+json');
  });
});

describe('a document that names its server', () => {
  const document = { path: '/me', contentType: 'a/b', read: (address: string, host: string) => ({ address, host }) };

  it.each([
    [{ host: 'api.example.com' }, 'api.example.com'],
    [{ ':authority': 'two.example.com:443' }, 'two.example.com:443'],
    [{}, '10.0.0.1:6443'],
  ])('has the host name of the request: %j', (headers, host) => {
    const answer = answerPathDocument(requestOf({ path: '/me', headers }), document, '10.0.0.1:6443');
    expect(JSON.parse(bytesOf(answer).toString())).toEqual({ address: '10.0.0.1:6443', host });
  });
});

describe('the answer for a group that is not served', () => {
  const hasGroup = (name: string): boolean => name === 'storage.platform.io';

  it('has a warning if the group is served under its other name', () =>
    expect(groupNotFound('storage.k8s.io', { hasGroup })).toMatchObject({
      code: 404,
      headers: {
        warning:
          '299 - "the group storage.k8s.io is storage.platform.io on this server; --naming kubernetes serves it as storage.k8s.io"',
      },
    }));

  it.each(['policy.k8s.io', 'storage.platform.io', 'shop.example.com'])('has no warning otherwise: %s', (group) =>
    expect(groupNotFound(group, { hasGroup }).headers).not.toHaveProperty('warning'),
  );
});

describe('documents of a later release', () => {
  it('are aggregated as v2 only, and name the emulated release', async () => {
    const later = await startTestApi([widgets], { release: emulate('latest') });
    const typed = (version: string) =>
      `application/json;g=apidiscovery.platform.io;v=${version};as=APIGroupDiscoveryList`;
    const askLater = (path: string, accept = 'application/json'): Promise<ApiResponse> | ApiResponse =>
      later.server.handle(requestOf({ path, headers: { accept } }));
    expect(await askLater('/apis', typed('v2'))).toMatchObject({ code: 200, contentType: typed('v2') });
    expect(await askLater('/apis', typed('v2beta1'))).toMatchObject({ code: 406 });
    expect(await ask('/apis', { accept: typed('v2beta1') })).toMatchObject({ code: 200 });
    const version = JSON.parse(bytesOf(await askLater('/version')).toString());
    expect(version).toMatchObject({ minor: '36', emulationMinor: '36', minCompatibilityMinor: '35' });
    await later.close();
  });

  it('have field errors in the words of the release', async () => {
    const later = await startTestApi([widgets], { release: emulate('latest') });
    const bad = requestOf({
      path: '/apis/example.com/v1/namespaces/default/widgets',
      search: 'labelSelector=a/b/c=d',
    });
    expect(bytesOf(await later.server.handle(bad)).toString()).toContain('a valid label key must');
    expect(bytesOf(await api.server.handle(bad)).toString()).toContain('a qualified name must');
    await later.close();
  });
});
