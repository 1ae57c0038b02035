import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { defineIngresses } from '../../../../strategies/networking.platform.io/ingresses.js';
import { errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineIngresses(kubernetesNaming);
const backend = { service: { name: 'web', port: { number: 80 } } };
const ingress = (spec: JsonObject, metadata: JsonObject = {}) => objectOf(handlers, { spec }, metadata);
const withPath = (path: JsonObject) =>
  ingress({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...path }] } }] });

describe('the spec of an ingress', () => {
  it.each([
    [ingress({}), /^spec: Invalid value: .*: either `defaultBackend` or `rules` must be specified$/],
    [
      ingress({ defaultBackend: {} }),
      /^spec\.defaultBackend: Invalid value: "": resource or service backend is required$/,
    ],
    [
      ingress({ defaultBackend: { service: { name: 'web', port: {} } } }),
      /^spec\.defaultBackend: Required value: port name or number is required$/,
    ],
    [
      ingress({ defaultBackend: { ...backend, resource: { kind: 'K', name: 'n' } } }),
      /^spec\.defaultBackend: Invalid value: "": cannot set both resource and service backends$/,
    ],
    [ingress({ rules: [{ host: '10.0.0.1' }] }), /^spec\.rules\[0\]\.host: .* must be a DNS name, not an IP address$/],
    [
      ingress({ rules: [{ host: '*.*.example.com' }] }),
      /^spec\.rules\[0\]\.host: Invalid value: "\*\.\*\.example\.com"/,
    ],
    [
      withPath({ path: 'x' }),
      /^spec\.rules\[0\]\.http\.paths\[0\]\.path: Invalid value: "x": must be an absolute path$/,
    ],
    [withPath({ path: '/a//b' }), /must not contain '\/\/'$/],
    [withPath({ path: '/a/..' }), /cannot end with '\/\.\.'$/],
    [ingress({ defaultBackend: backend, ingressClassName: 'No' }), /^spec\.ingressClassName: Invalid value: "No"/],
  ])('%j is refused', (object, pattern) => expect(errorsOf(handlers, object)[0]).toMatch(pattern));

  it.each([
    withPath({ path: '', pathType: 'ImplementationSpecific' }),
    withPath({ path: '/a/../b', pathType: 'ImplementationSpecific' }),
  ])('%j is accepted', (object) => expect(errorsOf(handlers, object)).toEqual([]));

  it('agrees with the annotation that was used before the class, if it is new', () => {
    const annotations = { 'kubernetes.io/ingress.class': 'old' };
    const spec = { defaultBackend: backend, ingressClassName: 'new' };
    expect(errorsOf(handlers, ingress(spec, { annotations }))).toEqual([
      'annotations.kubernetes.io/ingress.class: Invalid value: "old": must match `ingressClassName` when both are specified',
    ]);
    expect(errorsOf(handlers, ingress(spec, { annotations, resourceVersion: '7' }))).toEqual([]);
  });

  it('has valid addresses of its load balancer', () => {
    const status = { loadBalancer: { ingress: [{ ip: 'x', hostname: '10.0.0.1' }] } };
    expect(errorsOf(handlers, objectOf(handlers, { status }), 'status')).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address',
      'status.loadBalancer.ingress[0].hostname: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ]);
  });
});

describe('cells of an ingress', () => {
  it('show class, hosts, addresses and ports', () => {
    const object = objectOf(handlers, {
      spec: { ingressClassName: 'c', rules: ['a', 'b', 'c', 'd'].map((host) => ({ host })), tls: [{}] },
      status: { loadBalancer: { ingress: [{ hostname: 'lb' }, { ip: '10.0.0.1' }] } },
    });
    const cells = ['Class', 'Hosts', 'Address', 'Ports'].map((column) => handlers.columns?.[column]?.(object, 0));
    expect(cells).toEqual(['c', 'a,b,c + 1 more...', '10.0.0.1,lb', '80, 443']);
    const bare = ['Class', 'Hosts', 'Address', 'Ports'].map((column) => handlers.columns?.[column]?.(ingress({}), 0));
    expect(bare).toEqual(['<none>', '*', '', '80']);
  });
});
