/** The part of a resource that documents are made from, which the generator knows as well as the server. */
import type { ResourceCode, ResourceModule } from '../../contract/index.js';

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
