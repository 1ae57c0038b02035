import { describe, expect, it } from 'vitest';
import {
  compileCell,
  compileTable,
  formatAge,
  partialMetadata,
  partialMetadataList,
  readIncludeObject,
  type TableRequest,
  toTable,
} from '../../../../runtime/codec/table.js';
import type { ApiObject, JsonObject, JsonValue, PrinterColumn } from '../../../../runtime/contract/index.js';
import { timeMillis } from '../../../../runtime/objects/scan/time.js';

const now = timeMillis('2024-05-06T07:08:09Z') ?? 0;
const request: TableRequest = { apiVersion: 'meta.example.com/v1', include: 'None', now };

function object(rest: Record<string, JsonValue>): ApiObject {
  return { apiVersion: 'v1', kind: 'Box', metadata: { name: 'a', creationTimestamp: '2024-05-06T07:03:09Z' }, ...rest };
}

function column(type: PrinterColumn['type'], jsonPath: string, more: Partial<PrinterColumn> = {}): PrinterColumn {
  return { name: 'Column', type, jsonPath, ...more };
}

describe('rows that would cost too much', () => {
  const text = 'x'.repeat(1_000_000);
  const list = Array.from({ length: 150_000 }, () => ({ a: 1 }));
  const cellsOf = (path: string, columns: number): JsonValue[] => {
    const same = Array.from({ length: columns }, () => column('string', path));
    return compileTable({ columns: same, decoding: 'structural' }).cells(object({ text, list, map: { list } }), now);
  };

  it('show a long text a few times, and then nothing', () => {
    const [, ...cells] = cellsOf('.text', 1000);
    expect(cells.filter((cell) => cell === text).length).toBeLessThan(10);
    expect(cells.slice(10).every((cell) => cell === null)).toBe(true);
  });

  it('show the first of many values in all columns', () => {
    expect(cellsOf('.list[*].a', 1000).slice(1)).toEqual(Array.from({ length: 1000 }, () => '1'));
  });

  it.each(['..none', '.list[?(@.a==2)].a', '.map.*[?(@.none)]', '.list[*].none', '.list[0:150000].none'])(
    'search for %s until a limit',
    (path) => {
      let reads = 0;
      const watched = new Proxy<JsonObject>(
        { a: 1 },
        {
          get(target, key) {
            reads++;
            return Reflect.get(target, key);
          },
        },
      );
      const layout = compileTable({
        columns: Array.from({ length: 50 }, () => column('string', path)),
        decoding: 'structural',
      });
      const many = Array.from({ length: 50_000 }, () => watched);
      expect(layout.cells(object({ list: many, map: { list: many } }), now).slice(1)).toEqual(Array(50).fill(null));
      expect(reads).toBeLessThan(500_000);
    },
  );
});

