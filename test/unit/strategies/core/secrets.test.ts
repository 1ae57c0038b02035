import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineSecrets, keyPairProblem } from '../../../../strategies/core/secrets.js';
import { makeCertificate, makeKeys, pem, privateKeyPem } from '../../../support/certificates.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineSecrets(platformNaming);

const secret = (body: JsonObject, annotations?: { [key: string]: string }): ApiObject =>
  objectOf(handlers, body, { name: 's', ...(annotations ? { annotations } : {}) });

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const problems = (body: JsonObject, annotations?: { [key: string]: string }) =>
  (handlers.validate?.(secret(body, annotations), contextOf()) ?? []).map(({ field, reason }) => [field, reason]);

describe('stringData', () => {
  const canonical = (body: JsonObject): ApiObject => {
    const object = secret(body);
    handlers.canonicalize?.(object);
    return object;
  };

  it('replaces data under the same keys', () => {
    const object = canonical({ data: { a: base64('1'), b: base64('2') }, stringData: { b: 'two', c: 'ü' } });
    expect(object.data).toEqual({ a: base64('1'), b: base64('two'), c: base64('ü') });
    expect(object).not.toHaveProperty('stringData');
  });

  it('becomes data if there was none, and leaves none without keys', () => {
    expect(canonical({ stringData: { a: '' } }).data).toEqual({ a: '' });
    expect(canonical({ stringData: {} })).not.toHaveProperty('data');
  });

  it('accepts any key', () => {
    const data = canonical({ stringData: JSON.parse('{"__proto__":"x","constructor":"y"}') }).data ?? {};
    expect(Object.keys(data).sort()).toEqual(['__proto__', 'constructor']);
  });
});

describe('types of Secrets', () => {
  const required = 'FieldValueRequired';

  it.each([
    ['platform.io/tls', { 'tls.crt': '' }, [['data[tls.key]', required]]],
    ['platform.io/tls', { 'tls.crt': '', 'tls.key': '' }, []],
    [
      'platform.io/basic-auth',
      {},
      [
        ['data[username]', required],
        ['data[password]', required],
      ],
    ],
    ['platform.io/basic-auth', { password: '' }, []],
    ['platform.io/ssh-auth', { 'ssh-privatekey': '' }, [['data[ssh-privatekey]', required]]],
    ['platform.io/ssh-auth', { 'ssh-privatekey': base64('key') }, []],
    ['platform.io/dockercfg', {}, [['data[.dockercfg]', required]]],
    ['platform.io/dockercfg', { '.dockercfg': base64('{"a":{}}') }, []],
    [
      'platform.io/dockerconfigjson',
      { '.dockerconfigjson': base64('[]') },
      [['data[.dockerconfigjson]', 'FieldValueInvalid']],
    ],
    [
      'platform.io/dockerconfigjson',
      { '.dockerconfigjson': base64('no') },
      [['data[.dockerconfigjson]', 'FieldValueInvalid']],
    ],
    ['platform.io/dockerconfigjson', { '.dockerconfigjson': base64('{}') }, []],
    ['example.com/own', {}, []],
    ['kubernetes.io/tls', {}, []],
  ])('%s with %j', (type, data, expected) => expect(problems({ type, data })).toEqual(expected));

  it('require the account of a token', () => {
    const type = 'platform.io/service-account-token';
    const annotation = 'platform.io/service-account.name';
    expect(problems({ type })).toEqual([[`metadata.annotations[${annotation}]`, required]]);
    expect(problems({ type }, { [annotation]: '' })).toHaveLength(1);
    expect(problems({ type }, { [annotation]: 'robot' })).toEqual([]);
  });

  it('follow the served naming', () => {
    const served = defineSecrets(kubernetesNaming);
    expect(served.validate?.(secret({ type: 'kubernetes.io/tls' }), contextOf())).toHaveLength(2);
    expect(served.validate?.(secret({ type: 'platform.io/tls' }), contextOf())).toEqual([]);
  });

  it('never let a message contain data', () => {
    const body = { type: 'platform.io/dockercfg', data: { '.dockercfg': base64('hunter2') } };
    expect(JSON.stringify(handlers.validate?.(secret(body), contextOf()))).not.toContain('hunter2');
  });
});

it('may not hold more than 1 MiB', () => {
  const data = { a: Buffer.alloc(1024 * 1024 + 1).toString('base64') };
  expect(problems({ data })).toEqual([['data', 'FieldValueTooLong']]);
});

it('refuses changes of immutable data', () => {
  const old = secret({ data: { a: base64('1') }, immutable: true });
  const update = handlers.validateUpdate?.(secret({ data: { a: base64('2') } }), old, contextOf());
  expect(update?.map(({ field }) => field)).toEqual(['immutable', 'data']);
});

it('warns of a certificate and a key that do not match, for their type only', () => {
  const data = { 'tls.crt': '', 'tls.key': '' };
  const warning = 'tls: failed to find any PEM data in certificate input';
  expect(handlers.warn?.(secret({ type: 'platform.io/tls', data }), undefined)).toEqual([warning]);
  expect(handlers.warn?.(secret({ type: 'Opaque', data }), undefined)).toEqual([]);
});

it('shows how many keys there are', () =>
  expect(handlers.columns?.Data?.(secret({ data: { a: '', b: '' } }), 0)).toBe(2));

const problem = (certificate: string, key: string) => keyPairProblem(Buffer.from(certificate), Buffer.from(key));

describe('keyPairProblem', () => {
  let certificate = '';
  let key = '';
  let otherKey = '';
  let rsaKey = '';
  beforeAll(async () => {
    const keys = await makeKeys();
    certificate = (await makeCertificate(keys)).toString('pem');
    key = await privateKeyPem(keys);
    otherKey = await privateKeyPem(await makeKeys());
    rsaKey = await privateKeyPem(await makeKeys('RSA SHA-256'));
  });

  it('finds nothing wrong with a pair, whatever else is in the texts', () => {
    expect(problem(certificate, key)).toBeUndefined();
    expect(
      problem(`text\n${pem('OTHER', Buffer.from('x'))}${certificate}`, `${pem('OTHER', Buffer.from('x'))}${key}`),
    ).toBeUndefined();
  });

  it('reports another key, and a key of another kind', () => {
    expect(problem(certificate, otherKey)).toBe('tls: private key does not match public key');
    expect(problem(certificate, rsaKey)).toBe('tls: private key type does not match public key type');
  });

  it('reports a missing part', () => {
    expect(problem('', key)).toBe('tls: failed to find any PEM data in certificate input');
    expect(problem(certificate, '')).toBe('tls: failed to find any PEM data in key input');
    expect(problem(pem('A', Buffer.from('x')) + pem('B', Buffer.from('x')), key)).toMatch(/following types: \[A B\]$/);
    expect(problem(certificate, pem('A', Buffer.from('x')))).toMatch(/following types: \[A\]$/);
  });

  it('reports that the two were exchanged', () => {
    expect(problem(key, certificate)).toMatch(/PEM inputs may have been switched$/);
    expect(problem(certificate, certificate)).toBe(
      'tls: found a certificate rather than a key in the PEM for the private key',
    );
  });

  it('reports a part that cannot be read', () => {
    expect(problem(pem('CERTIFICATE', Buffer.from('x')), key)).toBe('x509: malformed certificate');
    expect(problem(certificate, pem('PRIVATE KEY', Buffer.from('x')))).toBe('tls: failed to parse private key');
  });
});
