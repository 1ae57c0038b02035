import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { defineNetworkPolicies } from '../../../../strategies/networking.platform.io/networkpolicies.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineNetworkPolicies();
const policy = (spec: JsonObject) => objectOf(handlers, { spec: { podSelector: {}, ...spec } });
const from = (...peers: JsonObject[]) => ({ ingress: [{ from: peers }] });
const ports = (...list: JsonObject[]) => ({ egress: [{ ports: list }] });

describe('a network policy', () => {
  it.each([
    [{}, ['Ingress']],
    [{ egress: [{}] }, ['Ingress', 'Egress']],
    [{ policyTypes: ['Egress'] }, ['Egress']],
  ])('%j restricts %j', (spec, types) => {
    const object = policy(spec);
    handlers.canonicalize?.(object);
    expect(object.spec).toMatchObject({ policyTypes: types });
  });

  const block = 'spec.ingress[0].from[0].ipBlock';
  const port = 'spec.egress[0].ports[0]';
  it.each([
    [from({}), 'spec.ingress[0].from[0]: Required value: must specify a peer'],
    [
      from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
      'spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer',
    ],
    [from({ ipBlock: {} }), `${block}.cidr: Required value`],
    [from({ ipBlock: { cidr: 'x' } }), `${block}.cidr: Invalid value: "x": not a valid CIDR`],
    [
      from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/9'] } }),
      `${block}.except[0]: Invalid value: "11.0.0.0/9": must be a strict subset of \`cidr\``,
    ],
    [ports({ port: 0 }), `${port}.port: Invalid value: 0: must be between 1 and 65535, inclusive`],
    [ports({ port: 'Web' }), `${port}.port: Invalid value: "Web": must contain only alpha-numeric`],
    [
      ports({ port: 'web', endPort: 5 }),
      `${port}.endPort: Invalid value: 5: may not be specified when \`port\` is non-numeric`,
    ],
    [ports({ endPort: 5 }), `${port}.endPort: Invalid value: 5: may not be specified when \`port\` is not specified`],
    [ports({ port: 9, endPort: 5 }), `${port}.endPort: Invalid value: 9: must be greater than or equal to \`port\``],
    [{ policyTypes: ['Up'] }, 'spec.policyTypes[0]: Unsupported value: "Up": supported values: "Ingress", "Egress"'],
    [{ podSelector: { matchLabels: { 'a b': 'c' } } }, 'spec.podSelector.matchLabels: Invalid value: "a b"'],
  ])('is refused with %j', (spec, start) => expect(errorsOf(handlers, policy(spec))[0]).toContain(start));

  it('is refused with the first malformed exception, whatever comes after it', () => {
    const except = ['11.0.0.0/9', 'x', '12.0.0.0/9'];
    expect(errorsOf(handlers, policy(from({ ipBlock: { cidr: '10.0.0.0/8', except } })))).toEqual([
      `${block}.except[0]: Invalid value: "11.0.0.0/9": must be a strict subset of \`cidr\``,
      `${block}.except[1]: Invalid value: "x": not a valid CIDR`,
    ]);
  });

  it.each([
    [{}, '<none>'],
    [
      {
        matchLabels: { b: '2', a: '1' },
        matchExpressions: [
          { key: 'c', operator: 'In', values: ['y', 'x'] },
          { key: 'd', operator: 'DoesNotExist' },
        ],
      },
      'a=1,b=2,c in (x,y),!d',
    ],
  ])('of %j shows %j', (podSelector, text) =>
    expect(handlers.columns?.['Pod-Selector']?.(policy({ podSelector }), 0)).toBe(text),
  );
});

it('refuses new blocks that programs read differently, in later releases', () => {
  const blocks = (...cidrs: string[]) => policy(from(...cidrs.map((cidr) => ({ ipBlock: { cidr } }))));
  const found = (release: '1.35' | '1.36') =>
    changeErrorsOf(defineNetworkPolicies(emulate(release)), blocks('010.0.0.0/8', '10.0.0.1/8'), blocks('010.0.0.0/8'));
  expect([found('1.35'), found('1.36')]).toEqual([
    [],
    [
      'spec.ingress[0].from[1].ipBlock.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ],
  ]);
});
