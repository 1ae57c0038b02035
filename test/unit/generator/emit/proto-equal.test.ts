/** Equal messages of custom resources are printed once, under the name that most fields give them. */
import { describe, expect, it } from 'vitest';
import { protoEmitter } from '../../../../generator/emit/proto.js';
import { numberAnew } from '../../../../generator/lock/number-model.js';
import type { Model } from '../../../../generator/model/model.js';
import type { Schema } from '../../../../runtime/contract/index.js';
import { outputText } from '../../../support/output-text.js';
import { customResource, modelOf } from './emitting.js';

const port: Schema = {
  type: 'object',
  description: 'A way in.',
  properties: { number: { type: 'integer', description: 'What it listens on.' }, name: { type: 'string' } },
};
const spec = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });

const protoOf = (model: Model): string => {
  const files = protoEmitter.emitModel?.({ ...model, protobuf: numberAnew(model) }) ?? [];
  const file = files.find(({ path }) => path === 'proto/example.com/v1.proto');
  return file === undefined ? '' : outputText(file);
};
const messagesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^message (\w+)/gm)].map(([, name = '']) => name);

describe('equal messages', () => {
  const model = modelOf(
    customResource({ kind: 'Door', spec: spec({ main: port, port, own: { type: 'boolean' } }) }),
    customResource({ kind: 'Gate', spec: spec({ port }) }),
  );
  const text = protoOf(model);

  it('are printed once, without the descriptions of their fields', () => {
    expect(messagesIn(text)).toEqual(['Door', 'DoorList', 'DoorSpec', 'Gate', 'GateList', 'GateSpec', 'Port']);
    expect(text).toContain('message Port {\n  // What it listens on.\n  optional int64 number = 1;');
    expect(text.match(/\/\/ A way in\./g)).toHaveLength(3);
  });

  it('are the type of all fields that have them', () => {
    expect(text).toContain('optional .com.example.v1.Port main = 1;');
    expect(text.match(/optional \.com\.example\.v1\.Port port/g)).toHaveLength(2);
  });
});

it('messages with other numbers, descriptions or parts are not equal', () => {
  const described: Schema = {
    ...port,
    properties: { ...port.properties, number: { type: 'integer', description: 'Else.' } },
  };
  const reordered: Schema = { ...port, properties: { name: { type: 'string' }, ...port.properties } };
  const model = modelOf(customResource({ kind: 'Door', spec: spec({ a: port, b: described, c: reordered }) }));
  expect(messagesIn(protoOf(model)).filter((name) => name.startsWith('DoorSpec'))).toEqual([
    'DoorSpec',
    'DoorSpecA',
    'DoorSpecB',
    'DoorSpecC',
  ]);
});

it('the messages of kinds stay apart, and parts of equal parts are merged', () => {
  const inner = spec({ port, more: { type: 'object', properties: { port } } });
  const model = modelOf(customResource({ kind: 'Door', spec: inner }), customResource({ kind: 'Gate', spec: inner }));
  expect(messagesIn(protoOf(model))).toEqual(['Door', 'DoorList', 'DoorSpec', 'Gate', 'GateList', 'More', 'Port']);
});
