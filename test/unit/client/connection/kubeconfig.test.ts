import { describe, expect, it } from 'vitest';
import { connectionOf, credentialHeaders, withoutPlugin } from '../../../../client/connection/kubeconfig.js';

const config = {
  'current-context': 'home',
  contexts: [
    { name: 'home', context: { cluster: 'local', user: 'me', namespace: 'dev' } },
    { name: 'lost', context: { cluster: 'nowhere', user: 'me' } },
    { name: 'nobody', context: { cluster: 'local' } },
  ],
  clusters: [
    { name: 'local', cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': btoa('CA') } },
  ],
  users: [{ name: 'me', user: { token: 'secret', 'client-certificate': 'me.pem' } }],
};

describe('connectionOf', () => {
  it('reads the current context', () =>
    expect(connectionOf(config)).toEqual({
      baseUrl: 'https://127.0.0.1:6443',
      namespace: 'dev',
      token: 'secret',
      tls: { insecure: false, ca: { pem: 'CA' }, certificate: { path: 'me.pem' } },
    }));

  it('reads a context without a user', () => {
    const connection = connectionOf(config, 'nobody');
    expect(credentialHeaders(connection)).toEqual({});
  });

  it('names the file of a token', () => {
    const users = [{ name: 'me', user: { tokenFile: 'token' } }];
    expect(connectionOf({ ...config, users })).toMatchObject({ tokenFile: 'token' });
  });

  it.each([
    ['127.0.0.1:8080', {}, 'http://127.0.0.1:8080'],
    ['localhost:8080/at', {}, 'http://localhost:8080/at'],
    ['example.com', { 'certificate-authority-data': btoa('CA') }, 'https://example.com'],
    ['example.com:6443', { 'insecure-skip-tls-verify': true }, 'https://example.com:6443'],
    ['me:pass@example.com', {}, 'http://example.com'],
    ['http://example.com', { 'insecure-skip-tls-verify': true }, 'http://example.com'],
    ['HTTPS://example.com', {}, 'HTTPS://example.com'],
  ])('adds a scheme like clients in Go: %s with %j is %s', (server, more, baseUrl) => {
    const clusters = [{ name: 'local', cluster: { server, ...more } }];
    expect(connectionOf({ ...config, clusters }, 'nobody').baseUrl).toBe(baseUrl);
  });

  it('assumes HTTPS for a server without a scheme if the user has a certificate', () => {
    const clusters = [{ name: 'local', cluster: { server: 'example.com' } }];
    expect(connectionOf({ ...config, clusters }).baseUrl).toBe('https://example.com');
  });

  it('removes a name and a password from the address', () => {
    const at = (server: string) =>
      connectionOf({ ...config, clusters: [{ name: 'local', cluster: { server } }] }, 'nobody');
    expect(at('http://me:p%40ss:word@127.0.0.1:8080/at')).toEqual({
      baseUrl: 'http://127.0.0.1:8080/at',
      username: 'me',
      password: 'p@ss:word',
      tls: { insecure: false },
    });
    expect(at('http://127.0.0.1:8080/@home').baseUrl).toBe('http://127.0.0.1:8080/@home');
  });

  it('reads the impersonated user, and the proxy', () => {
    const users = [{ name: 'me', user: { as: 'jane', 'as-groups': ['dev', 'ops'], 'as-user-extra': { a: ['b'] } } }];
    const clusters = [{ name: 'local', cluster: { server: 'https://a', 'proxy-url': 'http://proxy:3128' } }];
    expect(connectionOf({ ...config, users, clusters })).toMatchObject({
      impersonate: { user: 'jane', groups: ['dev', 'ops'], extra: { a: ['b'] } },
      proxyUrl: 'http://proxy:3128',
    });
  });

  it('reads where credentials come from, which not every caller can use', () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', provideClusterInfo: true };
    const read = connectionOf({ ...config, users: [{ name: 'me', user: { exec } }] });
    expect(read.plugin).toEqual({
      ...{ type: 'exec', user: 'me', apiVersion: exec.apiVersion, command: 'login', args: [], env: {} },
      ...{
        interactiveMode: 'IfAvailable',
        cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': btoa('CA') },
      },
    });
    expect(() => withoutPlugin(read)).toThrow('user "me" of the kubeconfig has exec, which is not supported');
  });

  it.each([
    [
      { exec: { apiVersion: 'client.authentication.k8s.io/v1' } },
      'user "me" of the kubeconfig has exec without a command',
    ],
    [{ exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' } }, 'known are'],
    [{ 'auth-provider': { name: 'gcp' } }, 'has the auth-provider "gcp"; only oidc is supported'],
    [{ 'auth-provider': { name: 'oidc', config: { 'client-id': 'x' } } }, 'without idp-issuer-url'],
    [{ 'auth-provider': { name: 'oidc', config: { 'idp-issuer-url': 'https://a' } } }, 'without client-id'],
  ])('refuses the user %j', (user, message) =>
    expect(() => connectionOf({ ...config, users: [{ name: 'me', user }] })).toThrow(message),
  );

  it('reports missing parts', () => {
    expect(() => connectionOf(config, 'lost')).toThrow('no cluster named "nowhere"');
    expect(() => connectionOf(config, 'other')).toThrow(/no context named "other"; it has \w+/);
    expect(() => connectionOf({})).toThrow('current-context');
  });

  it('names a field that is not base64', () => {
    const user = { 'client-certificate-data': 'ä' };
    expect(() => connectionOf({ ...config, users: [{ name: 'me', user }] })).toThrow(
      'client-certificate-data of the kubeconfig is not base64',
    );
  });
});

describe('credentialHeaders', () => {
  it('prefers a token and falls back to basic', () => {
    const base = { baseUrl: '', tls: { insecure: false } };
    expect(credentialHeaders({ ...base, token: 't' })).toEqual({ authorization: 'Bearer t' });
    expect(credentialHeaders({ ...base, username: 'u', password: 'p' })).toEqual({
      authorization: `Basic ${btoa('u:p')}`,
    });
    const { authorization = '' } = credentialHeaders({ username: 'u', password: 'ключ' });
    expect(Buffer.from(authorization.slice('Basic '.length), 'base64').toString()).toBe('u:ключ');
  });
});
