/** The addresses of `pods/proxy`, `services/proxy` and `nodes/proxy`. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ObjectPlace } from '../../../../runtime/contract/index.js';
import { nodeTarget, podTarget, serviceTarget, targetName } from '../../../../strategies/core/proxies.js';

const object = (parts: object): ApiObject => ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'x' }, ...parts });

describe('a name', () => {
  it.each([
    ['a', { scheme: '', name: 'a', port: '' }],
    ['a:80', { scheme: '', name: 'a', port: '80' }],
    ['a:web', { scheme: '', name: 'a', port: 'web' }],
    ['a:', { scheme: '', name: 'a', port: '' }],
    ['http:a:80', { scheme: 'http', name: 'a', port: '80' }],
    ['https:a:', { scheme: 'https', name: 'a', port: '' }],
    [':a:web', { scheme: '', name: 'a', port: 'web' }],
    ['', undefined],
    [':80', undefined],
    ['ftp:a:21', undefined],
    ['http:a:80:1', undefined],
    ['HTTP:a:80', undefined],
  ])('%j is read', (text, read) => {
    expect(targetName(text)).toEqual(read);
  });
});

const named = (text: string) => targetName(text) ?? { scheme: '' as const, name: '', port: '' };

describe('a pod', () => {
  const container = {
    name: 'c',
    ports: [
      { name: 'web', containerPort: 8080 },
      { name: 'tls', containerPort: 8443 },
    ],
  };
  const pod = (status: object, containers: object[] = [container]): ApiObject =>
    object({ spec: { containers }, status });
  const there = { podIP: '10.1.2.3', podIPs: [{ ip: '10.9.9.9' }] };

  it.each([
    ['p', { scheme: 'http', host: '10.1.2.3', port: 8080 }],
    ['p:tls', { scheme: 'http', host: '10.1.2.3', port: 8443 }],
    ['https:p:tls', { scheme: 'https', host: '10.1.2.3', port: 8443 }],
    ['p:1234', { scheme: 'http', host: '10.1.2.3', port: 1234 }],
  ])('requested as %s is reached', (text, value) => {
    expect(podTarget(pod(there), named(text))).toEqual({ ok: true, value });
  });

  it.each([
    ['p', 80],
    ['https:p:', 443],
  ])('without ports requested as %s is reached at the usual one', (text, port) => {
    expect(podTarget(pod(there, [{ name: 'c' }]), named(text))).toMatchObject({ value: { port } });
  });

  it('is reached by its first address if it has no main one', () => {
    const target = podTarget(pod({ podIPs: [{ ip: 'fd00::1' }, { ip: '10.0.0.1' }] }), named('p'));
    expect(target).toMatchObject({ value: { host: 'fd00::1' } });
  });

  it.each([
    ['p', {}, 'address not allowed'],
    ['p', { podIP: 'localhost' }, 'address not allowed'],
    ['p:none', there, 'pod "p" has no port "none"'],
    ['p:0', there, 'pod "p" has no port "0"'],
    ['p:65536', there, 'pod "p" has no port "65536"'],
  ])('requested as %s with the status %j is refused', (text, status, message) => {
    expect(podTarget(pod(status), named(text))).toMatchObject({
      ok: false,
      failure: { reason: 'BadRequest', message },
    });
  });
});

describe('a service', () => {
  const service = object({
    spec: {
      ports: [
        { name: 'web', port: 80 },
        { name: 'admin', port: 81 },
      ],
    },
  });
  const pods = new Map(
    ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((podIP, i) => [`p${i + 1}`, object({ status: { podIP } })]),
  );
  const of = (ip: string, name: string, namespace = 'n') => ({ ip, targetRef: { kind: 'Pod', name, namespace } });
  const slices = { group: 'discovery.platform.io', label: 'platform.io/service-name' };

  function targets(text: string, stored: { endpoints?: object; slices?: object[] }): string[] {
    const get = ({ resource, name }: ObjectPlace): ApiObject | undefined => {
      if (resource === 'pods') return pods.get(name);
      return stored.endpoints && object(stored.endpoints);
    };
    const listed = (stored.slices ?? []).map(object);
    const unused = () => Promise.reject(new Error('nothing is written'));
    const objects = { get, list: () => listed, update: unused, delete: unused };
    const found = new Set<string>();
    for (let i = 0; i < 60; i++) {
      const target = serviceTarget(service, named(text), { objects, namespace: 'n', name: text }, slices);
      found.add(
        target.ok ? `${target.value.scheme}://${target.value.host}:${target.value.port}` : target.failure.message,
      );
    }
    return [...found].sort();
  }

  const endpoints = {
    subsets: [
      {
        addresses: [of('10.0.0.1', 'p1'), of('10.0.0.2', 'p2')],
        notReadyAddresses: [of('10.0.0.3', 'p3')],
        ports: [
          { name: 'web', port: 8080 },
          { name: 'admin', port: 8081 },
        ],
      },
    ],
  };

  it.each([
    ['s:web', ['http://10.0.0.1:8080', 'http://10.0.0.2:8080']],
    ['s:81', ['http://10.0.0.1:8081', 'http://10.0.0.2:8081']],
    ['https:s:80', ['https://10.0.0.1:8080', 'https://10.0.0.2:8080']],
    ['s', ['no endpoints available for service "s"']],
    ['s:other', ['no endpoints available for service "s:other"']],
    ['s:82', ['no service port 82 found for service "s"']],
  ])('requested as %s is any of its ready endpoints', (text, found) => {
    expect(targets(text, { endpoints })).toEqual(found);
  });

  it.each([
    ['has no object', { ip: '10.0.0.1' }],
    ['is of another namespace', of('10.0.0.1', 'p1', 'other')],
    ['is of a pod with another address', of('10.0.0.9', 'p1')],
    ['is of a pod that does not exist', of('10.0.0.1', 'p9')],
  ])('is not reached by an address that %s', (_, address) => {
    const subsets = [{ addresses: [address], ports: [{ name: 'web', port: 80 }] }];
    expect(targets('s:web', { endpoints: { subsets } })).toEqual(['no endpoints available for service "s:web"']);
  });

  it('without Endpoints is reached by its slices', () => {
    const slice = (name: string) => ({
      metadata: { name: 'x', labels: { [slices.label]: name } },
      endpoints: [
        { addresses: ['10.0.0.1'], targetRef: { name: 'p1', namespace: 'n' }, conditions: {} },
        { addresses: ['10.0.0.2'], targetRef: { name: 'p2', namespace: 'n' }, conditions: { ready: false } },
      ],
      ports: [{ name: 'web', port: 8080 }],
    });
    expect(targets('s:web', { slices: [slice('s')] })).toEqual(['http://10.0.0.1:8080']);
    expect(targets('s:web', { slices: [slice('other')] })).toEqual(['no endpoints available for service "s:web"']);
  });
});

describe('a node', () => {
  const node = (status: object): ApiObject => object({ status });
  const addresses = [
    { type: 'Hostname', address: 'n.example' },
    { type: 'ExternalIP', address: '192.0.2.1' },
    { type: 'InternalIP', address: '10.0.0.1' },
  ];

  it.each([
    ['n', { addresses }, { scheme: 'https', host: '10.0.0.1', port: 10250 }],
    ['n', { addresses: addresses.slice(0, 2) }, { scheme: 'https', host: '192.0.2.1', port: 10250 }],
    ['n', { addresses: addresses.slice(0, 1) }, { scheme: 'https', host: 'n.example', port: 10250 }],
    ['n:9100', { addresses }, { scheme: 'http', host: '10.0.0.1', port: 9100 }],
    ['https:n:9100', { addresses }, { scheme: 'https', host: '10.0.0.1', port: 9100 }],
    ['n:10250', { addresses }, { scheme: 'https', host: '10.0.0.1', port: 10250 }],
    [
      'n',
      { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 7 } } },
      { scheme: 'https', host: '10.0.0.1', port: 7 },
    ],
  ])('requested as %s with %j is reached', (text, status, value) => {
    expect(nodeTarget(node(status), named(text))).toEqual({ ok: true, value });
  });

  it('without an address, or by a port with a name, is refused', () => {
    expect(nodeTarget(node({}), named('n'))).toMatchObject({ failure: { reason: 'ServiceUnavailable' } });
    expect(nodeTarget(node({ addresses }), named('n:web'))).toMatchObject({ failure: { reason: 'BadRequest' } });
  });
});
