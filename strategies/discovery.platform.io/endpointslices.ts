/** EndpointSlice: endpoints of one type of address, when they count as changed, and how tables show them. */
import type { ApiObject, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain, qualifiedDomainName } from '../../runtime/objects/dns-names.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, invalidValue, required, tooMany } from '../../runtime/objects/field-error.js';
import { isStringMap, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { labelValue, qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { validateLabels } from '../../runtime/objects/metadata-rules.js';
import { isIPv4, isIPv6 } from '../../runtime/objects/network-names.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { hasAt, integerAt, objectsAt, textsAt } from '../shared/reading.js';
import { shortened } from '../shared/shortened-list.js';
import { specialAddressErrors } from '../shared/special-addresses.js';

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxTopologyLabels = 16;
const maxZoneHints = 8;

export function defineEndpointSliceStrategy(): Strategy {
  return {
    kind: 'discovery.platform.io/EndpointSlice',
    prepareForUpdate(slice, old) {
      // Labels say what the slice is for, so that a change of them counts as well.
      const isMoved = !equal(slice.metadata.labels ?? {}, old.metadata.labels ?? {});
      if (isMoved) slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate: (slice) => firstErrors(checkSlice(slice)),
    cell: (slice, column) => cells.get(column)?.(slice),
  };
}

function* checkSlice(slice: ApiObject): FieldErrors {
  yield* checkEndpoints(slice);
  yield* checkPorts(slice);
}

function* checkEndpoints(slice: ApiObject): FieldErrors {
  const endpoints = objectsAt(slice, 'endpoints');
  if (endpoints.length > maxEndpoints) {
    yield tooMany('endpoints', endpoints.length, maxEndpoints);
    return;
  }
  for (const [i, endpoint] of endpoints.entries()) {
    const path = `endpoints[${i}]`;
    yield* checkAddresses(textsAt(endpoint, 'addresses'), stringAt(slice, 'addressType'), `${path}.addresses`);
    if (hasAt(endpoint, 'nodeName')) {
      yield* checkText(`${path}.nodeName`, stringAt(endpoint, 'nodeName'), dns1123Subdomain);
    }
    yield* checkTopology(endpoint, `${path}.deprecatedTopology`);
    if (hasAt(endpoint, 'hostname')) yield* checkText(`${path}.hostname`, stringAt(endpoint, 'hostname'), dns1123Label);
    yield* checkZones(objectAt(endpoint, 'hints'), `${path}.hints.forZones`);
  }
}

function* checkAddresses(addresses: readonly string[], type: string, path: string): FieldErrors {
  if (addresses.length === 0) yield required(path, 'must contain at least 1 address');
  if (addresses.length > maxAddresses) yield tooMany(path, addresses.length, maxAddresses);
  for (const [i, address] of addresses.entries()) {
    const at = `${path}[${i}]`;
    if (type === 'FQDN') yield* checkText(at, address, qualifiedDomainName);
    if (type !== 'IPv4' && type !== 'IPv6') continue;
    const fits = type === 'IPv4' ? isIPv4(address) : isIPv6(address);
    if (!fits) yield invalidValue(at, address, `must be a valid ${type} address`);
    yield* specialAddressErrors(address, at);
  }
}

function* checkTopology(endpoint: JsonObject, path: string): FieldErrors {
  const topology = objectAt(endpoint, 'deprecatedTopology') ?? {};
  const count = Object.keys(topology).length;
  if (count > maxTopologyLabels) yield tooMany(path, count, maxTopologyLabels);
  if (isStringMap(topology)) yield* validateLabels(topology, path);
}

function* checkZones(hints: JsonObject | undefined, path: string): FieldErrors {
  const zones = objectsAt(hints, 'forZones').map((zone) => stringAt(zone, 'name'));
  if (zones.length > maxZoneHints) {
    yield tooMany(path, zones.length, maxZoneHints);
    return;
  }
  for (const [i, zone] of zones.entries()) {
    if (zones.indexOf(zone) < i) yield duplicate(`${path}[${i}].name`, zone);
    yield* checkText(`${path}[${i}].name`, zone, labelValue);
  }
}

function* checkPorts(slice: ApiObject): FieldErrors {
  const ports = objectsAt(slice, 'ports');
  if (ports.length > maxPorts) {
    yield tooMany('ports', ports.length, maxPorts);
    return;
  }
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const name = stringAt(port, 'name');
    if (name !== '') yield* checkText(`ports[${i}].name`, name, dns1123Label);
    if (names.has(name)) yield duplicate(`ports[${i}].name`, name);
    names.add(name);
    if (hasAt(port, 'appProtocol')) {
      yield* checkText(`ports[${i}].appProtocol`, stringAt(port, 'appProtocol'), qualifiedNameCheck);
    }
  }
}

const cells: ReadonlyMap<string, (slice: ApiObject) => string> = new Map([
  ['Ports', (slice: ApiObject) => shortened(objectsAt(slice, 'ports').map(portText)) || '<unset>'],
  [
    'Endpoints',
    (slice: ApiObject) =>
      shortened(objectsAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'))) || '<unset>',
  ],
]);

const portText = (port: JsonObject): string => String(integerAt(port, 'port') ?? (stringAt(port, 'name') || '*'));
