/** The versions of a resource as field ownership asks for them. */
import type { VersionSource } from '../../merge/index.js';
import type { ServedResource } from '../served-resource.js';
import { convertBetween } from './versions.js';

/** Versions as field ownership asks for them. */
export function versionSource(sibling: (apiVersion: string) => ServedResource | undefined): VersionSource {
  return {
    versionOf: (apiVersion) => {
      const resource = sibling(apiVersion);
      return resource && { plan: resource.plan, resetFields: resource.resetFields('') };
    },
    convert: (object, from, to) => {
      const [source, target] = [sibling(from), sibling(to)];
      return { ok: true, value: source && target ? convertBetween(source, target, object) : object };
    },
  };
}
