/** The spec of a pod, checked in the order of the reference. */
import type { ClaimSource, HostAlias, PodResourceClaim, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required, stringList } from '../../../runtime/objects/field-error.js';
import { validateLabels } from '../../../runtime/objects/names/metadata-rules.js';
import {
  dns1123Label,
  dns1123Subdomain,
  type NameCheck,
  qualifiedNameCheck,
} from '../../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { ipAddress } from '../../../runtime/objects/names/network-names.js';
import {
  checkBetween,
  checkRequiredOneOf,
  checkText,
  type FieldErrors,
  firstErrors,
  maxInt32,
} from '../../shared/field-checks.js';
import { checkContainers, checkEphemeralContainers, checkImageSpace, checkInitContainers } from './containers.js';
import { checkHostProcesses, checkOperatingSystem } from './operating-system.js';
import { type Annotations, checkPodAnnotations } from './pod-annotations.js';
import { type ClaimNames, checkResources } from './resources.js';
import { checkAffinity, checkTolerations, checkTopologySpread } from './scheduling.js';
import { checkPodSecurity } from './security-context.js';
import { checkVolumes } from './volumes.js';

/** The facts that checks need besides the spec. */
export interface PodSpecContext {
  readonly names: Naming;
  /** The annotations of the pod or template, with their path. */
  readonly annotations?: Annotations | undefined;
  readonly annotationsPath: string;
  /** The name of the pod; missing in templates, because their pods have no names yet. */
  readonly podName?: string;
}

/** Checks a spec; the errors of its annotations come first. */
export function validatePodSpec(spec: Draft<PodSpec>, path: string, context: PodSpecContext): readonly FieldError[] {
  return firstErrors(checkAll(spec, path, context));
}

function* checkAll(spec: Draft<PodSpec>, path: string, context: PodSpecContext): FieldErrors {
  yield* checkPodAnnotations(context.annotations ?? {}, spec, context.annotationsPath, context.names);
  yield* checkParts(spec, path, context);
  yield* checkNode(spec, path);
  yield* checkPlacement(spec, path);
  yield* checkIdentity(spec, path);
  yield* checkTolerations(spec.tolerations, `${path}.tolerations`);
  yield* checkHostAliases(spec.hostAliases, `${path}.hostAliases`);
  yield* checkClasses(spec, path, context.names);
  yield* checkOperatingSystem(spec, path);
}

/** Checks volumes, claims, and the containers that use them. */
function* checkParts(spec: Draft<PodSpec>, path: string, { names, podName = '' }: PodSpecContext): FieldErrors {
  const { volumes, errors } = checkVolumes(spec.volumes, `${path}.volumes`, { names, podName });
  const parts = { names, volumes, claims: claimNamesOf(spec.resourceClaims) };
  yield* errors;
  yield* checkResourceClaims(spec.resourceClaims, `${path}.resourceClaims`, podName);
  yield* checkContainers(spec, path, parts);
  yield* checkInitContainers(spec, path, parts);
  yield* checkEphemeralContainers(spec, path, parts);
}

const restartPolicies = ['Always', 'OnFailure', 'Never'] as const;
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'] as const;

function* checkNode(spec: Draft<PodSpec>, path: string): FieldErrors {
  yield* checkRequiredOneOf(spec.restartPolicy, `${path}.restartPolicy`, restartPolicies);
  yield* checkRequiredOneOf(spec.dnsPolicy, `${path}.dnsPolicy`, dnsPolicies);
  yield* validateLabels(spec.nodeSelector ?? {}, `${path}.nodeSelector`);
  yield* checkPodSecurity(spec, path);
}

/** Node namespaces that a pod with its own user namespace cannot share, and their names in errors. */
const sharedWithNode = [
  ['hostNetwork', 'hostNetwork'],
  ['hostPID', 'HostPID'],
  ['hostIPC', 'HostIPC'],
] as const;

