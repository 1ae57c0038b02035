/** NetworkPolicy: what it restricts where it does not say, its peers and ports, and how tables show it. */
import type { ApiObject, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { isArray, isString, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { isStrictPart, parseIpRange } from '../../runtime/objects/ip-range.js';
import { portName, portNumberProblems } from '../../runtime/objects/network-names.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { validateLabelSelector } from '../shared/label-selector.js';
import { hasAt, integerAt, objectsAt, textsAt } from '../shared/reading.js';
import { selectorText } from '../shared/selector-text.js';

const directions = ['Ingress', 'Egress'] as const;

export function defineNetworkPolicyStrategy(): Strategy {
  return {
    kind: 'networking.platform.io/NetworkPolicy',
    canonicalize: setPolicyTypes,
    validate: (policy) => firstErrors(checkSpec(specOf(policy))),
    cell: (policy, column) =>
      column === 'Pod-Selector' ? selectorText(objectAt(specOf(policy), 'podSelector')) : undefined,
  };
}

const specOf = (policy: ApiObject): JsonObject => objectAt(policy, 'spec') ?? {};

/** What comes in is always restricted; what goes out, where the policy speaks of it. */
function setPolicyTypes(policy: ApiObject): void {
  const spec = objectAt(policy, 'spec');
  if (!spec || (isArray(spec.policyTypes) && spec.policyTypes.length > 0)) return;
  spec.policyTypes = isArray(spec.egress) && spec.egress.length > 0 ? [...directions] : ['Ingress'];
}

function* checkSpec(spec: JsonObject): FieldErrors {
  yield* validateLabelSelector(spec.podSelector, 'spec.podSelector');
  yield* checkRules(spec, 'ingress', 'from');
  yield* checkRules(spec, 'egress', 'to');
  const types = textsAt(spec, 'policyTypes');
  if (types.length > directions.length) {
    yield invalidValue('spec.policyTypes', [...types], 'may not specify more than two policyTypes');
    return;
  }
  for (const [i, type] of types.entries()) {
    if (!directions.some((one) => one === type)) yield notSupported(`spec.policyTypes[${i}]`, type, directions);
  }
}

function* checkRules(spec: JsonObject, direction: string, peers: string): FieldErrors {
  for (const [i, rule] of objectsAt(spec, direction).entries()) {
    const path = `spec.${direction}[${i}]`;
    for (const [at, port] of objectsAt(rule, 'ports').entries()) yield* checkPort(port, `${path}.ports[${at}]`);
    for (const [at, peer] of objectsAt(rule, peers).entries()) yield* checkPeer(peer, `${path}.${peers}[${at}]`);
  }
}

function* checkPort(port: JsonObject, path: string): FieldErrors {
  const end = integerAt(port, 'endPort');
  if (!hasAt(port, 'port')) {
    if (end !== undefined)
      yield invalidValue(`${path}.endPort`, end, 'may not be specified when `port` is not specified');
    return;
  }
  const { port: value } = port;
  if (isString(value)) {
    if (end !== undefined)
      yield invalidValue(`${path}.endPort`, end, 'may not be specified when `port` is non-numeric');
    for (const problem of portName(value)) yield invalidValue(`${path}.port`, value, problem);
    return;
  }
  const number = integerAt(port, 'port') ?? 0;
  for (const problem of portNumberProblems(number)) yield invalidValue(`${path}.port`, number, problem);
  if (end === undefined) return;
  if (end < number) yield invalidValue(`${path}.endPort`, end, 'must be greater than or equal to `port`');
  for (const problem of portNumberProblems(end)) yield invalidValue(`${path}.endPort`, end, problem);
}

function* checkPeer(peer: JsonObject, path: string): FieldErrors {
  const selectors = ['podSelector', 'namespaceSelector'].filter((key) => objectAt(peer, key));
  for (const key of selectors) yield* validateLabelSelector(peer[key], `${path}.${key}`);
  const block = objectAt(peer, 'ipBlock');
  if (block) yield* checkBlock(block, `${path}.ipBlock`);
  if (selectors.length === 0 && !block) yield required(path, 'must specify a peer');
  if (selectors.length > 0 && block) yield forbidden(path, 'may not specify both ipBlock and another peer');
}

function* checkBlock(block: JsonObject, path: string): FieldErrors {
  const text = stringAt(block, 'cidr');
  if (text === '') {
    yield required(`${path}.cidr`);
    return;
  }
  const whole = parseIpRange(text);
  if (!whole) {
    yield invalidValue(`${path}.cidr`, text, 'not a valid CIDR');
    return;
  }
  for (const [i, except] of textsAt(block, 'except').entries()) {
    const part = parseIpRange(except);
    const at = `${path}.except[${i}]`;
    if (!part) yield invalidValue(at, except, 'not a valid CIDR');
    else if (!isStrictPart(part, whole)) yield invalidValue(at, except, 'must be a strict subset of `cidr`');
  }
}
