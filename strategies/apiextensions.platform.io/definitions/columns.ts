/** Which columns a definition may have its tables print. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { checkPresent, type FieldErrors } from '../../shared/field-checks.js';
import { objectsAt } from '../../shared/reading.js';
import { simplePathErrors } from './simple-path.js';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** What is wrong with the columns of a version, or of all versions; `path` is that of their parent. */
export function* columnErrors(parent: JsonObject, path: string): FieldErrors {
  for (const [i, column] of objectsAt(parent, 'additionalPrinterColumns').entries()) {
    yield* oneErrors(column, `${path}.additionalPrinterColumns[${i}]`);
  }
}

function* oneErrors(column: JsonObject, path: string): FieldErrors {
  yield* checkPresent(column, 'name', path);
  const type = stringAt(column, 'type');
  if (type === '') yield required(`${path}.type`, `must be one of ${types.join(',')}`);
  else if (!types.includes(type)) yield invalidValue(`${path}.type`, type, `must be one of ${types.join(',')}`);
  const format = stringAt(column, 'format');
  if (format !== '' && !formats.includes(format)) {
    yield invalidValue(`${path}.format`, format, `must be one of ${formats.join(',')}`);
  }
  const jsonPath = stringAt(column, 'jsonPath');
  if (jsonPath === '') yield required(`${path}.JSONPath`);
  else yield* simplePathErrors(jsonPath, `${path}.JSONPath`);
}
