/** Makes resource modules of a CustomResourceDefinition that a running server has been given. */
import type { JsonObject, ResourceModule } from '../../runtime/contract/index.js';
import { get, string } from '../../runtime/schema/read.js';
import { readCustomResource } from '../model/custom-resource.js';
import { moduleOf } from './module-of.js';

/**
 * The module of every version of a definition, which the server has found valid before it stored it. What it says is
 * read as that of a file would be.
 */
export function modulesOfCustomResource(definition: JsonObject): readonly ResourceModule[] {
  const name = string(get(get(definition, 'metadata'), 'name')) ?? '';
  const resource = readCustomResource(definition, { path: name, hash: '' });
  return resource.versions.map((version) => moduleOf(resource, version, undefined));
}
