/** Finds the initial object of a form for a new one. */
import { type DynamicApi, type DynamicObject, parseJson, type ServedKind } from 'kindforge/client';
import { drafts } from '../../app/drafts.js';
import { copyOf } from '../../plan/copied.js';
import { sampleOf } from '../../plan/sample.js';

/**
 * Reads the address: `copy=namespace/name` is a copy of that object, `from=copy` an object that another page has left
 * in the tab, `sample=full` a sample with optional fields. Rejects as the requests do.
 */
export async function firstObject(
  client: DynamicApi,
  kind: ServedKind,
  query: URLSearchParams,
): Promise<DynamicObject> {
  const { group, version, plural } = kind;
  const left = query.get('from') === 'copy' ? drafts.read('create-copy') : undefined;
  if (left !== undefined) return parseJson<DynamicObject>(left);
  const [name = '', namespace] = (query.get('copy') ?? '').split('/').toReversed();
  if (name === '')
    return sampleOf(
      kind,
      await client.schema({ group, version, plural }),
      query.get('ns') ?? '',
      query.get('sample') === 'full',
    );
  const resource = await client.resource({ group, version, plural });
  const copy = copyOf(await resource.in(namespace || 'default').get(name));
  const wanted = query.get('ns');
  return wanted && kind.scope === 'Namespaced' ? { ...copy, metadata: { ...copy.metadata, namespace: wanted } } : copy;
}
