/** The printed columns of a version. */
import type { PrinterColumn } from '../../runtime/contract/index.js';
import {
  boolean,
  compact,
  get,
  isObject,
  list,
  number,
  oneOf,
  type Raw,
  string,
} from '../../runtime/schema/reading/read.js';

/** Types a column can have. */
export const COLUMN_TYPES = ['string', 'integer', 'number', 'boolean', 'date'] as const;

/** Columns besides the name, as `additionalPrinterColumns` has them; none where nothing is written. */
export function readColumns(raw: Raw): readonly PrinterColumn[] {
  return list(raw).filter(isObject).map(readColumn);
}

function readColumn(raw: Raw): PrinterColumn {
  return compact<PrinterColumn>({
    name: string(get(raw, 'name')) ?? '',
    type: oneOf(COLUMN_TYPES)(get(raw, 'type')) ?? 'string',
    format: string(get(raw, 'format')),
    description: string(get(raw, 'description')),
    priority: number(get(raw, 'priority')),
    jsonPath: string(get(raw, 'jsonPath')) ?? '',
    age: boolean(get(raw, 'age')),
  });
}
