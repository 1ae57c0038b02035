/** Prints versions as messages show them: as the source of a value, in which pointers have an address. */
import { quote } from '../../../runtime/objects/printing.js';
import type { Version } from './definition.js';

/** Stands for any address, since addresses carry no information. */
const address = '0xc000000000';

const pointer = (type: string, isThere: boolean): string => `(*${type})(${isThere ? address : 'nil'})`;

/** Versions as a list. */
export function versionsSource(versions: readonly Version[]): string {
  return `[]apiextensions.CustomResourceDefinitionVersion{${versions.map(versionSource).join(', ')}}`;
}

/** One version without the parts that all versions have in common. */
export function versionSource(version: Version): string {
  const { name = '', served = false, storage = false, deprecated = false } = version;
  const fields = [
    `Name:${quote(name)}`,
    `Served:${served}`,
    `Storage:${storage}`,
    `Deprecated:${deprecated}`,
    `DeprecationWarning:${pointer('string', version.deprecationWarning !== undefined)}`,
    `Schema:${pointer('apiextensions.CustomResourceValidation', version.schema !== undefined)}`,
    `Subresources:${pointer('apiextensions.CustomResourceSubresources', version.subresources !== undefined)}`,
    `AdditionalPrinterColumns:${columnsSource(version)}`,
  ];
  return `apiextensions.CustomResourceDefinitionVersion{${fields.join(', ')}}`;
}

type Column = NonNullable<Version['additionalPrinterColumns']>[number];

function columnsSource({ additionalPrinterColumns: columns = [] }: Version): string {
  const type = '[]apiextensions.CustomResourceColumnDefinition';
  return columns.length === 0 ? `${type}(nil)` : `${type}{${columns.map(columnSource).join(', ')}}`;
}

function columnSource(column: Column): string {
  const { name = '', type = '', format = '', description = '', priority = 0, jsonPath = '' } = column;
  const texts = [`Name:${quote(name)}`, `Type:${quote(type)}`, `Format:${quote(format)}`];
  const fields = [...texts, `Description:${quote(description)}`, `Priority:${priority}`, `JSONPath:${quote(jsonPath)}`];
  return `apiextensions.CustomResourceColumnDefinition{${fields.join(', ')}}`;
}
