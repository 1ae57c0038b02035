/** Copies objects to create, without the fields that the server sets. */
import type { DynamicObject, ServedKind } from 'kindforge/client';

/** Returns an object as a user would write it: without status, and without the metadata that the server sets. */
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

/** The annotation in which `kubectl apply` keeps a copy of the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the command that reads an object. Quotes names that are special to a shell. */
export function kubectlCommand(kind: ServedKind, namespace: string | undefined, name: string): string {
  const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.version}.${kind.group}`;
  const place = namespace === undefined ? [] : ['-n', quoted(namespace)];
  return ['kubectl', 'get', quoted(resource), quoted(name), ...place, '-o', 'yaml'].join(' ');
}

const quoted = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
