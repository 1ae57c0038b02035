/** Plans of documents, by the answers of dry runs. */
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  ApplyConflictError,
  type DynamicApi,
  type DynamicObject,
  dynamicClient,
  UnknownKindError,
} from '../../../../client/index.js';
import { documentsOf, stepOf } from '../../../../packages/console/src/plan/plan.js';

const widget = (spec: object, metadata: object = {}): DynamicObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'door', ...metadata },
  spec,
});
const status = (code: number) => ({
  kind: 'Status' as const,
  apiVersion: 'v1' as const,
  metadata: {},
  message: 'no',
  code,
});

describe('a document', () => {
  const manifest = widget({ size: 'L' });

  it("is new if there was no such object, and shows the server's defaults", () => {
    const step = stepOf({ manifest, object: widget({ size: 'L', count: 1 }, { uid: '1' }) }, {}, [manifest]);
    expect(step.fate).toBe('created');
    expect(step.changes).toContainEqual({ path: 'spec.count', after: 1 });
  });

  it('is changed by the fields that differ, and unchanged if only bookkeeping does', () => {
    const before = widget({ size: 'S' }, { resourceVersion: '1' });
    expect(
      stepOf({ manifest, object: widget({ size: 'L' }, { resourceVersion: '2' }) }, { object: before }, []),
    ).toMatchObject({
      fate: 'changed',
      changes: [{ path: 'spec.size', before: 'S', after: 'L' }],
    });
    const same = widget({ size: 'S' }, { resourceVersion: '2', managedFields: [{ manager: 'a' }] });
    expect(stepOf({ manifest, object: same }, { object: before }, []).fate).toBe('unchanged');
  });

  it('is refused, or in conflict, with the error', () => {
    const refused = new ApiError(422, status(422));
    expect(stepOf({ manifest, error: refused }, {}, [])).toMatchObject({ fate: 'refused', error: refused });
    const conflict = new ApplyConflictError(409, status(409), [{ field: '.spec.size', manager: 'kubectl' }]);
    expect(stepOf({ manifest, error: conflict }, {}, []).fate).toBe('conflict');
  });

  it('is not new if it is unknown whether the object exists', () => {
    const error = new ApiError(429, status(429));
    expect(stepOf({ manifest, object: widget({ size: 'L' }) }, { error }, [])).toMatchObject({
      fate: 'refused',
      error,
    });
  });

  it('waits for a namespace in another document', () => {
    const error = new ApiError(404, { ...status(404), reason: 'NotFound' });
    const placed = widget({ size: 'L' }, { namespace: 'shop' });
    const namespace: DynamicObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    expect(stepOf({ manifest: placed, error }, {}, [namespace, placed]).fate).toBe('waits');
    expect(stepOf({ manifest: placed, error }, {}, [placed]).fate).toBe('refused');
  });

  it('waits if another document defines its kind, and is refused if none does', () => {
    const error = new UnknownKindError({ apiVersion: 'shop.example.com/v1', kind: 'Widget' });
    const definition: DynamicObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.shop.example.com' },
      spec: { group: 'shop.example.com', names: { kind: 'Widget' } },
    };
    expect(stepOf({ manifest, error }, {}, [definition, manifest]).fate).toBe('waits');
    expect(stepOf({ manifest, error }, {}, [manifest]).fate).toBe('refused');
  });
});

describe('documents', () => {
  const kindOf = (kind: string, scope: 'Cluster' | 'Namespaced') => ({
    ...{ group: '', version: 'v1', plural: `${kind.toLowerCase()}s`, singular: '', kind, scope },
    ...{ subresources: [], verbs: ['create'], shortNames: [], categories: [], isPreferred: true },
  });
  const client: DynamicApi = Object.assign(dynamicClient({ baseUrl: 'http://127.0.0.1:1' }), {
    kinds: async () => ({ kinds: [kindOf('Namespace', 'Cluster'), kindOf('ConfigMap', 'Namespaced')], failed: [] }),
  });

  it('are in the order in which they are applied, and get a namespace if their kind needs one', async () => {
    const text = ['ConfigMap', 'Namespace', 'ConfigMap\n  namespace: own'].map((kind, i) => {
      const [name, more = ''] = kind.split('\n');
      return `apiVersion: v1\nkind: ${name}\nmetadata:\n  name: n${i}\n${more}\n`;
    });
    const all = await documentsOf(client, text.join('---\n'), 'shop');
    expect(all.map(({ object: { metadata }, line }) => [metadata.name, metadata.namespace, line])).toEqual([
      ['n1', undefined, 6],
      ['n0', 'shop', 1],
      ['n2', 'own', 12],
    ]);
  });
});
