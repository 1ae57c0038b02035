/** The columns that a definition may have its tables print. */
import type { CustomResourceColumnDefinition } from '../../../generated/types/apiextensions/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { simplePathErrors } from './simple-path.js';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

type Column = Draft<CustomResourceColumnDefinition>;

/** Errors of the columns of a version, or of all versions; `path` is that of their parent. */
export function* columnErrors(columns: readonly Column[] = [], path: string): FieldErrors {
  for (const [i, column] of columns.entries()) {
    yield* oneErrors(column, `${path}.additionalPrinterColumns[${i}]`);
  }
}

function* oneErrors({ name, type = '', format = '', jsonPath = '' }: Column, path: string): FieldErrors {
  if (!name) yield required(`${path}.name`);
  if (type === '') yield required(`${path}.type`, `must be one of ${types.join(',')}`);
  else if (!types.includes(type)) yield invalidValue(`${path}.type`, type, `must be one of ${types.join(',')}`);
  if (format !== '' && !formats.includes(format)) {
    yield invalidValue(`${path}.format`, format, `must be one of ${formats.join(',')}`);
  }
  if (jsonPath === '') yield required(`${path}.JSONPath`);
  else yield* simplePathErrors(jsonPath, `${path}.JSONPath`);
}
