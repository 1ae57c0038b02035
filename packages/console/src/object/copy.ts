/** Copies of objects to create: without what the server sets. */
import type { DynamicObject, ServedKind } from 'kindforge/client';

/** Returns an object as one would write it: without status, and the metadata that the server sets. */
export function cleanCopy({ status: _, ...object }: DynamicObject): DynamicObject {
  const { name, generateName, namespace, labels, annotations, finalizers } = object.metadata;
  const { [lastApplied]: _last, ...kept } = annotations ?? {};
  const metadata = {
    ...(name === undefined ? {} : { name }),
    ...(name === undefined && generateName !== undefined ? { generateName } : {}),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(Object.keys(kept).length === 0 ? {} : { annotations: kept }),
    ...(finalizers === undefined ? {} : { finalizers }),
  };
  const { apiVersion, kind, ...rest } = object;
  return { apiVersion, kind, ...rest, metadata };
}

/** A copy of the whole object that `kubectl apply` keeps in it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the command that reads an object. Names that a shell would read otherwise are quoted. */
export function kubectlCommand(kind: ServedKind, namespace: string | undefined, name: string): string {
  const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.version}.${kind.group}`;
  const place = namespace === undefined ? [] : ['-n', quoted(namespace)];
  return ['kubectl', 'get', quoted(resource), quoted(name), ...place, '-o', 'yaml'].join(' ');
}

const quoted = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
