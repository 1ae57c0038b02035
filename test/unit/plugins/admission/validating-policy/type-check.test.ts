import { describe, expect, it } from 'vitest';
import { policyTypeWarnings } from '../../../../../plugins/index.js';
import type { JsonObject, Schema } from '../../../../../runtime/contract/index.js';
import { indexOf } from '../../../../support/admission-host.js';
import { moduleOf } from '../../../../support/modules.js';
import { policy } from './policies.js';

const withSpec = (properties: Record<string, Schema>): { readonly schema: Schema } => ({
  schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});
const lamps = moduleOf('shop.example.com', 'lamps', 'Lamp', withSpec({ watts: { type: 'integer' } }));
const bulbs = moduleOf('shop.example.com', 'bulbs', 'Bulb', withSpec({ watts: { type: 'string' } }));
const core = moduleOf('', 'lamps', 'Lamp', withSpec({ watts: { type: 'boolean' } }));
const all = indexOf([lamps, bulbs, core]);

const about = (rule: JsonObject): JsonObject => ({
  resourceRules: [
    { apiGroups: ['shop.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['lamps'], ...rule },
  ],
});
const warningsOf = (
  expressions: readonly string[],
  rule: JsonObject = {},
  more: JsonObject = {},
  later: boolean = false,
) =>
  policyTypeWarnings(
    policy({ matchConstraints: about(rule), validations: expressions.map((expression) => ({ expression })), ...more }),
    all,
    later,
  );

describe('warnings about the types of a policy', () => {
  it('are empty if everything matches', async () => {
    const good = [
      'object.spec.watts > 1',
      'oldObject.spec.watts == object.spec.watts',
      "request.operation == 'CREATE'",
    ];
    expect(
      await warningsOf([...good, "object.metadata.labels['a'] == 'b'", 'object.kind == object.apiVersion']),
    ).toEqual([]);
  });

  it('name the place and the problem', async () =>
    expect(await warningsOf(['true', 'object.spec.nope > 1', "object.metadata.labels['a'] == 1"])).toEqual([
      {
        fieldRef: 'spec.validations[1].expression',
        warning:
          "shop.example.com/v1, Kind=Lamp: ERROR: <input>:1:12: undefined field 'nope'\n | object.spec.nope > 1\n | ...........^",
      },
      {
        fieldRef: 'spec.validations[2].expression',
        warning:
          "shop.example.com/v1, Kind=Lamp: ERROR: <input>:1:29: found no matching overload for '_==_' applied to '(string, int)'\n | object.metadata.labels['a'] == 1\n | ............................^",
      },
    ]));

  it('know variables, messages and the authorizer after release 1.27', async () => {
    const validations = [
      {
        expression: "authorizer.path('/x').check('get').allowed() && variables.watts > 1",
        messageExpression: "'x' + 1",
      },
      { expression: "variables.watts == 'x'" },
      { expression: "namespaceObject.metadata.name == 'a'" },
    ];
    const variables = [
      { name: 'spec', expression: 'object.spec' },
      { name: 'watts', expression: 'variables.spec.watts' },
    ];
    const found = await warningsOf([], {}, { validations, variables }, true);
    expect(found.map(({ fieldRef, warning }) => [fieldRef, String(warning).split('\n')[0]])).toEqual([
      [
        'spec.validations[0].messageExpression',
        "shop.example.com/v1, Kind=Lamp: ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(string, int)'",
      ],
      [
        'spec.validations[1].expression',
        "shop.example.com/v1, Kind=Lamp: ERROR: <input>:1:17: found no matching overload for '_==_' applied to '(int, string)'",
      ],
    ]);
  });

  it('name each kind that does not match, in order', async () => {
    const [{ warning } = { warning: '' }] = await warningsOf(["object.spec.watts == '1'"], {
      resources: ['lamps', 'bulbs'],
    });
    expect(warning).toMatch(/^shop.example.com\/v1, Kind=Lamp: /);
    const [both] = await warningsOf(['object.spec.watts == true'], { resources: ['lamps', 'bulbs'] });
    expect(String(both?.warning).match(/Kind=\w+/g)).toEqual(['Kind=Bulb', 'Kind=Lamp']);
  });

  it('look for the core group in all groups', async () => {
    const [found] = await warningsOf(['object.spec.watts == 1.5'], { apiGroups: [''] });
    expect(String(found?.warning).match(/\S*, Kind=\w+/g)).toEqual([
      '/v1, Kind=Lamp',
      'shop.example.com/v1, Kind=Lamp',
    ]);
  });

  it.each<[string, JsonObject]>([
    ['groups are not named', { apiGroups: ['*'] }],
    ['versions are not named', { apiVersions: ['*'] }],
    ['resources are not named', { resources: ['*'] }],
    ['only subresources are named', { resources: ['lamps/status'] }],
    ['there is no such kind', { resources: ['candles'] }],
  ])('are empty if %s', async (_, rule) => expect(await warningsOf(['object.spec.nope == 1'], rule)).toEqual([]));

  it('stop at the limit', async () => {
    const expressions = Array.from({ length: 400 }, () => `object.spec.nope == '${'x'.repeat(1000)}'`);
    const warnings = await warningsOf(expressions);
    expect(warnings.length).toBeGreaterThan(50);
    expect(warnings.length).toBeLessThan(400);
  });

  it('know the type of parameters if their kind is served', async () => {
    const expressions = ["params.spec.watts == 'x'"];
    const kind = (name: string): JsonObject => ({ paramKind: { apiVersion: 'shop.example.com/v1', kind: name } });
    expect(await warningsOf(expressions, {}, kind('Lamp'))).toHaveLength(1);
    expect(await warningsOf(expressions, {}, kind('Candle'))).toEqual([]);
  });
});
