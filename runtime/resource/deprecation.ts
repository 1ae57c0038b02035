/** The notice for users of a deprecated version. */
import type { Deprecation, ResourceModule, Stability } from '../contract/index.js';
import { formatGroupVersion } from '../objects/gvk.js';
import { isReached } from '../objects/release.js';

/**
 * The notice of a version in a release: that of its definition, or one made of its stability; `undefined` where nobody
 * advises against it yet.
 */
export function deprecationOf(module: ResourceModule, release: string): Deprecation | undefined {
  const { deprecation, stability } = module;
  if (stability === undefined || stability.deprecated === undefined) return deprecation;
  if (!isReached(stability.deprecated, release)) return undefined;
  const { removed } = stability;
  const message = deprecation?.message ?? warningOf(module, stability.deprecated, stability);
  const removedRelease = deprecation?.removedRelease ?? removed;
  return { message, ...(removedRelease === undefined ? {} : { removedRelease }) };
}

/** As in `example.com/v1beta1 Widget is deprecated in v1.26+, unavailable in v1.29+; use example.com/v1 Widget`. */
function warningOf({ group, version, names }: ResourceModule, deprecated: string, life: Stability): string {
  const { removed, replacement } = life;
  const until = removed === undefined ? '' : `, unavailable in v${removed}+`;
  const better = replacement && formatGroupVersion(replacement.group ?? group, replacement.version);
  const instead = replacement === undefined ? '' : `; use ${better} ${replacement.kind ?? names.kind}`;
  return `${formatGroupVersion(group, version)} ${names.kind} is deprecated in v${deprecated}+${until}${instead}`;
}
