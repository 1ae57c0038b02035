/** The options of a document. */
import type { ResourceCode, ResourceModule, Schema } from '../../contract/index.js';
import type { ApiKeyScheme } from './document.js';
import type { OpenApiNaming } from './naming.js';

export interface OpenApiOptions {
  readonly naming: OpenApiNaming;
  readonly title: string;
  /** The version of the server, such as `v1.27.0`. */
  readonly version: string;
  /**
   * The shared types of libraries by `<library>#/<Name>`, with their own descriptions. Without this option, a type has
   * the description of its first use.
   */
  readonly types?: ReadonlyMap<string, Schema>;
  /** The emulated release. Documents leave out later additions. */
  readonly release?: string;
}

export const bearerToken: ApiKeyScheme = {
  type: 'apiKey',
  description: 'Bearer token authentication.',
  name: 'authorization',
  in: 'header',
};

export const answerTexts = { '200': 'OK', '201': 'Created', '202': 'Accepted' } as const;

export const unauthorized = { '401': { description: 'Unauthorized' } } as const;

/** Returns the group versions with built-in kinds, sorted. */
export function builtInGroupVersions(resources: readonly OpenApiResource[]): { group: string; version: string }[] {
  const seen = new Map<string, { group: string; version: string }>();
  for (const { group, version, decoding, served } of resources) {
    if (decoding === 'typed' && served) seen.set(`${group}/${version}`, { group, version });
  }
  return [...seen].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, groupVersion]) => groupVersion);
}

export type OpenApiResource = Pick<
  ResourceModule,
  | 'group'
  | 'version'
  | 'names'
  | 'scope'
  | 'verbs'
  | 'subresources'
  | 'decoding'
  | 'selectableFields'
  | 'served'
  | 'deleteReturns'
> &
  Pick<ResourceCode, 'schema'>;
