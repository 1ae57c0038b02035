import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { defineServices } from '../../../../strategies/core/services.js';
import { defaultServiceRanges } from '../../../../strategies/index.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineServices(kubernetesNaming, defaultServiceRanges, emulate());
const port: JsonObject = { port: 80, protocol: 'TCP', targetPort: 80 };
const addressed: JsonObject = {
  clusterIP: '10.0.0.5',
  clusterIPs: ['10.0.0.5'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
};
const service = (spec: JsonObject = {}, metadata: JsonObject = {}): ApiObject =>
  objectOf(
    handlers,
    {
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [port],
        ...addressed,
        ...spec,
      },
      status: { loadBalancer: {} },
    },
    metadata,
  );
const balanced = { type: 'LoadBalancer', externalTrafficPolicy: 'Cluster', allocateLoadBalancerNodePorts: true };

describe('a service', () => {
  it.each([
    [{ ports: [] }, 'spec.ports: Required value'],
    [
      { type: 'NodePort', externalTrafficPolicy: 'Cluster', clusterIP: 'None', clusterIPs: ['None'] },
      'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
    ],
    [{ ports: [{ ...port, name: 'Web' }] }, 'spec.ports[0].name: Invalid value: "Web"'],
    [{ ports: [port, { ...port, name: 'b', port: 81 }] }, 'spec.ports[0].name: Required value'],
    [{ ports: [{ ...port, targetPort: '-' }] }, 'spec.ports[0].targetPort: Invalid value: "-"'],
    [
      { ports: [{ ...port, nodePort: 30_000 }] },
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ],
    [{ selector: { 'a b': 'c' } }, 'spec.selector: Invalid value: "a b"'],
    [
      { sessionAffinityConfig: { clientIP: {} } },
      'spec.sessionAffinityConfig: Forbidden: must not be set when session affinity is None',
    ],
    [
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
    ],
    [
      { externalIPs: ['127.0.0.1'], externalTrafficPolicy: 'Cluster' },
      'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range',
    ],
    [{ externalTrafficPolicy: 'Local' }, "may only be set when `type` is 'NodePort' or 'LoadBalancer'"],
    [
      { type: 'NodePort', externalTrafficPolicy: 'Near' },
      'spec.externalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
    ],
    [{ healthCheckNodePort: 30_000 }, 'spec.healthCheckNodePort: Invalid value: 30000: may only be set when'],
    [
      { loadBalancerSourceRanges: ['10.0.0.0/8'] },
      "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
    ],
    [
      { ...balanced, loadBalancerSourceRanges: ['x', '10.0.0.0/8'] },
      'spec.LoadBalancerSourceRanges: Invalid value: "[x 10.0.0.0/8]": must be a list of IP ranges',
    ],
    [{ allocateLoadBalancerNodePorts: true }, 'spec.allocateLoadBalancerNodePorts: Forbidden'],
    [{ loadBalancerClass: 'a' }, "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"],
    [{ ...balanced, loadBalancerClass: 'a b' }, 'spec.loadBalancerClass: Invalid value: "a b"'],
    [
      { clusterIPs: ['10.0.0.5', '10.0.0.6'] },
      'spec.clusterIPs: Invalid value: []string{"10.0.0.5", "10.0.0.6"}: may specify no more than one IP for each IP family',
    ],
    [
      { ipFamilies: ['IPv6'] },
      'spec.clusterIPs[0]: Invalid value: "10.0.0.5": expected an IPv6 value as indicated by `ipFamilies[0]`',
    ],
    [{ ipFamilies: ['IPv4', 'IPv4'] }, 'spec.ipFamilies[1]: Duplicate value: "IPv4"'],
  ])('is refused with %j', (spec, start) => expect(errorsOf(handlers, service(spec))[0]).toContain(start));

  it('reports repeated ports like the reference', () => {
    const ports = [
      { ...port, name: 'a' },
      { ...port, name: 'b', targetPort: 'x' },
    ];
    expect(errorsOf(handlers, service({ ports }))).toEqual([
      'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
    ]);
  });

  it('reads the annotation that was used before its source ranges', () => {
    const annotations = { 'service.beta.kubernetes.io/load-balancer-source-ranges': ' 10.0.0.0/8, nope' };
    const path = 'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]';
    expect(errorsOf(handlers, service(balanced, { annotations }))[0]).toContain(`${path}: Invalid value`);
  });

  it('keeps its address', () =>
    expect(changeErrorsOf(handlers, service({ clusterIP: '10.0.0.6', clusterIPs: ['10.0.0.6'] }), service())).toEqual([
      'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.6"}: may not change once set',
    ]));
});

