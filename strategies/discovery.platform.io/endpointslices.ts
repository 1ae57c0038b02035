/** EndpointSlice: endpoints with one type of address, changes that count as a new generation, and its columns. */
import { defineEndpointSliceHandlers } from '../../generated/discovery.platform.io/v1/endpointslices/handlers.js';
import type { EndpointSlice } from '../../generated/discovery.platform.io/v1/endpointslices/types.js';
import type { Endpoint, EndpointPort } from '../../generated/types/discovery/v1/types.js';
import type {
  Draft,
  DraftObject,
  JsonObject,
  KindHandlers,
  NamedConversion,
  Rename,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, invalidValue, required, tooMany } from '../../runtime/objects/field-error.js';
import { isObject, objectAt } from '../../runtime/objects/guards.js';
import { validateLabels } from '../../runtime/objects/names/metadata-rules.js';
import {
  dns1123Label,
  dns1123Subdomain,
  domainName,
  labelValue,
  qualifiedNameCheck,
} from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { isIPv4, isIPv6 } from '../../runtime/objects/names/network-names.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { newAddressErrors, type Placed, specialAddressErrors } from '../shared/addresses.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { shortened } from '../shared/printed-values.js';

type Slice = DraftObject<EndpointSlice>;

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxTopologyLabels = 16;
const maxZoneHints = 8;

export const defineEndpointSlices = ({ rename }: Naming, release: Release = emulate()): KindHandlers =>
  defineEndpointSliceHandlers({
    updateChecks: ['metadata', 'fields', 'field changes'],
    prepareForCreate: ({ endpoints }) => dropTopology(endpoints ?? [], new Set(), hostLabel(rename)),
    errorOrder: ['addressType', 'endpoints[]', 'ports[].name', 'ports[].protocol', 'ports[].appProtocol'],
    prepareForUpdate(slice, old) {
      // Labels say what the slice is for, so changing them counts too.
      const isMoved = !equal(slice.metadata.labels ?? {}, old.metadata.labels ?? {});
      const isChanged = !equal(slice.endpoints ?? [], old.endpoints ?? []);
      if (isMoved || isChanged) slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
      if (!isChanged) return;
      const label = hostLabel(rename);
      const nodes = new Set(old.endpoints?.flatMap(({ deprecatedTopology: topology }) => topology?.[label] || []));
      dropTopology(slice.endpoints ?? [], nodes, label);
    },
    validate: (slice) => firstErrors(checkSlice(slice)),
    ...(release.does('strictAddresses') && {
      validateCreate: (slice) => newAddressErrors(addressesOf(slice)),
      validateUpdate: (slice, old) => newAddressErrors(addressesOf(slice), addressesOf(old)),
    }),
    warn: ({ addressType }, old) =>
      old === undefined && addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
    columns: {
      Ports: ({ ports }) => shortened((ports ?? []).map(portText)) || '<unset>',
      Endpoints: ({ endpoints }) =>
        shortened((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])) || '<unset>',
    },
  });

/**
 * Drops the topology of endpoints, which only versions before v1 could write. Moves a node in the stored topology to
 * `nodeName`, so clients that write back what they have read lose nothing.
 */
function dropTopology(endpoints: readonly Draft<Endpoint>[], nodes: ReadonlySet<string>, label: string): void {
  for (const endpoint of endpoints) {
    const node = endpoint.deprecatedTopology?.[label];
    if (
      endpoint.nodeName === undefined &&
      node !== undefined &&
      nodes.has(node) &&
      dns1123Subdomain(node).length === 0
    ) {
      endpoint.nodeName = node;
    }
    delete endpoint.deprecatedTopology;
  }
}

const portText = ({ port, name }: Draft<EndpointPort>): string => String(port ?? (name || '*'));

const addressesOf = ({ addressType, endpoints }: Slice): readonly Placed[] =>
  addressType === 'FQDN'
    ? []
    : (endpoints ?? []).flatMap(({ addresses }, i) =>
        (addresses ?? []).map((text, at): Placed => [`endpoints[${i}].addresses[${at}]`, text]),
      );

function* checkSlice({ addressType = '', endpoints, ports }: Slice): FieldErrors {
  yield* checkEndpoints(endpoints ?? [], addressType);
  yield* checkPorts(ports ?? []);
}

function* checkEndpoints(endpoints: readonly Draft<Endpoint>[], type: string): FieldErrors {
  if (endpoints.length > maxEndpoints) {
    yield tooMany('endpoints', endpoints.length, maxEndpoints);
    return;
  }
  for (const [i, endpoint] of endpoints.entries()) {
    const path = `endpoints[${i}]`;
    const { addresses, nodeName, deprecatedTopology = {}, hostname, hints } = endpoint;
    yield* checkAddresses(addresses ?? [], type, `${path}.addresses`);
    if (nodeName !== undefined) yield* checkText(`${path}.nodeName`, nodeName, dns1123Subdomain);
    yield* checkTopology(deprecatedTopology, `${path}.deprecatedTopology`);
    if (hostname !== undefined) yield* checkText(`${path}.hostname`, hostname, dns1123Label);
    yield* checkZones(hints?.forZones?.map(({ name = '' }) => name) ?? [], `${path}.hints.forZones`);
  }
}

