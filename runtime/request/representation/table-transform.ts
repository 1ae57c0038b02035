/** Objects as rows of a Table. */
import { compileTable, type IncludeObject, type TableLayout, toRow, toTable } from '../../codec/table.js';
import type { ApiObject, JsonObject } from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';
import type { ServedResource } from '../../resource/served-resource.js';
import type { ResponseTransform } from './transform.js';

/** The layout of a resource's rows, compiled when a Table is first asked for. */
const layoutOf = memoizeByObject((resource: ServedResource): TableLayout => {
  const { columns, decoding } = resource.module;
  return compileTable({ columns, decoding, own: resource.handlers?.columns });
});

/**
 * The form of Tables in a version of the meta group. Ages count to when a Table is made, by a clock in milliseconds
 * since 1970.
 */
export function tableTransform(apiVersion: string, include: IncludeObject, clock: () => number): ResponseTransform {
  const table = (
    resource: ServedResource,
    objects: readonly ApiObject[],
    metadata: JsonObject,
    withoutColumns = false,
  ) => toTable(layoutOf(resource), objects, metadata, { apiVersion, include, now: clock(), withoutColumns });
  const one = (resource: ServedResource, object: ApiObject, withoutColumns = false): JsonObject => {
    const { resourceVersion } = object.metadata;
    return table(resource, [object], resourceVersion === undefined ? {} : { resourceVersion }, withoutColumns);
  };
  return {
    key: `table ${apiVersion} ${include}`,
    second: () => Math.floor(clock() / 1000),
    object: (resource, object) => one(resource, object),
    list: (resource, objects, metadata) => table(resource, objects, metadata),
    items: (resource) => {
      const layout = layoutOf(resource);
      const now = clock();
      return { field: 'rows', itemOf: (object) => toRow(layout, object, { apiVersion, include, now }) };
    },
    // Columns are told once per watch.
    event: (resource, object, first) => one(resource, object, !first),
    // A Table has list metadata, which has no room for annotations.
    bookmark: (_resource, revision) => ({
      kind: 'Table',
      apiVersion,
      metadata: { resourceVersion: String(revision) },
      columnDefinitions: null,
      rows: null,
    }),
  };
}
