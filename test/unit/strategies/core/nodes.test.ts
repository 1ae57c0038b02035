import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, KindHandlers } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineNodes } from '../../../../strategies/core/nodes.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers: KindHandlers = defineNodes(platformNaming);

const node = (spec: JsonObject = {}, status: JsonObject = {}, metadata: ApiObject['metadata'] = {}): ApiObject =>
  objectOf(handlers, { spec, status }, { name: 'n1', ...metadata });

const taint = (key: string, effect = 'NoSchedule', more: JsonObject = {}): JsonObject => ({ key, effect, ...more });

const annotated = (key: string, value: string): ApiObject =>
  node({}, {}, { annotations: { [`scheduler.alpha.platform.io/${key}`]: value } });

describe('a Node', () => {
  it.each<[string, ApiObject]>([
    ['one block of each family', node({ podCIDRs: ['fd00::/64', '10.0.0.0/24'] })],
    ['amounts of any resource', node({}, { allocatable: { cpu: '1500m', 'example.com/cards': '2' } })],
    [
      'pods that it avoids',
      annotated('preferAvoidPods', '{"preferAvoidPods":[{"podSignature":{"podController":{"controller":true}}}]}'),
    ],
    ['annotations that are empty', annotated('taints', '')],
  ])('accepts %s', (_what, object) => expect(errorsOf(handlers, object)).toEqual([]));

  it.each<[string, ApiObject, string[]]>([
    ['taints without an effect', node({ taints: [taint('a', '')] }), ['metadata.taints[0].effect: Required value']],
    [
      'effects that there are not',
      node({ taints: [taint('a', 'Stop')] }),
      [
        'metadata.taints[0].effect: Unsupported value: "Stop": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      'taints that repeat',
      node({ taints: [taint('a'), taint('a', 'NoSchedule', { value: 'v' })] }),
      [
        'metadata.taints[1]: Duplicate value: core.Taint{Key:"a", Value:"v", Effect:"NoSchedule", TimeAdded:(*v1.Time)(nil)}: taints must be unique by key and effect pair',
      ],
    ],
    [
      'blocks that are none',
      node({ podCIDRs: ['10.0.0.0'] }),
      ['spec.podCIDRs[0]: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
    ],
    [
      'two blocks of a family',
      node({ podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] }),
      [
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "10.0.1.0/24"}: may specify no more than one CIDR for each IP family',
      ],
    ],
    [
      'a block that repeats',
      node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64', '10.0.0.0/24'] }),
      [
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "fd00::/64", "10.0.0.0/24"}: may specify no more than one CIDR for each IP family',
        'spec.podCIDRs[2]: Duplicate value: "10.0.0.0/24"',
      ],
    ],
    [
      'amounts that are negative',
      node({}, { capacity: { cpu: '-1' } }),
      ['status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      'parts of what is counted',
      node({}, { allocatable: { pods: '1500m', 'example.com/cards': '500m' } }),
      [
        'status.allocatable.pods: Invalid value: resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1500m", Format:"DecimalSI"}: must be an integer',
        'status.allocatable.example.com/cards: Invalid value: resource.Quantity{i:resource.int64Amount{value:500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"500m", Format:"DecimalSI"}: must be an integer',
      ],
    ],
    [
      'taints in an annotation that are none',
      annotated('taints', '[{"key":"a"}]'),
      ['metadata.annotations.scheduler.alpha.platform.io/taints[0].effect: Required value'],
    ],
    [
      'annotations that are no JSON',
      annotated('preferAvoidPods', '{'),
      [
        'metadata.annotations.AvoidPods: Invalid value: "scheduler.alpha.platform.io/preferAvoidPods": the value is not a JSON object',
      ],
    ],
    [
      'pods without a controller',
      annotated('preferAvoidPods', '{"preferAvoidPods":[{},{"podSignature":{"podController":{}}}]}'),
      [
        'metadata.annotations.scheduler.alpha.platform.io/preferAvoidPods[0].PodSignature: Required value',
        'metadata.annotations.scheduler.alpha.platform.io/preferAvoidPods[1].PodSignature.PodController.Controller: Invalid value: false: must point to a controller',
      ],
    ],
  ])('refuses %s', (_what, object, errors) => expect(errorsOf(handlers, object)).toEqual(errors));

  it.each<[string, JsonObject, JsonObject]>([
    ['the older field counts', { podCIDR: 'a', podCIDRs: ['b', 'c'] }, { podCIDR: 'a', podCIDRs: ['a'] }],
    ['the older field alone is enough', { podCIDR: 'a' }, { podCIDR: 'a', podCIDRs: ['a'] }],
    ['the newer field alone is enough', { podCIDRs: ['a', 'b'] }, { podCIDR: 'a', podCIDRs: ['a', 'b'] }],
    ['both agree', { podCIDR: 'a', podCIDRs: ['a', 'b'] }, { podCIDR: 'a', podCIDRs: ['a', 'b'] }],
  ])('has its blocks in two fields: %s', (_what, spec, settled) => {
    const object = node({ ...spec });
    handlers.canonicalize?.(object);
    expect(object.spec).toEqual(settled);
  });

  it('may have its configuration by reference only if it already has one', () => {
    const configSource = { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: 'c' } };
    const created = node({ configSource });
    handlers.prepareForCreate?.(created, contextOf());
    expect(created.spec).toEqual({});
    const kept = node({ configSource });
    handlers.prepareForUpdate?.(kept, node({ configSource }), contextOf());
    expect(kept.spec).toEqual({ configSource });
    const reported = node({ configSource }, { config: {} });
    handlers.prepareForUpdate?.(reported, node(), contextOf({ subresource: 'status' }));
    expect(reported).toEqual(node({ configSource }));
  });

  it('is selected by whether it accepts new pods', () => {
    expect(handlers.selectableFields?.['spec.unschedulable']?.(node())).toBe('false');
    expect(handlers.selectableFields?.['spec.unschedulable']?.(node({ unschedulable: true }))).toBe('true');
  });
});

