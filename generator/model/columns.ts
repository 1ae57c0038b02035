/** The printed columns of a version. */
import type { PrinterColumn } from '../../runtime/contract/index.js';
import { compact } from '../../runtime/schema/read.js';
import type { Version } from '../load/definition-format.js';
import type { Part } from './part.js';

/** Types a column can have. */
export const COLUMN_TYPES = ['string', 'integer', 'number', 'boolean', 'date'] as const;

type WrittenColumn = NonNullable<Version['additionalPrinterColumns']>[number];

/** Reads columns besides the name, as `additionalPrinterColumns` has them. */
export function readColumns(columns: readonly Part<WrittenColumn>[]): readonly PrinterColumn[] {
  return columns.filter((column) => column.isWritten).map(readColumn);
}

function readColumn(column: Part<WrittenColumn>): PrinterColumn {
  return compact<PrinterColumn>({
    name: column.string('name') ?? '',
    type: column.choice('type', COLUMN_TYPES) ?? 'string',
    format: column.string('format'),
    description: column.string('description'),
    priority: column.number('priority'),
    jsonPath: column.string('jsonPath') ?? '',
    age: column.boolean('age'),
    introduced: column.string('introduced'),
    removed: column.string('removed'),
  });
}

type WrittenField = NonNullable<Version['selectableFields']>[number];

/** Reads paths without their leading dot, as in `spec.signerName`. */
export function readSelectableFields(fields: readonly Part<WrittenField>[]): readonly string[] {
  return fields.flatMap((field) => field.string('jsonPath')?.replace(/^\./, '') ?? []);
}
