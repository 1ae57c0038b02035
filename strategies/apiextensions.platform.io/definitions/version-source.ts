/** Prints versions as messages show them: as the source of a value, in which pointers have an address. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, stringAt } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import { hasAt, isTrueAt, objectsAt } from '../../shared/reading.js';

/** Stands for any address: where a value is says nothing of it. */
const address = '0xc000000000';

const pointer = (type: string, isThere: boolean): string => `(*${type})(${isThere ? address : 'nil'})`;

/** Versions as a list. */
export function versionsSource(versions: readonly JsonObject[]): string {
  return `[]apiextensions.CustomResourceDefinitionVersion{${versions.map(versionSource).join(', ')}}`;
}

/** One version; what all versions have in common is no longer in it. */
export function versionSource(version: JsonObject): string {
  const fields = [
    `Name:${quote(stringAt(version, 'name'))}`,
    `Served:${isTrueAt(version, 'served')}`,
    `Storage:${isTrueAt(version, 'storage')}`,
    `Deprecated:${isTrueAt(version, 'deprecated')}`,
    `DeprecationWarning:${pointer('string', hasAt(version, 'deprecationWarning'))}`,
    `Schema:${pointer('apiextensions.CustomResourceValidation', hasAt(version, 'schema'))}`,
    `Subresources:${pointer('apiextensions.CustomResourceSubresources', hasAt(version, 'subresources'))}`,
    `AdditionalPrinterColumns:${columnsSource(version)}`,
  ];
  return `apiextensions.CustomResourceDefinitionVersion{${fields.join(', ')}}`;
}

function columnsSource(version: JsonObject): string {
  const type = '[]apiextensions.CustomResourceColumnDefinition';
  const columns = objectsAt(version, 'additionalPrinterColumns');
  return columns.length === 0 ? `${type}(nil)` : `${type}{${columns.map(columnSource).join(', ')}}`;
}

function columnSource(column: JsonObject): string {
  const text = (key: string): string => quote(stringAt(column, key));
  const names = `Name:${text('name')}, Type:${text('type')}, Format:${text('format')}, Description:${text('description')}`;
  const priority = String(getOwn(column, 'priority') ?? 0);
  return `apiextensions.CustomResourceColumnDefinition{${names}, Priority:${priority}, JSONPath:${text('jsonPath')}}`;
}
