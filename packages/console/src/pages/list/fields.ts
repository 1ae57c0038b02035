/** The fields that field selectors can name. */
import type { KindSchema, ServedKind } from 'kindforge/client';

/** The fields of built-in kinds, by the first part of the group and the plural. No schema lists them. */
const builtIn: Readonly<Record<string, readonly string[]>> = {
  '/pods': [
    'status.phase',
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.podIP',
  ],
  '/events': ['involvedObject.kind', 'involvedObject.name', 'involvedObject.namespace', 'reason', 'type'],
  '/namespaces': ['status.phase'],
  '/nodes': ['spec.unschedulable'],
  '/secrets': ['type'],
  'batch/jobs': ['status.successful'],
  'certificates/certificatesigningrequests': ['spec.signerName'],
};

/** Returns the fields of a kind. For a custom resource, reads them from its schema. */
export function fieldsOf({ group, plural, scope }: ServedKind, schema: KindSchema | undefined): readonly string[] {
  const own: unknown = schema && Reflect.get(schema.schema, 'x-kubernetes-selectable-fields');
  const custom = (Array.isArray(own) ? own : []).flatMap((one: { readonly fieldPath?: unknown } | null) => {
    const path = one?.fieldPath;
    return typeof path === 'string' ? [path.replace(/^\./, '')] : [];
  });
  return [
    'metadata.name',
    ...(scope === 'Namespaced' ? ['metadata.namespace'] : []),
    ...(builtIn[`${group.split('.')[0]}/${plural}`] ?? []),
    ...custom,
  ];
}