describe('tables', () => {
  it('put the name before the columns of a resource', () => {
    const layout = compileTable({
      columns: [column('integer', '.spec.n', { format: 'int32', priority: 1 })],
      decoding: 'structural',
    });
    const table = toTable(layout, [object({ spec: { n: 5 } })], { resourceVersion: '7' }, request);
    expect(table).toEqual({
      kind: 'Table',
      apiVersion: 'meta.example.com/v1',
      metadata: { resourceVersion: '7' },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', description: expect.any(String), priority: 0 },
        {
          name: 'Column',
          type: 'integer',
          format: 'int32',
          description: 'Custom resource definition column (in JSONPath format): .spec.n',
          priority: 1,
        },
      ],
      rows: [{ cells: ['a', 5], object: null }],
    });
  });

  it('keep the name where a resource puts it', () => {
    const columns = [column('string', '.spec.x'), column('string', '.metadata.name', { name: 'Name', priority: 1 })];
    const layout = compileTable({ columns, decoding: 'typed' });
    expect(layout.columns.map(({ name }) => name)).toEqual(['Column', 'Name']);
    expect(layout.cells(object({}), now)).toEqual(['', 'a']);
  });

  it('have name and time for a resource without columns', () => {
    const typed = compileTable({ columns: [], decoding: 'typed' });
    expect(typed.columns.map(({ name }) => name)).toEqual(['Name', 'Created At']);
    expect(typed.cells(object({}), now)).toEqual(['a', '2024-05-06T07:03:09Z']);
    expect(toTable(typed, [], {}, request).rows).toBeNull();
    expect(typed.columns.map(({ description }) => description)).not.toContain('');
    const structural = compileTable({ columns: [], decoding: 'structural' });
    expect(structural.columns.map(({ name }) => name)).toEqual(['Name', 'Age']);
    expect(structural.cells(object({}), now)).toEqual(['a', '5m']);
    expect(toTable(structural, [], {}, request).rows).toEqual([]);
  });

  it('ask the handlers of the kind first', () => {
    const layout = compileTable({
      columns: [column('string', '.spec.a'), column('string', '.spec.a', { name: 'Other' })],
      decoding: 'typed',
      own: { Column: () => 3 },
    });
    expect(layout.cells(object({ spec: { a: 'x' } }), now)).toEqual(['a', 3, 'x']);
  });

  it('have as much of the object as requested', () => {
    const layout = compileTable({ columns: [], decoding: 'typed' });
    const box = object({ spec: {} });
    const rows = (include: TableRequest['include']) => toTable(layout, [box], {}, { ...request, include }).rows;
    expect(rows('Object')).toMatchObject([{ object: box }]);
    expect(rows('Metadata')).toMatchObject([{ object: partialMetadata(box, 'meta.example.com/v1') }]);
    expect(toTable(layout, [box], {}, { ...request, withoutColumns: true }).columnDefinitions).toBeNull();
  });

  it('validate the options of a request', () => {
    expect(readIncludeObject('')).toEqual({ ok: true, value: 'Metadata' });
    expect(readIncludeObject('Object')).toEqual({ ok: true, value: 'Object' });
    const refused = readIncludeObject('none');
    expect(refused.ok ? '' : refused.failure.message).toBe(
      `Unable to convert to Table as requested: includeObject: Invalid value: "none": must be 'Metadata', 'Object', 'None', or empty`,
    );
  });

  it('return lists of metadata only, too', () => {
    const box = object({ spec: {} });
    const list = partialMetadataList([box], { resourceVersion: '1' }, 'm/v1');
    expect(list).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'm/v1',
      metadata: { resourceVersion: '1' },
      items: [{ kind: 'PartialObjectMetadata', apiVersion: 'm/v1', metadata: box.metadata }],
    });
    expect(partialMetadataList([], {}, 'm/v1').items).toBeNull();
  });
});

describe('cells', () => {
  it.each<[PrinterColumn['type'], JsonValue | undefined, JsonValue, JsonValue]>([
    ['string', undefined, null, ''],
    ['string', 'x', 'x', 'x'],
    ['string', 5, '5', 5],
    ['string', true, 'true', true],
    ['string', null, '<no value>', ''],
    ['string', { b: '<', a: 1 }, '{"a":1,"b":"\\u003c"}', '{"a":1,"b":"\\u003c"}'],
    ['integer', undefined, null, 0],
    ['integer', 3.7, 3, 3.7],
    ['integer', 'x', null, 'x'],
    ['integer', 9223372036854775807n, 9223372036854775807n, 9223372036854775807n],
    ['number', 2.5, 2.5, 2.5],
    ['number', 5n, 5, 5n],
    ['boolean', undefined, null, false],
    ['boolean', 'true', null, 'true'],
    ['date', undefined, null, '<unknown>'],
    ['date', '2024-05-06T07:08:00Z', '9s', '9s'],
    ['date', '', '<unknown>', '<unknown>'],
    ['date', 'soon', '<invalid>', '<invalid>'],
    ['date', '2999-01-01T00:00:00Z', '<invalid>', '<invalid>'],
  ])('of type %s (case %#)', (type, value, structural, typed) => {
    const box = object(value === undefined ? {} : { v: value });
    expect(compileCell(column(type, '.v'), 'structural')(box, now)).toEqual(structural);
    expect(compileCell(column(type, '.v'), 'typed')(box, now)).toEqual(typed);
  });

  it('are ages in columns of any type with that format', () => {
    expect(compileCell(column('string', '.metadata.creationTimestamp', { age: true }), 'typed')(object({}), now)).toBe(
      '5m',
    );
  });

  it('are empty if a path cannot be read', () => {
    expect(compileCell(column('string', 'nonsense'), 'structural')(object({}), now)).toBeNull();
  });
});

describe('formatAge', () => {
  it('counts from now', () => {
    expect(formatAge('2024-05-01T07:08:09Z', now)).toBe('5d');
    expect(formatAge('2024-05-06T03:48:09Z', now)).toBe('3h20m');
    expect(formatAge('null', now)).toBe('<unknown>');
  });
});