function* checkPlacement(spec: Draft<PodSpec>, path: string): FieldErrors {
  yield* checkAffinity(spec.affinity, `${path}.affinity`);
  yield* checkDnsConfig(spec, path);
  for (const [i, { conditionType = '' }] of (spec.readinessGates ?? []).entries()) {
    yield* checkText(`${path}.readinessGates[${i}].conditionType`, conditionType, qualifiedNameCheck);
  }
  yield* checkSchedulingGates(spec, `${path}.schedulingGates`);
  yield* checkTopologySpread(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`);
  yield* checkHostProcesses(spec, path);
  if (spec.hostUsers !== false) return;
  for (const [field, reported] of sharedWithNode) {
    if (spec[field]) yield forbidden(`${path}.${reported}`, 'when `pod.Spec.HostUsers` is false');
  }
}

function* checkSchedulingGates({ schedulingGates = [] }: Draft<PodSpec>, path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, { name = '' }] of schedulingGates.entries()) {
    yield* checkText(`${path}[${i}]`, name, qualifiedNameCheck);
    if (seen.has(name)) yield duplicate(`${path}[${i}]`, name);
    seen.add(name);
  }
}

function* checkIdentity(spec: Draft<PodSpec>, path: string): FieldErrors {
  yield* checkOptionalName(spec, 'serviceAccountName', path, dns1123Subdomain);
  yield* checkOptionalName(spec, 'nodeName', path, dns1123Subdomain);
  yield* checkBetween(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`, [1, maxInt32]);
  yield* checkOptionalName(spec, 'hostname', path, dns1123Label);
  yield* checkOptionalName(spec, 'subdomain', path, dns1123Label);
}

function* checkOptionalName(
  spec: Draft<PodSpec>,
  field: 'hostname' | 'nodeName' | 'priorityClassName' | 'serviceAccountName' | 'subdomain',
  path: string,
  check: NameCheck,
): FieldErrors {
  const name = spec[field];
  if (name) yield* checkText(`${path}.${field}`, name, check);
}

const preemptions = ['PreemptLowerPriority', 'Never'] as const;

function* checkClasses(spec: Draft<PodSpec>, path: string, names: Naming): FieldErrors {
  const { runtimeClassName, preemptionPolicy, overhead } = spec;
  yield* checkOptionalName(spec, 'priorityClassName', path, dns1123Subdomain);
  if (runtimeClassName !== undefined) yield* checkText(`${path}.runtimeClassName`, runtimeClassName, dns1123Subdomain);
  if (preemptionPolicy !== undefined)
    yield* checkRequiredOneOf(spec.preemptionPolicy, `${path}.preemptionPolicy`, preemptions);
  if (overhead) yield* checkResources({ limits: overhead }, `${path}.overhead`, names, new Set());
}

/** Checks what only pods must fulfil, not templates. */
export function podOnlyErrors(spec: Draft<PodSpec>, path: string): readonly FieldError[] {
  return firstErrors(checkPodOnly(spec, path));
}

function* checkPodOnly(spec: Draft<PodSpec>, path: string): FieldErrors {
  if (!spec.serviceAccountName) yield* checkNoTokens(spec, path);
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [i, container] of (spec[list] ?? []).entries()) {
      yield* checkImageSpace(container, `${path}.${list}[${i}]`);
    }
  }
}

