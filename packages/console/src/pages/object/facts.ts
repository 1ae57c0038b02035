/** The key facts of an object: the columns of the server, then some of its metadata. */
import type { DynamicObject } from 'kindforge/client';
import { showValue } from '../../object/show.js';
import type { Shown } from './kind-client.js';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Reads the facts. Throws as requests do if the server does not answer. */
export async function factsOf(
  { resource, kind, namespace, name }: Shown,
  object: DynamicObject,
  signal: AbortSignal,
): Promise<readonly Fact[]> {
  const place = namespace === undefined ? {} : { namespace };
  const table = await resource.table({ ...place, name, includeObject: 'None', signal });
  const cells = table.rows[0]?.cells ?? [];
  const columns = table.columnDefinitions.map(({ name: label }, index) => ({
    label,
    value: showValue(cells[index], 300),
  }));
  const { uid = '', generation, resourceVersion = '', generateName, finalizers = [] } = object.metadata;
  const all = [
    ...columns.filter(({ label, value }) => value !== '' && label !== 'Name' && label !== 'Age'),
    { label: 'Kind', value: `${kind.kind} (${object.apiVersion})` },
    ...(object.metadata.creationTimestamp
      ? [{ label: 'Created', value: new Date(object.metadata.creationTimestamp).toLocaleString() }]
      : []),
    { label: 'UID', value: uid },
    ...(generation === undefined ? [] : [{ label: 'Generation', value: String(generation) }]),
    { label: 'Resource version', value: resourceVersion },
    ...(generateName === undefined ? [] : [{ label: 'Name made from', value: generateName }]),
    ...(finalizers.length === 0 ? [] : [{ label: 'Finalizers', value: finalizers.join(', ') }]),
  ];
  // Several columns may have the same name.
  return [...new Map(all.map((fact) => [fact.label, fact])).values()];
}
