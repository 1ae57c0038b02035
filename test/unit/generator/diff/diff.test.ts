/** Protobuf numbers and types in the lock are kept, whatever the definitions say. */
import { expect, test } from 'vitest';
import { analyseFolder } from '../../../../generator/check/load-definitions.js';
import { compareWire } from '../../../../generator/diff/diff.js';
import { folderOfTexts } from '../../../../generator/load/load-folder.js';
import { numberAnew } from '../../../../generator/lock/number-model.js';
import type { Model, ProtobufLock } from '../../../../generator/model/model.js';

function model(size: string): Model {
  const text = `
apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: lamps.example.com }
spec:
  group: example.com
  names: { plural: lamps, kind: Lamp }
  scope: Namespaced
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            size: ${size}
            name: { type: string }
`;
  return analyseFolder(folderOfTexts([{ path: 'lamps.yaml', text }])).model;
}

const id = 'example.com/v1#/Lamp';

/** Returns the lock with other numbers for fields of the kind. */
function renumbered(lock: ProtobufLock, numbers: Readonly<Record<string, number>>): ProtobufLock {
  const message = lock.get(id) ?? { fields: new Map(), reserved: [] };
  const fields = [...message.fields].map(([name, [number, type]]) => [name, [numbers[name] ?? number, type]] as const);
  return new Map([...lock, [id, { ...message, fields: new Map(fields) }]]);
}

const old = model('{ type: string }');
const lock = numberAnew(old);

test('finds nothing if the lock is empty, or all its numbers are kept', () => {
  expect(compareWire({ model: old }, { model: model('{ type: boolean }') })).toEqual([]);
  expect(compareWire({ model: old, lock }, { model: old, lock })).toEqual([]);
});

test('reports another type or number as a break of the wire', () => {
  const about = { resource: 'lamps.example.com', version: 'v1', keyword: 'protobuf', path: `${id}.size` };
  expect(compareWire({ model: old, lock }, { model: model('{ type: boolean }') })).toEqual([
    { ...about, old: 'string', new: 'bool' },
  ]);
  const [number = 0] = lock.get(id)?.fields.get('size') ?? [];
  expect(compareWire({ model: old, lock }, { model: old, lock: renumbered(lock, { size: 77 }) })).toEqual([
    { ...about, old: String(number), new: '77' },
  ]);
});
