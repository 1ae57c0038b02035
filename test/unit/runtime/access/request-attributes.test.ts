/** The attributes of requests for the authorizer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributesOf } from '../../../../runtime/access/authorization.js';
import type { AuthorizationAttributes } from '../../../../runtime/contract/index.js';
import { readPath } from '../../../../runtime/registry/route.js';
import { requestOf } from '../../../support/api-requests.js';

const user = { name: 'anna', uid: '', groups: [], extra: {} };

const asked = (method: string, url: string): object => {
  const request = requestOf({ method, path: url });
  const { user: _user, ...attributes } = attributesOf(request, readPath(request.path), user, true);
  return attributes;
};

const attributesIn = (attributes: Partial<AuthorizationAttributes>): Partial<AuthorizationAttributes> => attributes;

const secrets = { group: '', version: 'v1', resource: 'secrets', namespace: 'n', name: '', subresource: '' };

describe('selectors', () => {
  const field = { key: 'type', operator: 'In', values: ['x'] };
  const label = { key: 'b', operator: 'Exists' };

  it.each([
    ['GET', 'secrets?fieldSelector=type%3Dx&labelSelector=b', { fieldSelector: [field], labelSelector: [label] }],
    ['GET', 'secrets?watch=1&labelSelector=b', { labelSelector: [label] }],
    ['DELETE', 'secrets?fieldSelector=type%3D%3Dx', { fieldSelector: [field] }],
    ['GET', 'secrets?fieldSelector=(&labelSelector=b', { labelSelector: [label] }],
    ['GET', 'secrets?limit=x&fieldSelector=type%3Dx', { fieldSelector: [field] }],
    ['GET', 'secrets?fieldSelector=&labelSelector=', {}],
    ['GET', 'secrets/a?fieldSelector=type%3Dx', {}],
    ['POST', 'secrets?labelSelector=b', {}],
  ])('are part of %s %s', (method, path, expected) => {
    const { fieldSelector, labelSelector } = attributesIn(asked(method, `/api/v1/namespaces/n/${path}`));
    expect({ ...(fieldSelector ? { fieldSelector } : {}), ...(labelSelector ? { labelSelector } : {}) }).toEqual(
      expected,
    );
  });

  it('have the form of reviews: by key, without comparisons', () => {
    const path = '/api/v1/secrets?labelSelector=z!%3Da,!c,n%3E1,b+in+(y,x)&fieldSelector=s!%3D2,r%3D1';
    expect(attributesIn(asked('GET', path))).toMatchObject({
      fieldSelector: [
        { key: 'r', operator: 'In', values: ['1'] },
        { key: 's', operator: 'NotIn', values: ['2'] },
      ],
      labelSelector: [
        { key: 'b', operator: 'In', values: ['x', 'y'] },
        { key: 'c', operator: 'DoesNotExist' },
        { key: 'z', operator: 'NotIn', values: ['a'] },
      ],
    });
  });
});

describe('requests for resources', () => {
  it.each([
    ['GET', '/api/v1/namespaces/n/secrets', { verb: 'list' }],
    ['HEAD', '/api/v1/namespaces/n/secrets/', { verb: 'list' }],
    ['GET', '/api/v1/namespaces/n/secrets?watch=1', { verb: 'watch' }],
    ['GET', '/api/v1/namespaces/n/secrets?watch=false', { verb: 'list' }],
    ['GET', '/api/v1/watch/namespaces/n/secrets', { verb: 'watch' }],
    ['GET', '/api/v1/watch/namespaces/n/secrets/a', { verb: 'watch', name: 'a' }],
    ['GET', '/api/v1/namespaces/n/secrets/a?watch=true', { verb: 'get', name: 'a' }],
    ['POST', '/api/v1/namespaces/n/secrets', { verb: 'create' }],
    ['PUT', '/api/v1/namespaces/n/secrets/a', { verb: 'update', name: 'a' }],
    ['PATCH', '/api/v1/namespaces/n/secrets/a', { verb: 'patch', name: 'a' }],
    ['DELETE', '/api/v1/namespaces/n/secrets/a', { verb: 'delete', name: 'a' }],
    ['DELETE', '/api/v1/namespaces/n/secrets', { verb: 'deletecollection' }],
    ['OPTIONS', '/api/v1/namespaces/n/secrets', { verb: '' }],
    ['GET', '/api/v1/namespaces/n/secrets/a/status/more', { verb: 'get', name: 'a', subresource: 'status' }],
    ['GET', '/api/v1/secrets', { verb: 'list', namespace: '' }],
    ['GET', '/apis/example.com/v1/secrets', { verb: 'list', namespace: '', group: 'example.com' }],
    ['GET', '/api/v1/namespaces', { verb: 'list', resource: 'namespaces', namespace: '' }],
    ['GET', '/api/v1/namespaces/n', { verb: 'get', resource: 'namespaces', name: 'n' }],
    [
      'PUT',
      '/api/v1/namespaces/n/finalize',
      { verb: 'update', resource: 'namespaces', name: 'n', subresource: 'finalize' },
    ],
    ['GET', '/api/v1/watch', { verb: 'list', resource: 'watch', namespace: '' }],
  ])('%s %s', (method, url, expected) => {
    expect(asked(method, url)).toEqual({ ...secrets, ...expected });
  });

  it.each([
    ['metadata.name%3Da', 'a'],
    ['metadata.name==a,type=x', 'a'],
    ['metadata.name!=a', ''],
    ['type=x', ''],
    ['metadata.name=a/b', ''],
    ['metadata.name', ''],
    ['metadata.name=a&limit=x', ''],
    ['metadata.name=a&labelSelector=!!', ''],
  ])('have one name if the fields %s select it', (fields, name) => {
    expect(asked('GET', `/api/v1/namespaces/n/secrets?fieldSelector=${fields}`)).toMatchObject({ verb: 'list', name });
    expect(asked('DELETE', `/api/v1/namespaces/n/secrets?fieldSelector=${fields}`)).toMatchObject({ name: '' });
  });

  it('match the verb and resource that serve the request', () => {
    const parts = fc.constantFrom(
      '',
      'namespaces',
      'watch',
      'status',
      'finalize',
      'proxy',
      'pods',
      'a',
      'n',
      '%61',
      '..',
    );
    const paths = fc
      .tuple(fc.constantFrom('/api/v1', '/apis/g/v1', '/apis//v1', '/api/'), fc.array(parts, { maxLength: 8 }))
      .map(([root, rest]) => [root, ...rest].join('/'));
    fc.assert(
      fc.property(paths, (path) => {
        const routed = readPath(path).resource;
        if (!routed) return;
        const { group, plural, name, subresource, namespace, watch } = routed;
        const attributes = asked('GET', path);
        expect(attributes).toMatchObject({ group, resource: plural, name, subresource });
        if (plural !== 'namespaces' || namespace !== '') expect(attributes).toMatchObject({ namespace });
        expect(attributes).toMatchObject({ verb: watch ? 'watch' : name === '' ? 'list' : 'get' });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('requests for other paths', () => {
  it.each([
    '/',
    '/api',
    '/api/',
    '/api/v1',
    '/apis/',
    '/apis/g',
    '/apis/g/v1/',
    '/metrics',
    '//api/v1/pods',
    '/apiz/v1/pods',
  ])('%s', (path) => {
    expect(asked('POST', path)).toEqual({ verb: 'post', path });
  });
});