function* checkNoTokens({ volumes = [] }: Draft<PodSpec>, path: string): FieldErrors {
  for (const [i, { projected }] of volumes.entries()) {
    for (const [j, source] of (projected?.sources ?? []).entries()) {
      if (!source.serviceAccountToken) continue;
      const at = `${path}.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      yield forbidden(at, 'must not be specified when serviceAccountName is not set');
    }
  }
}

/** Returns the names by which containers refer to claims. */
const claimNamesOf = (claims: readonly Draft<PodResourceClaim>[] = []): ClaimNames =>
  new Set(claims.map(({ name = '' }) => name));

/** Checks the claims; `podName` is empty in templates. */
function* checkResourceClaims(
  claims: readonly Draft<PodResourceClaim>[] = [],
  path: string,
  podName: string,
): FieldErrors {
  const seen = new Set<string>();
  for (const [i, { name = '', source = {} }] of claims.entries()) {
    const at = `${path}[${i}]`;
    if (name === '') yield required(`${at}.name`);
    else if (seen.has(name)) yield duplicate(`${at}.name`, name);
    else yield* checkName(name, `${at}.name`, podName, source.resourceClaimTemplateName !== undefined);
    seen.add(name);
    yield* checkSource(source, `${at}.source`);
  }
}

/** A claim made from a template is named after the pod. */
function* checkName(name: string, path: string, podName: string, isMade: boolean): FieldErrors {
  const problems = dns1123Label(name);
  for (const problem of problems) yield invalidValue(path, name, problem);
  if (problems.length > 0 || podName === '' || !isMade) return;
  const made = `${podName}-${name}`;
  for (const problem of dns1123Subdomain(made)) yield invalidValue(path, made, `final ResourceClaim name: ${problem}`);
}

const kinds = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

function* checkSource(source: Draft<ClaimSource>, path: string): FieldErrors {
  const found = kinds.filter((kind) => source[kind] !== undefined);
  if (found.length > 1) {
    const problem = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    yield invalidValue(path, source, problem);
  }
  if (found.length === 0) {
    yield invalidValue(path, source, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
  }
  for (const kind of found) yield* checkText(`${path}.${kind}`, source[kind] ?? '', dns1123Subdomain);
}

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchLength = 2048;

/** Checks DNS settings; without a policy they must be complete. */
function* checkDnsConfig({ dnsConfig: config, dnsPolicy }: Draft<PodSpec>, path: string): FieldErrors {
  const { nameservers = [], searches = [], options = [] } = config ?? {};
  const at = `${path}.dnsConfig`;
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    const when = 'when `dnsPolicy` is None';
    if (!config) yield required(at, `must provide \`dnsConfig\` ${when}`);
    else yield required(`${at}.nameservers`, `must provide at least one DNS nameserver ${when}`);
    return;
  }
  if (!config) return;
  if (nameservers.length > maxNameservers) {
    const problem = `must not have more than ${maxNameservers} nameservers`;
    yield invalidValue(`${at}.nameservers`, stringList(nameservers), problem);
  }
  for (const [i, server] of nameservers.entries()) {
    if (ipAddress(server).length > 0) yield invalidValue(`${at}.nameservers[${i}]`, server, 'must be valid IP address');
  }
  yield* checkSearches(searches, `${at}.searches`);
  for (const [i, { name }] of options.entries()) {
    if (!name) yield required(`${at}.options[${i}]`, 'must not be empty');
  }
}

function* checkSearches(searches: readonly string[], path: string): FieldErrors {
  if (searches.length > maxSearches) {
    const problem = `must not have more than ${maxSearches} search paths`;
    yield invalidValue(path, stringList(searches), problem);
  }
  if (searches.join(' ').length > maxSearchLength) {
    const problem = `must not have more than ${maxSearchLength} characters (including spaces) in the search list`;
    yield invalidValue(path, stringList(searches), problem);
  }
  for (const [i, search] of searches.entries()) {
    yield* checkText(`${path}[${i}]`, search.replace(/\.$/, ''), dns1123Subdomain);
  }
}

/** Checks entries of the hosts file. Errors name the field, not the entry. */
function* checkHostAliases(aliases: readonly Draft<HostAlias>[] = [], path: string): FieldErrors {
  for (const { ip = '', hostnames = [] } of aliases) {
    if (ipAddress(ip).length > 0) yield invalidValue(`${path}.ip`, ip, 'must be valid IP address');
    for (const hostname of hostnames) yield* checkText(`${path}.hostnames`, hostname, dns1123Subdomain);
  }
}
