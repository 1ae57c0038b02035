/** Describes requests to deprecated versions: for the warning of the client, for metrics and for audit. */
import type { DeprecatedUse, Deprecation, Subresource } from '../contract/index.js';
import type { Naming } from '../objects/naming.js';
import type { ApiRequest } from '../request/api-request.js';
import type { ResourceNames } from '../resource/served-resource.js';

/** Called with each request to a deprecated version, once, before it is carried out. */
export type OnDeprecatedUse = (use: DeprecatedUse, request: ApiRequest) => void;

/** The deprecation of a path. A scale of a built-in kind has its own kind, which is not deprecated. */
export function deprecationFor(
  { module, deprecation }: ResourceNames,
  subresource: Subresource | undefined,
): Deprecation | undefined {
  return subresource?.scale !== undefined && module.decoding === 'typed' ? undefined : deprecation;
}

/** The use as the metric of deprecated requests and the audit log take it. */
export function deprecatedUse(
  { module }: ResourceNames,
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
