/** Kinds with relations, for tests: environments, hosts and notes that name projects. */
import { analyseFolder } from '../../generator/check/load-definitions.js';
import { modulesOf } from '../../generator/emit/modules.js';
import { folderOfTexts } from '../../generator/load/load-folder.js';
import type { JsonObject, ResourceModule } from '../../runtime/contract/index.js';
import { nativeResource, versionOf } from './kinds.js';

/** The group of the kinds. */
export const relatedGroup = 'shop.example.com';

/** Returns a definition with text fields in its spec. */
export function relatedDefinition(kind: string, fields: readonly string[], more: JsonObject = {}): JsonObject {
  const properties = Object.fromEntries(fields.map((name) => [name, { type: 'string' }]));
  const spec = { type: 'object', properties };
  const status = { type: 'object', properties: { phase: { type: 'string' } } };
  const version = versionOf('v1', true, { type: 'object', properties: { spec, status } });
  const versions = [{ ...version, subresources: { status: {} } }];
  return nativeResource({ kind, group: relatedGroup, versions, spec: more });
}

/** Returns the modules of definitions. Throws if they have mistakes. */
export function modulesOfDefinitions(...definitions: readonly JsonObject[]): readonly ResourceModule[] {
  const texts = definitions.map((one, index) => ({ path: `${index}.json`, text: JSON.stringify(one) }));
  const { model, diagnostics } = analyseFolder(folderOfTexts(texts));
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return modulesOf(model);
}

/** Returns the path of a kind's collection. */
export const relatedPath = (plural: string, namespace = 'default'): string =>
  `/apis/${relatedGroup}/v1/namespaces/${namespace}/${plural}`;

/** Returns an object of a kind. */
export const relatedObject = (kind: string, name: string, spec: JsonObject = {}, metadata: JsonObject = {}) => ({
  apiVersion: `${relatedGroup}/v1`,
  kind,
  metadata: { name, ...metadata },
  spec,
});