/** Addresses have the slice's type and can receive traffic. */
function* checkAddresses(addresses: readonly string[], type: string, path: string): FieldErrors {
  if (addresses.length === 0) yield required(path, 'must contain at least 1 address');
  if (addresses.length > maxAddresses) yield tooMany(path, addresses.length, maxAddresses);
  for (const [i, address] of addresses.entries()) {
    const at = `${path}[${i}]`;
    if (type === 'FQDN') yield* checkDomain(address, at);
    if (type !== 'IPv4' && type !== 'IPv6') continue;
    const fits = type === 'IPv4' ? isIPv4(address) : isIPv6(address);
    if (!fits) yield invalidValue(at, address, `must be a valid ${type} address`);
    yield* specialAddressErrors(address, at);
  }
}

/** A domain has at least two parts. Errors do not show the final dot. */
function* checkDomain(domain: string, path: string): FieldErrors {
  if (domain === '') yield required(path);
  else for (const problem of domainName(domain)) yield invalidValue(path, domain.replace(/\.$/, ''), problem);
}

/** In earlier versions the topology is a limited number of labels. */
function* checkTopology(topology: Readonly<Record<string, string>>, path: string): FieldErrors {
  const count = Object.keys(topology).length;
  if (count > maxTopologyLabels) yield tooMany(path, count, maxTopologyLabels);
  yield* validateLabels(topology, path);
}

/** Hints name each zone once, and only a few. */
function* checkZones(zones: readonly string[], path: string): FieldErrors {
  if (zones.length > maxZoneHints) {
    yield tooMany(path, zones.length, maxZoneHints);
    return;
  }
  for (const [i, zone] of zones.entries()) {
    if (zones.indexOf(zone) < i) yield duplicate(`${path}[${i}].name`, zone);
    yield* checkText(`${path}[${i}].name`, zone, labelValue);
  }
}

/** Each port name, including the empty one, is used once. */
function* checkPorts(ports: readonly Draft<EndpointPort>[]): FieldErrors {
  if (ports.length > maxPorts) {
    yield tooMany('ports', ports.length, maxPorts);
    return;
  }
  const names = new Set<string>();
  for (const [i, { name = '', appProtocol }] of ports.entries()) {
    if (name !== '') yield* checkText(`ports[${i}].name`, name, dns1123Label);
    if (names.has(name)) yield duplicate(`ports[${i}].name`, name);
    names.add(name);
    if (appProtocol !== undefined) yield* checkText(`ports[${i}].appProtocol`, appProtocol, qualifiedNameCheck);
  }
}

// Converts endpoints from versions with a map of topology labels to the storage version, which has fields.

const endpointsOf = ({ endpoints }: JsonObject): readonly JsonObject[] =>
  Array.isArray(endpoints) ? endpoints.filter(isObject) : [];

const zoneLabel = (rename: Rename): string => rename('topology.platform.io/zone');
const hostLabel = (rename: Rename): string => rename('platform.io/hostname');

/**
 * Moves the zone and the node into their fields. A host name stays in the map only if it differs from the node name,
 * which these versions also have as a field.
 */
export const endpointTopology: NamedConversion = {
  name: 'endpoint-topology',
  toStored: (object, rename) => {
    for (const endpoint of endpointsOf(object)) {
      const { topology } = endpoint;
      if (!isObject(topology)) continue;
      const [zone, host] = [zoneLabel(rename), hostLabel(rename)];
      if (topology[zone] !== undefined) {
        endpoint.zone = topology[zone];
        delete topology[zone];
      }
      if (topology[host] !== undefined) {
        endpoint.nodeName ??= topology[host];
        if (topology[host] === endpoint.nodeName) delete topology[host];
      }
      if (Object.keys(topology).length === 0) delete endpoint.topology;
    }
  },
  fromStored: (object, rename) => {
    for (const endpoint of endpointsOf(object)) {
      const { zone, nodeName } = endpoint;
      if (zone === undefined && nodeName === undefined) continue;
      endpoint.topology ??= {};
      const topology = objectAt(endpoint, 'topology');
      if (topology === undefined) continue;
      if (zone !== undefined) {
        topology[zoneLabel(rename)] = zone;
        delete endpoint.zone;
      }
      if (nodeName !== undefined) topology[hostLabel(rename)] ??= nodeName;
    }
  },
};