describe('an update of a Node', () => {
  it.each<[string, ApiObject, ApiObject]>([
    ['blocks that it gets', node({ podCIDRs: ['10.0.0.0/24'] }), node()],
    ['an id that it gets', node({ providerID: 'x://1' }), node()],
    ['taints', node({ taints: [taint('a')] }), node({ taints: [taint('b')] })],
    ['to be closed to new pods', node({ unschedulable: true }), node()],
  ])('accepts %s', (_what, object, old) => expect(changeErrorsOf(handlers, object, old)).toEqual([]));

  it.each<[string, ApiObject, ApiObject, string[]]>([
    [
      'other blocks',
      node({ podCIDRs: ['10.0.1.0/24'] }),
      node({ podCIDRs: ['10.0.0.0/24'] }),
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
    [
      'no blocks any more',
      node(),
      node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }),
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
    [
      'another machine',
      node({ providerID: 'x://2' }),
      node({ providerID: 'x://1' }),
      ['spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'],
    ],
    ['another external id', node({ externalID: 'a' }), node(), ['spec.externalID: Forbidden: may not be updated']],
    [
      'addresses that repeat',
      node(
        {},
        {
          addresses: [
            { type: 'InternalIP', address: '10.0.0.1' },
            { type: 'InternalIP', address: '10.0.0.1' },
          ],
        },
      ),
      node(),
      ['status.addresses[1]: Duplicate value: core.NodeAddress{Type:"InternalIP", Address:"10.0.0.1"}'],
    ],
    [
      'a reference to a version',
      node({ configSource: { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: 'c', uid: 'u' } } }),
      node(),
      ['spec.configSource.configMap.uid: Forbidden: uid must not be set in spec'],
    ],
    [
      'reports without a version',
      node({}, { config: { active: { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: 'c', uid: 'u' } } } }),
      node(),
      ['status.config.active.configMap.resourceVersion: Required value: resourceVersion must be set in status'],
    ],
  ])('refuses %s', (_what, object, old, errors) => expect(changeErrorsOf(handlers, object, old)).toEqual(errors));
});

describe('reports of a node about swap and features', () => {
  it('are checked at creation, features also later', () => {
    const reported = node({}, { nodeInfo: { swap: { capacity: -1024 } }, declaredFeatures: ['B/b', 'A', 'A', 'c'] });
    const features = [
      'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
      'status.declaredFeatures[2]: Duplicate value: "A"',
      `status.declaredFeatures[3]: Invalid value: "c": invalid feature name "c": must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
    ];
    expect(errorsOf(handlers, reported)).toEqual([
      'metadata.nodeSwapStatus.capacity: Invalid value: "-1Ki": must be greater than zero',
      ...features,
    ]);
    expect(changeErrorsOf(handlers, reported, node())).toEqual(features);
  });
});

const ready = (status: string): JsonObject => ({ conditions: [{ type: 'Ready', status }] });

describe('cells of a Node', () => {
  it.each<[string, ApiObject, string]>([
    ['Status', node(), 'Unknown'],
    ['Status', node({}, ready('True')), 'Ready'],
    ['Status', node({}, ready('Unknown')), 'NotReady'],
    ['Status', node({ unschedulable: true }, ready('True')), 'Ready,SchedulingDisabled'],
    ['Roles', node(), '<none>'],
    [
      'Roles',
      node(
        {},
        {},
        { labels: { 'node-role.platform.io/worker': '', 'platform.io/role': 'edge', 'node-role.platform.io/': '' } },
      ),
      'edge,worker',
    ],
    ['Internal-IP', node({}, { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] }), '10.0.0.1'],
    ['External-IP', node({}, { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] }), '<none>'],
    ['OS-Image', node({}, { nodeInfo: { osImage: 'An OS' } }), 'An OS'],
    ['Kernel-Version', node(), '<unknown>'],
  ])('show in %s of %j: %s', (column, object, text) => expect(handlers.columns?.[column]?.(object, 0)).toBe(text));
});
