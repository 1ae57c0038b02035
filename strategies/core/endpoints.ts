/** Endpoints: addresses that traffic can be sent to, and how tables show them. */
import type { ApiObject, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { ipAddress, portNumberProblems } from '../../runtime/objects/network-names.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { hasAt, integerAt, objectsAt } from '../shared/reading.js';
import { shortened } from '../shared/shortened-list.js';
import { specialAddressErrors } from '../shared/special-addresses.js';

export function defineEndpointsStrategy(): Strategy {
  return {
    kind: 'Endpoints',
    validate: (endpoints) => firstErrors(checkSubsets(endpoints)),
    cell: (endpoints, column) => (column === 'Endpoints' ? endpointText(endpoints) : undefined),
  };
}

function* checkSubsets(endpoints: ApiObject): FieldErrors {
  for (const [i, subset] of objectsAt(endpoints, 'subsets').entries()) {
    const path = `subsets[${i}]`;
    const lists = ['addresses', 'notReadyAddresses'] as const;
    if (lists.every((list) => objectsAt(subset, list).length === 0)) {
      yield required(path, 'must specify `addresses` or `notReadyAddresses`');
    }
    for (const list of lists) {
      for (const [at, address] of objectsAt(subset, list).entries())
        yield* checkAddress(address, `${path}.${list}[${at}]`);
    }
    const ports = objectsAt(subset, 'ports');
    for (const [at, port] of ports.entries()) yield* checkPort(port, `${path}.ports[${at}]`, ports.length > 1);
  }
}

function* checkAddress(address: JsonObject, path: string): FieldErrors {
  const ip = stringAt(address, 'ip');
  const hostname = stringAt(address, 'hostname');
  yield* checkText(`${path}.ip`, ip, ipAddress);
  if (hostname !== '') yield* checkText(`${path}.hostname`, hostname, dns1123Label);
  if (hasAt(address, 'nodeName')) yield* checkText(`${path}.nodeName`, stringAt(address, 'nodeName'), dns1123Subdomain);
  yield* specialAddressErrors(ip, `${path}.ip`);
}

function* checkPort(port: JsonObject, path: string, needsName: boolean): FieldErrors {
  const name = stringAt(port, 'name');
  const number = integerAt(port, 'port') ?? 0;
  if (name === '' && needsName) yield required(`${path}.name`);
  if (name !== '') yield* checkText(`${path}.name`, name, dns1123Label);
  for (const problem of portNumberProblems(number)) yield invalidValue(`${path}.port`, number, problem);
  if (hasAt(port, 'appProtocol')) {
    yield* checkText(`${path}.appProtocol`, stringAt(port, 'appProtocol'), qualifiedNameCheck);
  }
}

/** The first three, as in `10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 4 more...`. */
function endpointText(endpoints: ApiObject): string {
  const subsets = objectsAt(endpoints, 'subsets');
  if (subsets.length === 0) return '<none>';
  return shortened(subsets.flatMap(pairsOf));
}

function pairsOf(subset: JsonObject): readonly string[] {
  const addresses = objectsAt(subset, 'addresses').map((address) => stringAt(address, 'ip'));
  const ports = objectsAt(subset, 'ports');
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) =>
    addresses.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${integerAt(port, 'port') ?? 0}`),
  );
}
