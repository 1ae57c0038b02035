/** Owners of the replica count in the Scale of an object, if versions have the count in different fields. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ManagedFieldsEntry, ResourceModule, ScalePaths } from '../../../../runtime/contract/index.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import type { ServedResource } from '../../../../runtime/resource/served-resource.js';
import { toOwnedScale as ownedScale, takeScale } from '../../../../runtime/write/scale-view.js';
import { moduleOf } from '../../../support/modules.js';

const scaled = (version: string, specReplicasPath: string): ResourceModule => ({
  ...moduleOf('example.com', 'farms', 'Farm', { storage: version === 'v1', decoding: 'structural' }),
  version,
  subresources: [
    {
      name: 'scale',
      verbs: ['get', 'update'],
      writes: [],
      writesMetadata: false,
      scale: { specReplicasPath, statusReplicasPath: '.status.n' },
    },
  ],
});
const versions: ReadonlyMap<string, ServedResource> = new Map(
  [scaled('v1', '.spec.replicas'), scaled('v2', '.spec.size'), { ...scaled('v3', '.spec.n'), subresources: [] }].map(
    (module) => [`example.com/${module.version}`, serveResource(module, { sibling: (name) => versions.get(name) })],
  ),
);
const paths: ScalePaths = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.n' };

const entry = (manager: string, version: string, field: string): ManagedFieldsEntry => ({
  manager,
  operation: 'Apply',
  apiVersion: `example.com/${version}`,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { [`f:${field}`]: {}, 'f:note': {} } },
});

const farm = (): ApiObject => ({
  apiVersion: 'example.com/v2',
  kind: 'Farm',
  metadata: {
    name: 'f',
    managedFields: [entry('anna', 'v1', 'replicas'), entry('bert', 'v2', 'size'), entry('cara', 'v3', 'size')],
  },
  spec: { size: 3, note: 'x' },
});

function toOwnedScale(resource: ServedResource, at: ScalePaths, object: ApiObject): ApiObject {
  const scale = ownedScale(resource, at, object);
  if (!scale.ok) throw new Error(scale.failure.message);
  return scale.value;
}

describe('the owners of a count', () => {
  const resource = versions.get('example.com/v2');
  if (!resource) throw new Error('there is no v2');

  it('are its owners in the version that they wrote', () => {
    const { managedFields = [] } = toOwnedScale(resource, paths, farm()).metadata;
    expect(managedFields.map(({ manager }) => manager)).toEqual(['anna', 'bert']);
  });

  it('lose it there when another manager takes it', () => {
    const object = farm();
    const scale = toOwnedScale(resource, paths, object);
    scale.metadata.managedFields = [];
    takeScale(resource, paths, object, scale);
    expect(object.metadata.managedFields?.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['anna', { 'f:spec': { 'f:note': {} } }],
      ['bert', { 'f:spec': { 'f:note': {} } }],
      ['cara', { 'f:spec': { 'f:size': {}, 'f:note': {} } }],
    ]);
  });
});
