/** NetworkPolicy: its default directions, peers, ports, and its columns. */
import { defineNetworkPolicyHandlers } from '../../generated/networking.platform.io/v1/networkpolicies/handlers.js';
import type { LabelSelector, LabelSelectorRequirement } from '../../generated/types/meta/v1/types.js';
import type {
  IPBlock,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '../../generated/types/networking/v1/types.js';
import type { Draft, KindHandlers } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { isStrictPart, parseIpRange } from '../../runtime/objects/ip-address.js';
import { portName, portNumberProblems } from '../../runtime/objects/names/network-names.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { newAddressErrors, type Placed } from '../shared/addresses.js';
import { checkOneOf, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { validateLabelSelector } from '../shared/selectors.js';

type Spec = Draft<NetworkPolicySpec>;
type Peer = Draft<NetworkPolicyPeer>;
type Port = Draft<NetworkPolicyPort>;

const directions = ['Ingress', 'Egress'];

const checkedFields = [
  'spec.podSelector',
  ...['spec.ingress[]', 'spec.egress[]'].flatMap((rule) => [`${rule}.ports[].protocol`, `${rule}.ports[]`]),
  'spec.policyTypes',
];

export const defineNetworkPolicies = (release: Release = emulate()): KindHandlers =>
  defineNetworkPolicyHandlers({
    errorOrder: checkedFields,
    updateChecks: ['metadata', 'fields', 'metadata changes', 'fields'],
    canonicalize({ spec }) {
      if (spec) setPolicyTypes(spec);
    },
    validate: ({ spec = {} }) => firstErrors(checkSpec(spec)),
    ...(release.does('strictAddresses') && {
      validateCreate: ({ spec }) => newAddressErrors(blocksOf(spec), [], 'blocks'),
      validateUpdate: ({ spec }, old) => newAddressErrors(blocksOf(spec), blocksOf(old.spec), 'blocks'),
    }),
    columns: { 'Pod-Selector': ({ spec }) => selectorText(spec?.podSelector) },
  });

/** By default, incoming traffic is restricted, and outgoing traffic if the policy has rules for it. */
function setPolicyTypes(spec: Spec): void {
  if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? [...directions] : ['Ingress'];
}

function blocksOf({ ingress = [], egress = [] }: Spec = {}): readonly Placed[] {
  const inPeers = (path: string, peers: readonly Peer[] = []): readonly Placed[] =>
    peers.flatMap(({ ipBlock: { cidr = '', except = [] } = {} }, i) => [
      [`${path}[${i}].ipBlock.cidr`, cidr] as const,
      ...except.map((text, at): Placed => [`${path}[${i}].ipBlock.except[${at}]`, text]),
    ]);
  return [
    ...ingress.flatMap(({ from }, i) => inPeers(`spec.ingress[${i}].from`, from)),
    ...egress.flatMap(({ to }, i) => inPeers(`spec.egress[${i}].to`, to)),
  ];
}

function* checkSpec({ podSelector, ingress = [], egress = [], policyTypes = [] }: Spec): FieldErrors {
  yield* validateLabelSelector(podSelector, 'spec.podSelector');
  for (const [i, { ports, from }] of ingress.entries()) yield* checkRule(`spec.ingress[${i}]`, ports, 'from', from);
  for (const [i, { ports, to }] of egress.entries()) yield* checkRule(`spec.egress[${i}]`, ports, 'to', to);
  if (policyTypes.length > directions.length) {
    yield invalidValue('spec.policyTypes', policyTypes, 'may not specify more than two policyTypes');
    return;
  }
  for (const [i, type] of policyTypes.entries()) yield* checkOneOf(type, `spec.policyTypes[${i}]`, directions);
}

function* checkRule(
  path: string,
  ports: readonly Port[] = [],
  peersField: string,
  peers: readonly Peer[] = [],
): FieldErrors {
  for (const [i, port] of ports.entries()) yield* checkPort(port, `${path}.ports[${i}]`);
  for (const [i, peer] of peers.entries()) yield* checkPeer(peer, `${path}.${peersField}[${i}]`);
}

/** A port range starts with a number and must not end below it. */
function* checkPort({ port, endPort: end }: Port, path: string): FieldErrors {
  const wrongEnd = (rule: string) => (end === undefined ? [] : [invalidValue(`${path}.endPort`, end, rule)]);
  if (port === undefined) {
    yield* wrongEnd('may not be specified when `port` is not specified');
    return;
  }
  if (typeof port === 'string') {
    yield* wrongEnd('may not be specified when `port` is non-numeric');
    for (const problem of portName(port)) yield invalidValue(`${path}.port`, port, problem);
    return;
  }
  for (const problem of portNumberProblems(port)) yield invalidValue(`${path}.port`, port, problem);
  if (end === undefined) return;
  // The error shows the first port of the range.
  if (end < port) yield invalidValue(`${path}.endPort`, port, 'must be greater than or equal to `port`');
  for (const problem of portNumberProblems(end)) yield* wrongEnd(problem);
}

/** A peer is pods and namespaces, or an address block, not both. */
function* checkPeer(peer: Peer, path: string): FieldErrors {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  yield* validateLabelSelector(podSelector, `${path}.podSelector`);
  yield* validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`);
  if (ipBlock) yield* checkBlock(ipBlock, `${path}.ipBlock`);
  const isSelected = podSelector ?? namespaceSelector;
  if (!isSelected && !ipBlock) yield required(path, 'must specify a peer');
  if (isSelected && ipBlock) yield forbidden(path, 'may not specify both ipBlock and another peer');
}

/** Exceptions are strictly inside their block. */
function* checkBlock({ cidr, except = [] }: Draft<IPBlock>, path: string): FieldErrors {
  if (!cidr) {
    yield required(`${path}.cidr`);
    return;
  }
  const whole = parseIpRange(cidr);
  if (!whole) {
    yield invalidValue(`${path}.cidr`, cidr, 'not a valid CIDR');
    return;
  }
  for (const [i, text] of except.entries()) {
    const part = parseIpRange(text);
    const at = `${path}.except[${i}]`;
    if (!part) {
      // Further ones are not checked.
      yield invalidValue(at, text, 'not a valid CIDR');
      return;
    }
    if (!isStrictPart(part, whole)) yield invalidValue(at, text, 'must be a strict subset of `cidr`');
  }
}

/** Prints a selector as in `app=web,tier in (a,b),!old`, sorted by key; `<none>` if it matches everything. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: Draft<LabelSelector> = {}): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const expressions = matchExpressions.map((expression) => ({
    key: expression.key ?? '',
    text: expressionText(expression),
  }));
  const parts = [...labels, ...expressions].sort((a, b) => byCodePoint(a.key, b.key));
  return parts.map(({ text }) => text).join(',') || '<none>';
}

function expressionText({ key = '', operator, values = [] }: Draft<LabelSelectorRequirement>): string {
  const list = `(${[...values].sort(byCodePoint).join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${list}`;
    case 'NotIn':
      return `${key} notin ${list}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
