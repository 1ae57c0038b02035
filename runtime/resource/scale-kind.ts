/** The kind Scale of `autoscaling/v1`, which the subresource `scale` of every kind takes and returns. */
import type { ProtobufSchema, ResourceCode, ResourceModule, Schema } from '../contract/index.js';
import { serveResource } from './serve-resource.js';
import type { ServedResource } from './served-resource.js';

const replicas: Schema = { type: 'integer', format: 'int32', 'x-kindforge-presence': 'implicit' };

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      'x-kindforge-type': 'autoscaling/v1#/ScaleSpec',
      'x-kindforge-presence': 'always',
      properties: { replicas },
    },
    status: {
      type: 'object',
      'x-kindforge-type': 'autoscaling/v1#/ScaleStatus',
      'x-kindforge-presence': 'always',
      properties: {
        replicas: { ...replicas, 'x-kindforge-presence': 'always' },
        selector: { type: 'string', 'x-kindforge-presence': 'implicit' },
      },
    },
  },
};

const description: Omit<ResourceModule, 'code'> = {
  group: 'autoscaling',
  version: 'v1',
  names: { plural: 'scales', singular: 'scale', kind: 'Scale', listKind: 'ScaleList', shortNames: [], categories: [] },
  scope: 'Namespaced',
  verbs: [],
  subresources: [],
  decoding: 'typed',
  columns: [
    { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', description: 'Desired number of replicas.' },
    { name: 'Available', type: 'integer', jsonPath: '.status.replicas', description: 'Current number of replicas.' },
    {
      name: 'Age',
      type: 'date',
      jsonPath: '.metadata.creationTimestamp',
      description: 'Time since the scaled object was created.',
    },
  ],
  selectableFields: [],
  nameRule: { format: 'any' },
  generation: 'none',
  storage: false,
  virtual: true,
  served: true,
  deleteReturns: 'object',
  createOnUpdate: false,
  unconditionalUpdate: true,
};

let known: ServedResource | undefined;

/** Returns the kind, which is the same in every server. */
export function scaleKind(): ServedResource {
  if (known) return known;
  const protobuf: ProtobufSchema = { message: 'autoscaling/v1#/Scale', messages: {} };
  const code: ResourceCode = { schema, protobuf };
  known = serveResource({ ...description, code: () => code });
  return known;
}
