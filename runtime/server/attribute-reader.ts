/** Reads the selectable attributes of objects that are found in a store when it is opened. */
import type { AttributeReader, ResourceModule, Strategy } from '../contract/index.js';
import { isApiObject } from '../objects/guards.js';
import type { Naming } from '../objects/naming.js';
import { attributesOf, type ServedResource, serveResource } from '../pipeline/served-resource.js';
import { kindOf, underNaming } from './named-modules.js';

/** A reader for the resources of these modules; objects of others keep their labels and no fields. */
export function attributeReader(
  modules: readonly ResourceModule[],
  naming: Naming,
  strategies: readonly Strategy[] = [],
): AttributeReader {
  const resources = new Map<string, ServedResource>();
  for (const module of modules) {
    if (!module.storage) continue;
    const named = underNaming(module, naming);
    const strategy = strategies.find(({ kind }) => kind === kindOf(named));
    const resource = serveResource(named, strategy === undefined ? {} : { strategy });
    resources.set(resource.keyPrefix, resource);
  }
  return (key, object) => {
    if (!isApiObject(object)) return { labels: {}, fields: {} };
    const [group = '', plural = ''] = key.split('/', 2);
    const resource = resources.get(`${group}/${plural}/`);
    return resource ? attributesOf(resource, object) : { labels: object.metadata.labels ?? {}, fields: {} };
  };
}
