/** Prints definitions as YAML that every reader takes for the same, YAML 1.1 ones included. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../runtime/contract/index.js';

/** The text of a file; keys keep their order, long texts are folded. */
export function printDefinition(value: JsonObject): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 120, version: '1.1' });
}