describe('defaults of a service', () => {
  const complete = (spec: JsonObject): JsonObject => {
    const object = objectOf(handlers, { spec });
    handlers.canonicalize?.(object);
    return object;
  };

  it.each([
    [{ ports: [{ port: 80, targetPort: 0 }] }, { ports: [{ port: 80, targetPort: 80 }] }],
    [{ ports: [{ port: 80, targetPort: 'web' }] }, { ports: [{ port: 80, targetPort: 'web' }] }],
    [{ sessionAffinity: 'None', sessionAffinityConfig: {} }, { sessionAffinity: 'None' }],
    [
      { sessionAffinity: 'ClientIP' },
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } },
    ],
    [{ type: 'ClusterIP' }, { type: 'ClusterIP', internalTrafficPolicy: 'Cluster' }],
    [{ type: 'ExternalName' }, { type: 'ExternalName' }],
    [{ type: 'NodePort' }, { type: 'NodePort', internalTrafficPolicy: 'Cluster', externalTrafficPolicy: 'Cluster' }],
    [{ type: 'LoadBalancer' }, { ...balanced, internalTrafficPolicy: 'Cluster' }],
  ])('of %j make %j', (spec, expected) => expect(complete(spec).spec).toEqual(expected));
});

describe('a change of type', () => {
  const changed = (spec: JsonObject, old: ApiObject): ApiObject => {
    const object = service(spec);
    handlers.prepareForUpdate?.(object, old, contextOf());
    return object;
  };

  it('removes addresses from an external name', () => {
    const { spec } = changed({ type: 'ExternalName', externalName: 'example.com' }, service());
    expect(spec).not.toHaveProperty('clusterIP');
    expect(spec).not.toHaveProperty('clusterIPs');
    expect(spec).not.toHaveProperty('ipFamilies');
    expect(spec).not.toHaveProperty('ipFamilyPolicy');
  });

  it('removes fields of a load balancer, unless the writer has changed them', () => {
    const extra = {
      ...balanced,
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30_001,
      loadBalancerClass: 'a',
      ports: [{ ...port, nodePort: 30_000 }],
    };
    const old = service(extra);
    expect(changed({ ...extra, type: 'ClusterIP' }, old).spec).toEqual(service().spec);
    const kept = changed(
      { ...extra, type: 'ClusterIP', loadBalancerClass: 'b', ports: [{ ...port, nodePort: 30_002 }] },
      old,
    );
    expect(kept.spec).toMatchObject({ loadBalancerClass: 'b', ports: [{ nodePort: 30_002 }] });
  });
});

describe('warnings about a service', () => {
  it.each([
    [
      { externalIPs: ['010.0.0.1'] },
      'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release',
    ],
    [
      { loadBalancerIP: 'FD00::1' },
      'spec.loadBalancerIP: IPv6 address "FD00::1" is not in RFC 5952 canonical format ("fd00::1")',
    ],
    [
      { loadBalancerSourceRanges: ['FD00::/8'] },
      'spec.loadBalancerSourceRanges[0]: IPv6 prefix "FD00::/8" is not in RFC 5952',
    ],
  ])('are caused by %j', (spec, start) => expect(handlers.warn?.(service(spec), undefined)[0]).toContain(start));
});

describe('cells of a service', () => {
  const cells = (object: ApiObject) =>
    ['Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Selector'].map((name) => handlers.columns?.[name]?.(object, 0));

  it.each([
    [service(), ['ClusterIP', '10.0.0.5', '<none>', '80/TCP', '<none>']],
    [
      service({
        type: 'NodePort',
        externalIPs: ['1.2.3.4'],
        ports: [{ ...port, nodePort: 30_080 }],
        selector: { b: '2', a: '1' },
      }),
      ['NodePort', '10.0.0.5', '1.2.3.4', '80:30080/TCP', 'a=1,b=2'],
    ],
    [service(balanced), ['LoadBalancer', '10.0.0.5', '<pending>', '80/TCP', '<none>']],
    [
      objectOf(handlers, { spec: { type: 'ExternalName', externalName: 'example.com' } }),
      ['ExternalName', '<none>', 'example.com', '<none>', '<none>'],
    ],
  ])('%#', (object, expected) => expect(cells(object)).toEqual(expected));
});
