/** Tells the client, and whoever keeps account, of a request to a deprecated version. */
import type { DeprecatedUse, Deprecation, Subresource } from '../contract/index.js';
import type { Naming } from '../objects/naming.js';
import type { ServedResource } from '../pipeline/served-resource.js';
import type { ApiRequest } from '../verbs/api-request.js';

/** Told of requests to deprecated versions, each once, before it is carried out. */
export type OnDeprecatedUse = (use: DeprecatedUse, request: ApiRequest) => void;

/** What is deprecated of a path: a subresource of a built-in kind that has a kind of its own goes by that one. */
export function deprecationFor(
  { module, deprecation }: ServedResource,
  subresource: Subresource | undefined,
): Deprecation | undefined {
  return subresource?.scale !== undefined && module.decoding === 'typed' ? undefined : deprecation;
}

/** The use as the metric of deprecated requests and the audit log take it. */
export function deprecatedUse(
  { module }: ServedResource,
  subresource: Subresource | undefined,
  { removedRelease = '' }: Deprecation,
  { wellKnown }: Naming,
): DeprecatedUse {
  return {
    group: module.group,
    version: module.version,
    resource: module.names.plural,
    subresource: subresource?.name ?? '',
    removedRelease,
    annotations: {
      [wellKnown.deprecatedAnnotation]: 'true',
      ...(removedRelease === '' ? {} : { [wellKnown.removedReleaseAnnotation]: removedRelease }),
    },
  };
}
