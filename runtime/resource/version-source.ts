/** The versions of a resource as field ownership asks for them. */
import type { VersionSource } from '../merge/index.js';
import { conversionFailure } from './conversion-faults.js';
import type { ServedResource } from './served-resource.js';
import { convertBetween } from './versions.js';

/**
 * Versions as field ownership asks for them. Objects that are served in two groups have owners in one of them: a write in
 * the other knows nothing of these versions, so that the owners are forgotten.
 */
export function versionSource(
  group: string,
  sibling: (apiVersion: string) => ServedResource | undefined,
): VersionSource {
  return {
    versionOf: (apiVersion) => {
      const resource = sibling(apiVersion);
      if (resource?.module.group !== group) return undefined;
      return { plan: resource.plan, resetFields: resource.resetFields('') };
    },
    convert: (object, from, to) => {
      const [source, target] = [sibling(from), sibling(to)];
      if (!source || !target) return { ok: true, value: object };
      const failure = source.stored.fallible.length === 0 ? undefined : conversionFailure(source, target, object);
      return failure ? { ok: false, failure } : { ok: true, value: convertBetween(source, target, object) };
    },
  };
}
