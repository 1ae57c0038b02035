/** The status of a pod, and how it may change. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type {
  PodExtendedResourceClaimStatus,
  PodResourceClaimStatus,
  PodSpec,
  PodStatus,
} from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, HandlerContext } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required, Verbatim } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { ipAddress, isIPv4 } from '../../runtime/objects/names/network-names.js';
import { quote } from '../../runtime/objects/printing.js';
import type { Release } from '../../runtime/objects/release.js';
import { addressCheck, addressWarnings } from '../shared/addresses.js';
import { checkName, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkRestarts, checkUsersAndDevices } from './pod-container-status.js';
import { claimNamesOf } from './pod-spec/resource-claims.js';

/** Makes the single address and the first of the list equal, in place; either may be missing. */
export function canonicalizeAddresses(status: Draft<PodStatus> | undefined): void {
  if (!status) return;
  const { podIP: single, podIPs: [first] = [] } = status;
  if (!single) {
    if (first) status.podIP = first.ip || undefined;
  } else if (first?.ip !== single) status.podIPs = [{ ip: single }];
}

/** The gate that removes the nominated node of a pod when the pod gets a node. */
export const nominationGate = 'ClearingNominatedNodeNameAfterBinding';

/** The facts that the rules of a status depend on. */
interface StatusContext extends Pick<HandlerContext, 'featureEnabled'> {
  readonly release: Release;
}

/** Checks a written status and its changes. */
export function podStatusErrors(
  pod: DraftObject<Pod>,
  old: DraftObject<Pod>,
  context: StatusContext,
): readonly FieldError[] {
  return firstErrors(checkStatus(pod, old, context));
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);
const notNegative = 'must be a non-negative integer';

function* checkStatus(pod: DraftObject<Pod>, old: DraftObject<Pod>, context: StatusContext): FieldErrors {
  const { status = {}, spec = {} } = pod;
  const { release } = context;
  yield* checkConditions(status);
  yield* checkNomination(status, old, context);
  const { observedGeneration } = status;
  if (isNegative(observedGeneration)) {
    yield invalidValue('status.observedGeneration', observedGeneration, notNegative);
  }
  if (release.does('podsResize') && status.qosClass !== old.status?.qosClass) {
    yield invalidValue('status.qosClass', status.qosClass, 'field is immutable');
  }
  yield* checkRestarts(status, old, release);
  yield* checkClaims(status, spec, release);
  yield* checkAddresses('podIPs', status, old.status, release);
  yield* checkNodeAddresses(status, old.status, release);
  yield* checkUsersAndDevices(status, spec);
}

const isNegative = (value: number | bigint | undefined): value is number | bigint => value !== undefined && value < 0;

/** As in the reference, the paths are in the metadata. */
function* checkConditions({ conditions = [] }: Draft<PodStatus>): FieldErrors {
  for (const [i, { type = '', observedGeneration }] of conditions.entries()) {
    const at = `metadata.conditions[${i}]`;
    if (isNegative(observedGeneration)) yield invalidValue(`${at}.observedGeneration`, observedGeneration, notNegative);
    if (!systemConditions.has(type)) yield* checkText(`${at}.Type`, type, qualifiedNameCheck);
  }
}

/** A pod with a node cannot be nominated for a node. */
function* checkNomination(
  { nominatedNodeName: nominated }: Draft<PodStatus>,
  { status, spec }: DraftObject<Pod>,
  { featureEnabled }: StatusContext,
): FieldErrors {
  if (!nominated || nominated === status?.nominatedNodeName) return;
  const path = 'status.nominatedNodeName';
  yield* checkText(path, nominated, dns1123Subdomain);
  if (spec?.nodeName && featureEnabled(nominationGate)) {
    yield forbidden(path, 'may not be set on pods that are already bound to a node');
  }
}

/** The addresses of the node begin with the one that has a field of its own. */
function* checkNodeAddresses(
  status: Draft<PodStatus>,
  old: Draft<PodStatus> | undefined,
  release: Release,
): FieldErrors {
  const { hostIP = '', hostIPs: [first] = [] } = status;
  if (first && first.ip !== hostIP) yield invalidValue('status.hostIPs[0].ip', first.ip, 'must be equal to `hostIP`');
  yield* checkAddresses('hostIPs', status, old, release);
}

const printedTypes = { podIPs: 'core.PodIP', hostIPs: 'core.HostIP' } as const;
type AddressList = keyof typeof printedTypes;

const addressesOf = (status: Draft<PodStatus> = {}, list: AddressList): readonly string[] =>
  (status[list] ?? []).map(({ ip = '' }) => ip);

