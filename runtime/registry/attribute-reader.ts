/** Reads the selectable attributes of objects that are found in a store when it is opened. */
import type { AttributeReader, NamedConversion, ResourceModule, Strategy } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { isApiObject } from '../objects/guards.js';
import type { Naming } from '../objects/naming.js';
import { attributesOf } from '../pipeline/resource/selectable-fields.js';
import { asCurrent } from '../pipeline/versions/versions.js';
import { underNaming } from './named-modules.js';
import { buildRegistry, type Registry } from './registry.js';

/**
 * A reader for the resources of these modules; objects of others keep their labels and no fields. What was stored in
 * another version than the one that stores now is marked as outdated.
 */
export function attributeReader(
  modules: readonly ResourceModule[],
  naming: Naming,
  strategies: readonly Strategy[] = [],
  conversions: readonly NamedConversion[] = [],
): AttributeReader {
  const build = (): Registry =>
    buildRegistry({
      modules: modules.map((module) => underNaming(module, naming)),
      strategies,
      plugins: [],
      featureEnabled: () => true,
      conversions,
      rename: naming.rename,
    });
  // Built with the first object that is read, as a store that is empty needs none.
  let registry: Registry | undefined;
  return (key, object) => {
    if (!isApiObject(object)) return { labels: {}, fields: {} };
    const [group = '', plural = ''] = key.split('/', 2);
    registry ??= build();
    const resource = registry.stored(group, plural);
    if (!resource) return { labels: object.metadata.labels ?? {}, fields: {} };
    if (object.apiVersion === resource.apiVersion) return attributesOf(resource, object);
    return { ...attributesOf(resource, asCurrent(resource, clone(object))), outdated: true };
  };
}
