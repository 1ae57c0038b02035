/** Makes ResourceDefinitions of what a document and discovery say about resources. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { compareVersions, defaultListKind } from '../../runtime/objects/gvk.js';
import { get, isObject, list, type Raw, string, strings } from '../../runtime/schema/read.js';
import { VERBS } from '../model/verbs.js';
import type { DiscoveredNames } from './discovery.js';
import { type ApiDocument, type Placed, typeOfField } from './document.js';
import { ENVELOPE, withoutEnvelope } from './envelope.js';
import type { Remarks } from './remarks.js';
import { convertNode } from './schema.js';
import { inOrder, isVirtual, type ServedResource } from './served.js';
import { subresourcesOf } from './subresources.js';
import { rootOf, type SharedTypes } from './types.js';

/** The context that resources are made in. */
export interface ResourceContext {
  readonly document: ApiDocument;
  readonly types: SharedTypes;
  readonly discovered: DiscoveredNames;
  readonly remarks: Remarks;
}

/** Definitions of kinds by `group/version/kind`. */
export function kindsOf({ definitions }: ApiDocument): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  for (const [id, { raw }] of definitions) {
    for (const each of kindsNamed(raw)) {
      const key = [get(each, 'group') ?? '', get(each, 'version'), get(each, 'kind')].join('/');
      if (!kinds.has(key)) kinds.set(key, id);
    }
  }
  return kinds;
}

/** The kinds that a definition names: one or several. */
export function kindsNamed(raw: Raw): readonly Raw[] {
  const named = get(raw, 'x-kubernetes-group-version-kind');
  return isObject(named) ? [named] : list(named);
}

/** A resource in one version with the definition of its kind. */
export interface KnownResource {
  readonly served: ServedResource;
  readonly id: string;
  readonly kind: Placed;
}

/** The resource of all versions, as a document of the native format. `versions` are of one group and plural. */
export function toResourceDefinition(versions: readonly KnownResource[], context: ResourceContext): JsonObject {
  const sorted = [...versions].sort((a, b) => compareVersions(a.served.version, b.served.version));
  const [newest] = sorted;
  if (newest === undefined) return {};
  const { group, plural, kind } = newest.served;
  const { preferred, ...names } = context.discovered(group, plural);
  const storage = sorted.find(({ served }) => served.version === preferred) ?? newest;
  const virtual = sorted.every(({ served }) => isVirtual(served));
  const verbs = inOrder(new Set(sorted.flatMap(({ served }) => [...served.verbs])));
  return {
    apiVersion: 'kindforge.dev/v1',
    kind: 'ResourceDefinition',
    metadata: { name: group === '' ? plural : `${plural}.${group}` },
    spec: {
      group,
      names: { plural, kind, ...listKindOf(newest.served, context.document), ...names },
      scope: sorted.some(({ served }) => served.namespaced) ? 'Namespaced' : 'Cluster',
      ...(virtual ? { virtual } : verbs.length === VERBS.length ? {} : { verbs: [...verbs] }),
      ...(answersStatus(newest.served, context.document) ? { deleteReturns: 'Status' } : {}),
      versions: sorted.map((each) => toVersion(each, virtual ? undefined : each === storage, context)),
    },
  };
}

function kindNameOf(id: string | undefined, { definitions }: ApiDocument): string | undefined {
  const [gvk] = kindsNamed(id === undefined ? undefined : definitions.get(id)?.raw);
  return string(get(gvk, 'kind'));
}

function listKindOf({ listId, kind }: ServedResource, document: ApiDocument): JsonObject {
  const listKind = kindNameOf(listId, document);
  return listKind === undefined || listKind === defaultListKind(kind) ? {} : { listKind };
}

const answersStatus = ({ deletedId }: ServedResource, document: ApiDocument): boolean =>
  kindNameOf(deletedId, document) === 'Status';

/** Versions of what is not stored say nothing of storage. */
function toVersion(
  { served, id, kind }: KnownResource,
  stores: boolean | undefined,
  context: ResourceContext,
): JsonObject {
  const schema = rootSchema(id, kind, context);
  const typeAt = (path: readonly string[]): string | undefined => typeOfField(context.document, kind.raw, path);
  const subresources = subresourcesOf(served, typeAt, context.remarks);
  return {
    name: served.version,
    served: true,
    ...(stores === undefined ? {} : { storage: stores }),
    ...(Object.keys(subresources).length === 0 ? {} : { subresources }),
    schema: { openAPIV3Schema: schema },
  };
}

/** The required fields of a kind, those of the envelope included. */
function requiredOf(raw: Raw, converted: JsonObject): string[] {
  const fields = strings(converted.required);
  return strings(get(raw, 'required')).filter((name) => ENVELOPE.includes(name) || fields.includes(name));
}

/** The schema of the whole object, without what every object has. */
function rootSchema(id: string, { raw, path }: Placed, { types, remarks }: ResourceContext): JsonObject {
  const reference = (target: string): JsonObject | undefined => types.refer(rootOf(id), target);
  const converted = convertNode(withoutEnvelope(raw), path, { reference, remarks });
  const required = requiredOf(raw, converted);
  const node = required.length === 0 ? converted : { ...converted, required };
  if (node.type === 'object') return node;
  if (node.type === undefined && node['x-kubernetes-preserve-unknown-fields'] === true)
    return { type: 'object', ...node };
  remarks({ severity: 'error', path, message: 'a kind should be of type object' });
  return { type: 'object' };
}