/** A pod and its node have at most one address of each family. */
function* checkAddresses(
  list: AddressList,
  status: Draft<PodStatus>,
  old: Draft<PodStatus> | undefined,
  release: Release,
): FieldErrors {
  const path = `status.${list}`;
  const addresses = addressesOf(status, list);
  const isLater = release.does('addressPairs');
  const check = addressCheck(release, isLater ? addressesOf(old, list) : []);
  for (const [i, address] of addresses.entries()) yield* checkText(`${path}[${i}]`, address, check);
  if (addresses.length < 2) return;
  const printed = (ip: string): string => `${printedTypes[list]}{IP:${quote(ip)}}`;
  const isOdd = isLater && addresses.some((ip) => ipAddress(ip).length > 0);
  if (new Set(addresses.map(isIPv4)).size < 2 || addresses.length > 2 || isOdd) {
    const all = new Verbatim(`[]${printedTypes[list]}{${addresses.map(printed).join(', ')}}`);
    yield invalidValue(path, all, 'may specify no more than one IP for each IP family');
  }
  if (isLater) return;
  const seen = new Set<string>();
  for (const [i, address] of addresses.entries()) {
    if (seen.has(address)) yield duplicate(`${path}[${i}]`, new Verbatim(printed(address)));
    seen.add(address);
  }
}

/** Warns about odd spellings of the addresses in a written status. */
export function statusWarnings(status: Draft<PodStatus> | undefined, release: Release): readonly string[] {
  if (!release.does('exactAddressWarnings')) return [];
  return (['podIPs', 'hostIPs'] as const).flatMap((list) =>
    addressesOf(status, list).flatMap((ip, i) => addressWarnings(ip, `status.${list}[${i}].ip`, release)),
  );
}

/** Keeps the observed generations of the old status, in place, for writers that do not know these fields. */
export function keepGenerations(status: Draft<PodStatus>, old: Draft<PodStatus> = {}): void {
  if (!status.observedGeneration && old.observedGeneration) status.observedGeneration = old.observedGeneration;
  const before = [...(old.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    // Several conditions may have one type: each stands for one of the old ones.
    const i = before.findIndex(({ type }) => type === condition.type);
    const [same] = i < 0 ? [] : before.splice(i, 1);
    if (!condition.observedGeneration && same?.observedGeneration) {
      condition.observedGeneration = same.observedGeneration;
    }
  }
}

/** Returns the status of a new pod; `gatedSince` is the time that a pod with gates waits from. */
export function newPodStatus(
  spec: Draft<PodSpec> | undefined,
  qosClass: string,
  gatedSince: string | null,
): Draft<PodStatus> {
  const status: Draft<PodStatus> = { phase: 'Pending', qosClass };
  if (spec?.schedulingGates) {
    status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: gatedSince,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  }
  return status;
}

/** Checks the claims that a status names. */
export function* checkClaims(status: Draft<PodStatus>, spec: Draft<PodSpec>, release: Release): FieldErrors {
  const { resourceClaimStatuses: claims = [], extendedResourceClaimStatus: extended } = status;
  yield* checkFromTemplates(claims, 'status.resourceClaimStatuses', spec, release);
  if (extended) yield* checkExtended(extended, 'status.extendedResourceClaimStatus', spec);
}

/** Each claim belongs to one entry of the spec. */
function* checkFromTemplates(
  claims: readonly Draft<PodResourceClaimStatus>[],
  path: string,
  spec: Draft<PodSpec>,
  release: Release,
): FieldErrors {
  const known = claimNamesOf(spec.resourceClaims);
  const seen = new Set<string>();
  const nameField = release.does('claimNamesByPath') ? 'resourceClaimName' : 'name';
  for (const [i, { name = '', resourceClaimName: claim }] of claims.entries()) {
    const at = `${path}[${i}]`;
    if (!known.has(name)) {
      yield invalidValue(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`');
    }
    if (seen.has(name)) yield duplicate(`${at}.name`, name);
    seen.add(name);
    if (claim !== undefined) yield* checkText(`${at}.${nameField}`, claim, dns1123Subdomain);
  }
}

/** Each request of the claim belongs to a resource that a container requests. */
function* checkExtended(
  { requestMappings, resourceClaimName = '' }: Draft<PodExtendedResourceClaimStatus>,
  path: string,
  spec: Draft<PodSpec>,
): FieldErrors {
  const list = `${path}.requestMappings`;
  const mappings = requestMappings ?? [];
  if (mappings.length === 0) yield required(list, 'at least one request mapping is required');
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const seen = new Set<string>();
  for (const [i, { containerName = '', resourceName = '', requestName = '' }] of mappings.entries()) {
    const at = `${list}[${i}]`;
    const container = containers.find(({ name }) => name === containerName);
    if (!container) {
      const problem = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
      yield invalidValue(`${at}.containerName`, containerName, problem);
    } else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName)) {
      const places = 'spec.initContainers.resources.requests or spec.containers.resources.requests';
      const problem = `must match the extended resource name of an entry in ${places}`;
      yield invalidValue(`${at}.resourceName`, resourceName, problem);
    }
    // As in the reference, the path leaves out the list.
    yield* checkText(`${path}.requestName`, requestName, dns1123Label);
    const names = Object.entries({ containerName, resourceName, requestName });
    const key = JSON.stringify(names);
    if (seen.has(key)) for (const [field, name] of names) yield duplicate(`${at}.${field}`, name);
    seen.add(key);
  }
  yield* checkName(`${path}.resourceClaimName`, resourceClaimName, dns1123Subdomain);
}
