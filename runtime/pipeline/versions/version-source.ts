/** The versions of a resource as field ownership asks for them. */
import type { VersionSource } from '../../merge/index.js';
import type { ServedResource } from '../served-resource.js';
import { conversionFailure } from './conversion-faults.js';
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
      if (!source || !target) return { ok: true, value: object };
      const failure = source.stored.fallible.length === 0 ? undefined : conversionFailure(source, target, object);
      return failure ? { ok: false, failure } : { ok: true, value: convertBetween(source, target, object) };
    },
  };
}
