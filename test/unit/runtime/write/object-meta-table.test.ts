/** Replays public tables on the metadata of custom resources. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { toObject } from '../../../../runtime/write/decode.js';
import { moduleOf } from '../../../support/modules.js';
import { tableRows } from '../../../support/shared.js';

interface Case {
  readonly obj: { readonly metadata: JsonObject };
  readonly dropMalformedFields: boolean;
  readonly returnUnknownFieldPaths: boolean;
  readonly expectedErr: string;
  readonly expectedObject: { readonly Labels: JsonObject; readonly Name: string } | null;
  readonly expectedUnknownPaths: readonly string[] | null;
}

/** Only stored objects may have malformed metadata in the table; here a store never contains any. */
const cases = tableRows<Case>('apiextensions-apiserver_pkg_apiserver_schema_objectmeta')
  .filter(({ test }) => test === 'TestGetObjectMetaWithOptions')
  .map((row) => row.case)
  .filter(({ dropMalformedFields, expectedErr }) => !dropMalformedFields || expectedErr !== '');

const resource = serveResource(moduleOf('', 'pods', 'Pod', { decoding: 'structural', schema: { type: 'object' } }));

describe.skipIf(cases.length === 0)('tables (skipped if they are not beside the checkout)', () => {
  it('metadata', () => {
    for (const { obj, expectedErr, expectedObject, returnUnknownFieldPaths, expectedUnknownPaths } of cases) {
      const read = toObject(resource, { apiVersion: 'v1', kind: 'Pod', metadata: obj.metadata });
      expect(read.ok ? '' : read.problem).toBe(expectedErr);
      if (expectedObject === null || !read.ok) continue;
      expect(read.value.object.metadata).toEqual({ labels: expectedObject.Labels, name: expectedObject.Name });
      if (returnUnknownFieldPaths) expect(read.value.unknownFields).toEqual(expectedUnknownPaths ?? []);
    }
    expect(cases.length).toBeGreaterThan(5);
  });
});
