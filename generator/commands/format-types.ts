/** Checks that the types of the definition format match the JSON Schemas in `schemas/meta`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The file that holds the types. `packages/tools/print-format-types.ts` prints it. */
export const FORMAT_TYPES = join(root, 'generator/load/definition-format.ts');

/** The file in `schemas/meta` of each type. */
export const formats = {
  SchemaNode: 'schema-node.schema.json',
  TypeLibrary: 'type-library.schema.json',
  ResourceDefinition: 'resource-definition.schema.json',
};

/** Returns whether the types were printed from the current schemas. */
export const areFormatTypesCurrent = (): boolean => readFileSync(FORMAT_TYPES, 'utf8').startsWith(formatTypesHeader());

/** Returns the first line of the file, which has a hash of the schemas. */
export function formatTypesHeader(): string {
  const hash = createHash('sha256');
  for (const file of Object.values(formats)) hash.update(readFormat(file));
  const short = hash.digest('hex').slice(0, 16);
  return `/** The definition format as types. Printed by \`npm run generate:format\` from schemas/meta (${short}); do not edit. */\n`;
}

/** Returns the text of a file of `schemas/meta`. */
export const readFormat = (file: string): string => readFileSync(join(root, 'schemas/meta', file), 'utf8');
