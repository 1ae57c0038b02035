/** Replays public tables about the cells of custom resources. */
import { describe, expect, it } from 'vitest';
import { compileCell, compileTable, toTable } from '../../../../runtime/codec/table.js';
import type { ApiObject, JsonValue, PrinterColumn } from '../../../../runtime/contract/index.js';
import { hasShared, tableRows } from '../../../support/shared.js';

const table = 'apiextensions-apiserver_pkg_registry_customresource_tableconvertor';

interface Header {
  readonly Name: string;
  readonly Type: PrinterColumn['type'];
}

interface Case {
  readonly name: string;
  readonly headerType: PrinterColumn['type'] | 'unknown';
  readonly value: JsonValue;
  readonly want: JsonValue;
}

interface TableCase {
  readonly name: string;
  readonly args: { readonly obj: ApiObject };
  readonly fields: {
    readonly headers: readonly Header[];
    readonly additionalColumns?: readonly { readonly name: string; readonly parser: { readonly input: string } }[];
  };
  readonly want: { readonly Rows: readonly { readonly Cells: readonly JsonValue[] }[] };
}

/** Numbers that JSON does not have are written as objects. */
const revive = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$float' in value ? Number(value.$float) : value;

const casesOf = <T>(test: string): readonly T[] =>
  tableRows<T>(table, revive)
    .filter((row) => row.test === test)
    .map((row) => row.case);

/** About the time when the rows were written, by their ages. */
const now = Date.parse('2026-11-20T09:00:00Z');

describe.skipIf(!hasShared)('tables (skipped if they are not beside the checkout)', () => {
  it('cells of a value', () => {
    let compared = 0;
    for (const { headerType, value, want } of casesOf<Case>('Test_cellForJSONValue')) {
      // The reference prints other values of text columns elsewhere, and unknown column types are refused here.
      if (headerType === 'unknown' || (headerType === 'string' && typeof value !== 'string')) continue;
      const read = compileCell({ name: 'c', type: headerType, jsonPath: '.v' }, 'structural');
      expect(read({ v: value }, now), `${headerType} ${value}`).toEqual(want);
      compared++;
    }
    expect(compared).toBe(19);
  });

  it('rows of objects', () => {
    // The other rows hold objects of the program's types, with only a name.
    const cases = casesOf<TableCase>('Test_convertor_ConvertToTable').filter(({ fields }) => fields.additionalColumns);
    for (const { name, args, fields, want } of cases) {
      const columns = (fields.additionalColumns ?? []).map(({ name: column, parser }): PrinterColumn => {
        const type = fields.headers.find((header) => header.Name === column)?.Type ?? 'string';
        return { name: column, type, jsonPath: parser.input.replace(/^\{|\}$/g, '') };
      });
      const layout = compileTable({ columns, decoding: 'structural' });
      const { rows } = toTable(layout, [args.obj], {}, { apiVersion: 'meta.k8s.io/v1', include: 'None', now });
      expect(rows, name).toEqual(want.Rows.map(({ Cells }) => ({ cells: Cells, object: null })));
    }
    expect(cases.length).toBe(3);
  });
});
