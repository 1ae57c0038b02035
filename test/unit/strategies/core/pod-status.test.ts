import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../runtime/objects/field-error.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { definePods } from '../../../../strategies/core/pods.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { container, handlers, pod } from './pod-objects.js';

describe('the status of a pod', () => {
  const ofStatus = contextOf({ subresource: 'status' });
  const errorsIn = (
    release: EmulatedVersion,
    status: JsonObject,
    old: JsonObject = {},
    spec: JsonObject = {},
  ): string[] =>
    (
      definePods(platformNaming, emulate(release)).validateUpdate?.(pod(spec, status), pod(spec, old), ofStatus) ?? []
    ).map(fieldErrorText);
  const statusErrors = (status: JsonObject, old: JsonObject = {}, spec: JsonObject = {}): string[] =>
    errorsIn('1.27', status, old, spec);
  const ended = (exitCode: number): JsonObject => ({
    containerStatuses: [{ name: 'c', state: { terminated: { exitCode } } }],
  });
  const running = { containerStatuses: [{ name: 'c', state: { running: {} } }] };
  const refused = ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'];

  it('has one address of each family', () => {
    expect(statusErrors({ podIPs: [{ ip: '10.0.0.1' }, { ip: '::1' }] })).toEqual([]);
    expect(statusErrors({ podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }] })).toEqual([
      'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"10.0.0.1"}, core.PodIP{IP:"10.0.0.1"}}: may specify no more than one IP for each IP family',
      'status.podIPs[1]: Duplicate value: core.PodIP{IP:"10.0.0.1"}',
    ]);
    const hostIPs = [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }];
    expect(errorsIn('1.33', { hostIPs })).toEqual([
      'status.hostIPs[0].ip: Invalid value: "10.0.0.1": must be equal to `hostIP`',
      'status.hostIPs: Invalid value: []core.HostIP{core.HostIP{IP:"10.0.0.1"}, core.HostIP{IP:"10.0.0.1"}}: may specify no more than one IP for each IP family',
    ]);
  });

  it('keeps spellings of addresses from release 1.33 on, and warns about odd ones', () => {
    const odd = { podIPs: [{ ip: 'x' }, { ip: '010.0.0.1' }] };
    expect(errorsIn('1.32', odd, odd)).toEqual([expect.stringContaining('status.podIPs[0]: ')]);
    expect(errorsIn('1.36', odd, odd)).toEqual([expect.stringMatching(/^status.podIPs: Invalid value/)]);
    const warnings: string[] = [];
    const context = { ...ofStatus, warn: (text: string) => warnings.push(text) };
    definePods(platformNaming, emulate('1.36')).prepareForUpdate?.(pod({}, odd), pod(), context);
    expect(warnings).toEqual([expect.stringContaining('status.podIPs[1].ip: non-standard IP address "010.0.0.1"')]);
  });

  it.each([
    [{ podIP: '10.0.0.1' }, '10.0.0.1', [{ ip: '10.0.0.1' }]],
    [{ podIPs: [{ ip: '10.0.0.1' }] }, '10.0.0.1', [{ ip: '10.0.0.1' }]],
    [{ podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.1' }, { ip: '::1' }] }, '10.0.0.2', [{ ip: '10.0.0.2' }]],
  ])('has the first address in both fields: %j', (status, podIP, podIPs) => {
    const object = pod({}, status);
    handlers.canonicalize?.(object);
    expect(object.status).toMatchObject({ podIP, podIPs });
  });

  it('does not restart containers that have ended', () => {
    expect(statusErrors(running, ended(0), { restartPolicy: 'Never' })).toEqual(refused);
    expect(statusErrors(running, ended(1), { restartPolicy: 'Never' })).toEqual(refused);
    expect(statusErrors(running, ended(0), { restartPolicy: 'OnFailure' })).toEqual(refused);
    expect(statusErrors(running, ended(1), { restartPolicy: 'OnFailure' })).toEqual([]);
    expect(statusErrors(running, ended(0), { restartPolicy: 'Always' })).toEqual([]);
  });

  it('restarts a container if its own rules allow it', () => {
    const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
    const spec = {
      restartPolicy: 'Always',
      containers: [{ ...container(), restartPolicy: 'Never', restartPolicyRules: rules }],
    };
    expect(errorsIn('1.35', running, ended(42), spec)).toEqual([]);
    expect(errorsIn('1.35', running, ended(1), spec)).toEqual(refused);
    expect(errorsIn('1.35', running, ended(1), { restartPolicy: 'Always', containers: [] })).toEqual(refused);
  });

  it('nominates no node for a pod that has one', () => {
    const forbidden = ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node'];
    expect(errorsIn('1.36', { nominatedNodeName: 'b' }, {}, { nodeName: 'a' })).toEqual(forbidden);
    expect(errorsIn('1.36', { nominatedNodeName: 'b' }, { nominatedNodeName: 'b' }, { nodeName: 'a' })).toEqual([]);
    expect(errorsIn('1.36', { nominatedNodeName: 'b' })).toEqual([]);
  });

  it('names claims of the spec', () => {
    const claims = [{ name: 'gpu' }, { name: 'gpu', resourceClaimName: 'A' }, { name: 'other' }];
    const errorsOf = (release: EmulatedVersion) =>
      errorsIn(release, { resourceClaimStatuses: claims }, {}, { resourceClaims: [{ name: 'gpu' }] });
    const path = 'status.resourceClaimStatuses';
    const [again, wrongName, unknown] = errorsOf('1.36');
    expect(again).toBe(`${path}[1].name: Duplicate value: "gpu"`);
    expect(wrongName).toContain(`${path}[1].resourceClaimName: Invalid value: "A": a lowercase RFC 1123 subdomain`);
    expect(unknown).toBe(
      `${path}[2].name: Invalid value: "other": must match the name of an entry in \`spec.resourceClaims\``,
    );
    expect(errorsOf('1.35')[1]).toContain(`${path}[1].name: Invalid value: "A"`);
  });

  it('maps extended resources of containers to requests of a claim', () => {
    const spec = { containers: [container({ resources: { requests: { 'example.com/gpu': '1' } } })] };
    const mapping = { containerName: 'c', resourceName: 'example.com/gpu', requestName: 'r' };
    const errorsOf = (requestMappings: JsonObject[], resourceClaimName = 'claim') =>
      errorsIn('1.36', { extendedResourceClaimStatus: { requestMappings, resourceClaimName } }, {}, spec);
    const path = 'status.extendedResourceClaimStatus';
    expect(errorsOf([mapping])).toEqual([]);
    expect(errorsOf([], '')).toEqual([
      `${path}.requestMappings: Required value: at least one request mapping is required`,
      `${path}.resourceClaimName: Required value`,
    ]);
    const others = [
      { ...mapping, containerName: 'd' },
      { ...mapping, resourceName: 'cpu', requestName: 'R' },
    ];
    expect(errorsOf([mapping, mapping, ...others])).toEqual([
      `${path}.requestMappings[1].containerName: Duplicate value: "c"`,
      `${path}.requestMappings[1].resourceName: Duplicate value: "example.com/gpu"`,
      `${path}.requestMappings[1].requestName: Duplicate value: "r"`,
      `${path}.requestMappings[2].containerName: Invalid value: "d": must match the name of an entry in spec.initContainers.name or spec.containers.name`,
      `${path}.requestMappings[3].resourceName: Invalid value: "cpu": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests`,
      expect.stringContaining(`${path}.requestName: Invalid value: "R": a lowercase RFC 1123 label`),
    ]);
  });

  it('lists devices under resources that containers request, and users of their system', () => {
    const resources = { requests: { cpu: '1' }, claims: [{ name: 'a', request: 'r' }, { name: 'b' }] };
    const of = (name: string, devices: JsonObject[] = []): JsonObject => ({ name, resources: devices });
    const names = ['cpu', 'memory', 'claim:a/r', 'claim:a', 'claim:b'];
    const status = {
      containerStatuses: [
        { name: 'c', allocatedResourcesStatus: names.map((name) => of(name)) },
        {
          name: 'gone',
          user: { linux: { uid: -1, gid: 0, supplementalGroups: [0, -2] } },
          allocatedResourcesStatus: [
            of('any', [
              { resourceID: 'd', health: 'Ill' },
              { resourceID: 'd', health: 'Healthy' },
            ]),
          ],
        },
      ],
      ephemeralContainerStatuses: [{ name: 'e', allocatedResourcesStatus: [of('cpu')] }],
    };
    const path = 'status.containerStatuses';
    const range = 'must be between 0 and 2147483647, inclusive';
    expect(errorsIn('1.36', status, {}, { containers: [container({ resources })] })).toEqual([
      `${path}[1].user.linux.uid: Invalid value: -1: ${range}`,
      `${path}[1].user.linux.supplementalGroups[1]: Invalid value: -2: ${range}`,
      `${path}[0].allocatedResourcesStatus[1].name: Invalid value: "memory": must match one of the container's resource requests`,
      `${path}[0].allocatedResourcesStatus[3].name: Invalid value: "claim:a": must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty`,
      `${path}[1].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "Ill": supported values: "Healthy", "Unhealthy", "Unknown"`,
      `${path}[1].allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "d"`,
      'status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be specified in container status',
    ]);
    const windows = { os: { name: 'windows' }, containers: [container()] };
    expect(errorsIn('1.36', { containerStatuses: [{ name: 'c', user: { linux: {} } }] }, {}, windows)).toEqual([
      `${path}[0].user.linux: Forbidden: cannot be set for a windows pod`,
    ]);
  });

  it('keeps the generations that its writer does not know', () => {
    const old = { observedGeneration: 3, conditions: [{ type: 'a', observedGeneration: 2 }, { type: 'a' }] };
    const object = pod({}, { conditions: [{ type: 'a' }, { type: 'a' }, { type: 'b', observedGeneration: -1 }] });
    handlers.prepareForUpdate?.(object, pod({}, old), ofStatus);
    expect(object.status).toMatchObject({
      observedGeneration: 3,
      conditions: [{ observedGeneration: 2 }, { type: 'a' }, { observedGeneration: -1 }],
    });
    expect(errorsIn('1.36', { observedGeneration: -1, conditions: [{ type: 'b', observedGeneration: -1 }] })).toEqual([
      'metadata.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer',
      'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    ]);
  });

  it('does not change owners', () => {
    const object = pod({}, {}, { ownerReferences: [{ name: 'x' }] });
    handlers.prepareForUpdate?.(object, pod(), contextOf({ subresource: 'status' }));
    expect(object.metadata.ownerReferences).toBeUndefined();
  });
});
