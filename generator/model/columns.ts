/** The printed columns of a version. */
import type { PrinterColumn } from '../../runtime/contract/index.js';
import { compact } from '../../runtime/schema/read.js';
import type { Version } from '../load/definition-format.js';
import type { VersionModel } from './model.js';
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

/** Reads paths without their leading dot, as in `spec.signerName`, and the releases that added some of them. */
export function readSelectableFields(
  fields: readonly Part<WrittenField>[],
): Pick<VersionModel, 'selectableFields' | 'laterFields'> {
  const selectableFields: string[] = [];
  const laterFields: Record<string, string> = {};
  for (const field of fields) {
    const path = field.string('jsonPath')?.replace(/^\./, '');
    if (path === undefined) continue;
    selectableFields.push(path);
    const introduced = field.string('introduced');
    if (introduced !== undefined) laterFields[path] = introduced;
  }
  return { selectableFields, ...(Object.keys(laterFields).length > 0 && { laterFields }) };
}
