/** Service: its type and what follows from it, its addresses and ports, and its columns. */
import { defineServiceHandlers } from '../../generated/core/v1/services/handlers.js';
import type { FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { forbidden } from '../../runtime/objects/field-error.js';
import { dns1123Label } from '../../runtime/objects/names/name-checks.js';
import { generateNameStem } from '../../runtime/objects/names/names.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Release } from '../../runtime/objects/release.js';
import { balancerModeErrors, loadBalancerErrors, loadBalancerText } from '../shared/addresses.js';
import { strictErrors } from './services/address-errors.js';
import { defineServiceAllocation } from './services/allocation.js';
import { serviceUpdateErrors } from './services/changes.js';
import { addressRecords, type ServiceRanges } from './services/ranges.js';
import {
  clusterIPOf,
  clusterIPsOf,
  familiesOf,
  isLoadBalancer,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
  type PortDraft,
  policyOf,
  portsOf,
  type ServiceDraft,
  type SpecDraft,
  sameTexts,
  serviceWarnings,
  typeOf,
} from './services/spec.js';
import { serviceErrors } from './services/validation.js';

const checkedFields = [
  ...['spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy', 'spec.externalName'],
  ...['name', 'port', 'protocol', 'targetPort', 'appProtocol'].map((name) => `spec.ports[].${name}`),
  ...['spec.selector', 'spec.sessionAffinity', 'spec.sessionAffinityConfig', 'spec.externalIPs', 'spec.type'],
  ...['spec.LoadBalancerSourceRanges', 'spec.allocateLoadBalancerNodePorts', 'spec.loadBalancerClass'],
  ...['spec.externalTrafficPolicy', 'spec.healthCheckNodePort', 'spec.internalTrafficPolicy'],
];

export function defineServices(naming: Naming, ranges: ServiceRanges, release: Release): KindHandlers {
  const { rename } = naming;
  const sourceRanges = rename('service.beta.platform.io/load-balancer-source-ranges');
  const topology = {
    deprecated: rename('service.platform.io/topology-aware-hints'),
    current: rename('service.platform.io/topology-mode'),
  };
  return defineServiceHandlers({
    ...(release.does('serviceNamesAsLabels') ? { validateName: labelProblems } : {}),
    errorOrder: checkedFields,
    updateChecks: ['metadata changes', 'field changes', 'metadata', 'fields'],
    canonicalize(service) {
      setDefaults(service);
      if (release.does('balancerModes')) setBalancerModes(service);
      if (release.does('externalPolicyOfAddresses')) setExternalPolicy(service);
    },
    prepareForUpdate(service, old, { subresource }) {
      if (subresource === '') dropFieldsOfOldType(service, old);
    },
    allocation: defineServiceAllocation(ranges, addressRecords(naming, release)),
    validate: (service, { subresource }) =>
      subresource === 'status'
        ? balancerStatusErrors(service, release)
        : serviceErrors(service, sourceRanges, topology, release),
    validateUpdate: (service, old, { subresource }) =>
      subresource === 'status'
        ? []
        : [
            ...serviceUpdateErrors(service, old),
            ...(release.does('strictAddresses') ? strictErrors(service, old) : []),
          ],
    validateCreate: (service) => (release.does('strictAddresses') ? strictErrors(service, undefined) : []),
    warn: (service) => serviceWarnings(service, topology, release),
    columns: {
      Type: typeOf,
      'Cluster-IP': (service) => clusterIPsOf(service)[0] ?? '<none>',
      'External-IP': externalText,
      'Port(s)': portText,
      Selector: ({ spec }) => labelText(spec?.selector),
    },
  });
}

/** Checks a name by the rule of later releases: it may begin with a digit. */
const labelProblems = (name: string, isPrefix: boolean): readonly string[] =>
  dns1123Label(isPrefix ? generateNameStem(name) : name);

function externalText({ spec = {}, status }: ServiceDraft): string {
  const own = spec.externalIPs?.join(',') ?? '';
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own || '<none>';
    case 'LoadBalancer': {
      const balancer = loadBalancerText(status?.loadBalancer?.ingress);
      return [balancer, own].filter((text) => text !== '').join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** Prints ports as in `80/TCP,443:30443/TCP`. */
function portText(service: ServiceDraft): string {
  const texts = portsOf(service).map(({ port = 0, nodePort = 0, protocol = '' }) => {
    const onNodes = nodePort > 0 ? `:${nodePort}` : '';
    return `${port}${onNodes}/${protocol}`;
  });
  return texts.join(',') || '<none>';
}

/** How long a client stays with an endpoint, seconds. */
const affinitySeconds = 10_800;

/** Fills in the defaults, in place. */
function setDefaults(service: ServiceDraft): void {
  const { spec } = service;
  if (!spec) return;
  setAffinity(spec);
  for (const port of spec.ports ?? []) setTargetPort(port);
  if (mayHaveNodePorts(service)) spec.externalTrafficPolicy ??= 'Cluster';
  if (['ClusterIP', 'LoadBalancer', 'NodePort'].includes(typeOf(service))) spec.internalTrafficPolicy ??= 'Cluster';
  if (isLoadBalancer(service)) spec.allocateLoadBalancerNodePorts ??= true;
}

/** Services with external addresses also have a policy for traffic from outside. */
function setExternalPolicy({ spec }: ServiceDraft): void {
  if (spec?.type === 'ClusterIP' && spec.externalIPs?.length) spec.externalTrafficPolicy ??= 'Cluster';
}

/** By default, traffic arrives with the address of the balancer. */
function setBalancerModes({ status }: ServiceDraft): void {
  for (const point of status?.loadBalancer?.ingress ?? []) if (point.ip) point.ipMode ??= 'VIP';
}

/** Client affinity has a timeout. Without affinity, the settings are removed. */
function setAffinity(spec: SpecDraft): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
  }
}

/** By default, the target port is the port. */
function setTargetPort(port: PortDraft): void {
  if (port.port !== undefined) port.targetPort ||= port.port;
}

// A service that changes its type loses fields that the new type does not have, unless the writer changed them.

/**
 * Drops the fields that the new type does not have. A field that the writer changed stays, and validation refuses it.
 */
function dropFieldsOfOldType(service: ServiceDraft, old: ServiceDraft): void {
  const { spec } = service;
  if (!spec) return;
  const ends = (has: (one: ServiceDraft) => boolean): boolean => has(old) && !has(service);
  if (ends(needsClusterIP)) dropAddresses(spec, service, old);
  if (ends(mayHaveNodePorts) && nodePortsOf(service).every((port) => nodePortsOf(old).includes(port))) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (ends(needsHealthCheck)) dropUnchanged(spec, old, 'healthCheckNodePort');
  if (ends(isLoadBalancer)) {
    dropUnchanged(spec, old, 'allocateLoadBalancerNodePorts');
    dropUnchanged(spec, old, 'loadBalancerClass');
  }
  if (ends(mayHaveNodePorts)) dropUnchanged(spec, old, 'externalTrafficPolicy');
  // The load balancer may take a while to disappear, which does not concern users of the service.
  if (!isLoadBalancer(service)) service.status = { ...service.status, loadBalancer: {} };
}

function dropAddresses(spec: SpecDraft, service: ServiceDraft, old: ServiceDraft): void {
  const sameAddresses =
    clusterIPOf(service) === clusterIPOf(old) && sameTexts(clusterIPsOf(service), clusterIPsOf(old));
  const sameFamilies = sameTexts(familiesOf(service), familiesOf(old));
  const samePolicy = policyOf(service) === policyOf(old);
  if (sameAddresses) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameFamilies) delete spec.ipFamilies;
  if (samePolicy) delete spec.ipFamilyPolicy;
}

function dropUnchanged(spec: SpecDraft, old: ServiceDraft, field: keyof SpecDraft): void {
  if (spec[field] === old.spec?.[field]) delete spec[field];
}

/** Checks a written status: only load balancers have entry points. */
function balancerStatusErrors(service: ServiceDraft, release: Release): readonly FieldError[] {
  const points = service.status?.loadBalancer?.ingress ?? [];
  if (release.does('balancersOnlyInStatus') && points.length > 0 && !isLoadBalancer(service)) {
    const problem = "may only be used when `spec.type` is 'LoadBalancer'";
    return [forbidden('status.loadBalancer.ingress', problem)];
  }
  return [...loadBalancerErrors(points), ...balancerModeErrors(points)];
}

/** Prints labels as in `app=web,tier=front`, sorted; `<none>` without labels. */
function labelText(labels: Readonly<Record<string, string>> = {}): string {
  const parts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return parts.sort().join(',') || '<none>';
}
