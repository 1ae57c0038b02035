/** Endpoints: addresses and ports, and the column that shows them. */
import { defineEndpointsHandlers } from '../../generated/core/v1/endpoints/handlers.js';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../generated/types/core/v1/types.js';
import type { Draft, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { ipAddress, portNumberProblems } from '../../runtime/objects/names/network-names.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { newAddressErrors, type Placed, specialAddressErrors } from '../shared/addresses.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { shortened } from '../shared/printed-values.js';

type Subset = Draft<EndpointSubset>;

const checkedFields = [
  ...['subsets[].addresses', 'subsets[].notReadyAddresses'],
  ...['name', 'port', 'protocol', 'appProtocol'].map((name) => `subsets[].ports[].${name}`),
];

export const defineEndpoints = (release: Release = emulate()): KindHandlers =>
  defineEndpointsHandlers({
    updateChecks: ['metadata changes', 'metadata', 'fields'],
    errorOrder: checkedFields,
    validate: ({ subsets = [] }) => firstErrors(checkSubsets(subsets)),
    ...(release.does('strictAddresses') && {
      validateCreate: ({ subsets }) => newAddressErrors(addressesOf(subsets)),
      validateUpdate: ({ subsets }, old) => newAddressErrors(addressesOf(subsets), addressesOf(old.subsets)),
    }),
    columns: { Endpoints: ({ subsets = [] }) => endpointText(subsets) },
  });

const addressesOf = (subsets: readonly Subset[] = []): readonly Placed[] =>
  subsets.flatMap((subset, i) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).map(({ ip = '' }, at): Placed => [`subsets[${i}].${list}[${at}].ip`, ip]),
    ),
  );

/** A subset has at least one address. */
function* checkSubsets(subsets: readonly Subset[]): FieldErrors {
  for (const [i, { addresses = [], notReadyAddresses = [], ports = [] }] of subsets.entries()) {
    const path = `subsets[${i}]`;
    if (addresses.length + notReadyAddresses.length === 0) {
      yield required(path, 'must specify `addresses` or `notReadyAddresses`');
    }
    for (const [at, one] of addresses.entries()) yield* checkAddress(one, `${path}.addresses[${at}]`);
    for (const [at, one] of notReadyAddresses.entries()) yield* checkAddress(one, `${path}.notReadyAddresses[${at}]`);
    for (const [at, port] of ports.entries()) yield* checkPort(port, `${path}.ports[${at}]`, ports.length > 1);
  }
}

/** An address can receive traffic. */
function* checkAddress({ ip = '', hostname, nodeName }: Draft<EndpointAddress>, path: string): FieldErrors {
  yield* checkText(`${path}.ip`, ip, ipAddress);
  if (hostname) yield* checkText(`${path}.hostname`, hostname, dns1123Label);
  if (nodeName !== undefined) yield* checkText(`${path}.nodeName`, nodeName, dns1123Subdomain);
  yield* specialAddressErrors(ip, `${path}.ip`);
}

/** A port has a number, and a name if there are several. */
function* checkPort(
  { name, port = 0, appProtocol }: Draft<EndpointPort>,
  path: string,
  needsName: boolean,
): FieldErrors {
  if (!name && needsName) yield required(`${path}.name`);
  if (name) yield* checkText(`${path}.name`, name, dns1123Label);
  for (const problem of portNumberProblems(port)) yield invalidValue(`${path}.port`, port, problem);
  if (appProtocol !== undefined) yield* checkText(`${path}.appProtocol`, appProtocol, qualifiedNameCheck);
}

/** Prints the first three endpoints, as in `10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 4 more...`. */
const endpointText = (subsets: readonly Subset[]): string =>
  subsets.length === 0 ? '<none>' : shortened(subsets.flatMap(pairsOf));

function pairsOf({ addresses = [], ports = [] }: Subset): readonly string[] {
  const ips = addresses.map(({ ip = '' }) => ip);
  if (ports.length === 0) return ips;
  return ports.flatMap(({ port = 0 }) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
}
