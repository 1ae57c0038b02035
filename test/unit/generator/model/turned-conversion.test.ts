/** Conversions do not change if another version is stored. */
import { describe, expect, it } from 'vitest';
import { analyseFolder } from '../../../../generator/check/load-definitions.js';
import { compareModels } from '../../../../generator/diff/compare/compare-models.js';
import { modulesOf } from '../../../../generator/emit/modules.js';
import { folderOfTexts } from '../../../../generator/load/load-folder.js';
import { numberAnew } from '../../../../generator/lock/number-model.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineConverter } from '../../../../runtime/server/index.js';
import { nativeResource } from '../../../support/kinds.js';

const text = { type: 'string' };
const number = { type: 'integer' };
const specOf = (properties: object, more: object = {}) => ({
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties, ...more } } } },
});

const versions = {
  v2: specOf(
    {
      type: { type: 'string', enum: ['kitchen'] },
      heat: { type: 'object', properties: { degrees: number, fan: { type: 'boolean' } } },
      seconds: { type: 'integer', minimum: 0, maximum: 86400, multipleOf: 60 },
      room: { type: 'string', pattern: '^[a-z]+$' },
      floor: { type: 'string', pattern: '^[0-9]+$' },
      address: { type: 'string', pattern: '^[a-z.]+(:[0-9]+)?$' },
      bells: { type: 'array', items: text },
      tone: { type: 'string', enum: ['low', 'high'] },
      size: { type: 'string', enum: ['Big', 'Small'] },
      rings: { type: 'array', items: { type: 'object', properties: { count: number } } },
    },
    { required: ['type'], 'x-kubernetes-validations': [{ rule: '!has(self.floor) || has(self.room)' }] },
  ),
  v1: {
    conversion: {
      steps: [
        { move: { field: 'spec.degrees', stored: 'spec.heat.degrees' } },
        { annotation: { key: 'example.com/heat', stored: 'spec.heat' } },
        {
          expression: { field: 'spec.minutes', stored: 'spec.seconds', toStored: 'self * 60', fromStored: 'self / 60' },
        },
        { split: { field: 'spec.place', stored: ['spec.room', 'spec.floor'], separator: '/' } },
        { join: { fields: ['spec.host', 'spec.port'], stored: 'spec.address', separator: ':' } },
        { wrap: { field: 'spec.bell', stored: 'spec.bells', annotation: 'example.com/bells' } },
        { default: { field: 'spec.tone', value: 'low', annotation: 'example.com/tone' } },
        { constant: { stored: 'spec.type', value: 'kitchen' } },
        {
          values: {
            field: 'spec.size',
            stored: 'spec.size',
            pairs: [
              { field: 'big', stored: 'Big' },
              { field: 'small', stored: 'Small' },
            ],
          },
        },
        { within: { path: 'spec.rings[]', steps: [{ move: { field: 'number', stored: 'count' } }] } },
      ],
    },
    ...specOf(
      {
        degrees: number,
        minutes: { type: 'integer', minimum: 0, maximum: 1440 },
        place: { type: 'string', pattern: '^[a-z]+(/[0-9]+)?$' },
        host: { type: 'string', pattern: '^[a-z.]+$' },
        port: { type: 'string', pattern: '^[0-9]+$' },
        bell: text,
        tone: { type: 'string', enum: ['low', 'high'] },
        size: { type: 'string', enum: ['big', 'small'] },
        rings: { type: 'array', items: { type: 'object', properties: { number } } },
      },
      { 'x-kubernetes-validations': [{ rule: '!has(self.port) || has(self.host)' }] },
    ),
  },
  v1beta1: {
    conversion: {
      steps: [
        { move: { field: 'spec.hot', stored: 'spec.heat' } },
        { annotation: { key: 'example.com/seconds', stored: 'spec.seconds' } },
      ],
    },
    ...specOf(
      {
        type: { type: 'string', enum: ['kitchen'] },
        hot: { type: 'object', properties: { degrees: number, fan: { type: 'boolean' } } },
        room: { type: 'string', pattern: '^[a-z]+$' },
        floor: { type: 'string', pattern: '^[0-9]+$' },
        address: { type: 'string', pattern: '^[a-z.]+(:[0-9]+)?$' },
        bells: { type: 'array', items: text },
        tone: { type: 'string', enum: ['low', 'high'] },
        size: { type: 'string', enum: ['Big', 'Small'] },
        rings: { type: 'array', items: { type: 'object', properties: { count: number } } },
      },
      { required: ['type'], 'x-kubernetes-validations': [{ rule: '!has(self.floor) || has(self.room)' }] },
    ),
  },
};

function load(stored: string, all: object = versions) {
  const definition = nativeResource({
    kind: 'Timer',
    versions: Object.entries(all).map(([name, version]) => ({ name, storage: name === stored, ...version })),
  });
  return analyseFolder(folderOfTexts([{ path: 'timers.json', text: JSON.stringify(definition) }]));
}

const object = {
  apiVersion: 'example.com/v2',
  kind: 'Timer',
  metadata: { name: 'egg' },
  spec: {
    type: 'kitchen',
    heat: { degrees: 220, fan: true },
    seconds: 300,
    room: 'hall',
    floor: '2',
    address: 'bell.local:80',
    bells: ['a', 'b'],
    tone: 'high',
    size: 'Big',
    rings: [{ count: 1 }, { count: 2 }],
  },
};

describe('conversions', () => {
  it.each(['v1', 'v1beta1'])('convert as before when %s is stored, without a mistake or a warning', async (stored) => {
    const [usual, turned] = ['v2', stored].map((name) => {
      const { model, diagnostics } = load(name);
      expect(diagnostics).toEqual([]);
      const modules = modulesOf({ ...model, protobuf: numberAnew(model) });
      const convert = defineConverter({ modules, naming: platformNaming });
      return async (from: JsonObject, to: string): Promise<JsonObject> => {
        const converted = await convert(structuredClone(from), `example.com/${to}`);
        if (!converted.ok) throw new Error(converted.failure.message);
        return converted.value.object;
      };
    });
    for (const from of Object.keys(versions)) {
      const own = (await usual?.(object, from)) ?? {};
      for (const to of Object.keys(versions)) expect(await turned?.(own, to)).toEqual(await usual?.(own, to));
    }
  });

  it.each(['v1', 'v1beta1'])('do not count as changed when %s is stored', (stored) => {
    const [compared] = compareModels(load('v2').model, load(stored).model);
    expect(compared?.differences.map(({ keyword }) => keyword)).toEqual(['storage']);
    expect(compared?.versions).toEqual([]);
  });

  it.each([
    [
      'a step',
      { steps: [{ move: { field: 'spec.a', stored: 'spec.b', type: 'string' } }] },
      'the step `move` cannot be reversed; write the conversion in v2 instead, from this version',
    ],
    [
      'code',
      { function: 'own' },
      'the function own cannot be reversed; write the conversion in v2 instead, from this version',
    ],
  ])('are refused if %s cannot be reversed', (_name, conversion, message) => {
    const { diagnostics } = load('v1', { v2: specOf({ b: text }), v1: { conversion, ...specOf({ a: text }) } });
    expect(diagnostics).toMatchObject([{ code: 'KF4031', message }]);
  });

  it('are refused if they lead to no single version', () => {
    const { diagnostics } = load('v1', { v2: specOf({}), v3: specOf({}), v1: { conversion: {}, ...specOf({}) } });
    const message =
      'the stored version has a conversion, so exactly one other version must have none; v2, v3 have none';
    expect(diagnostics).toMatchObject([{ code: 'KF4031', message }]);
  });
});
