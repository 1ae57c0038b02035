/** Makes ResourceDefinitions from the resources in a document and in discovery. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { compareVersions, defaultListKind } from '../../runtime/objects/names/names.js';
import { get, isObject, list, type Raw, string, strings } from '../../runtime/schema/read.js';
import { VERBS } from '../model/subresources.js';
import type { DiscoveredNames } from './discovery.js';
import { type ApiDocument, type Placed, typeOfField } from './document.js';
import { ENVELOPE, withoutEnvelope } from './envelope.js';
import type { Remarks } from './remarks.js';
import { convertNode } from './schema.js';
import { inOrder, isVirtual, type ServedResource, type ServedSubresource } from './served.js';
import { rootOf, type SharedTypes } from './types.js';

export interface ResourceContext {
  readonly document: ApiDocument;
  readonly types: SharedTypes;
  readonly discovered: DiscoveredNames;
  readonly remarks: Remarks;
}

/** Returns the definitions of kinds by `group/version/kind`. */
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

/** Returns the kinds that a definition names: one or several. */
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

/** Returns the resource of all versions, as a native definition. `versions` have one group and plural. */
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

/** Returns a version. Versions of virtual kinds have no storage. */
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

/** Returns the required fields of a kind, including the fields of the envelope. */
function requiredOf(raw: Raw, converted: JsonObject): string[] {
  const fields = strings(converted.required);
  return strings(get(raw, 'required')).filter((name) => ENVELOPE.includes(name) || fields.includes(name));
}

/** Returns the schema of the whole object, without the fields that every object has. */
function rootSchema(id: string, { raw, path }: Placed, { types, remarks }: ResourceContext): JsonObject {
  const reference = (target: string): JsonObject | undefined => types.refer(rootOf(id), target);
  const converted = convertNode(withoutEnvelope(raw), path, { reference, remarks });
  const required = requiredOf(raw, converted);
  const node = required.length === 0 ? converted : { ...converted, required };
  if (node.type === 'object') return node;
  if (node.type === undefined && node['x-kubernetes-preserve-unknown-fields'] === true)
    return { type: 'object', ...node };
  remarks({ severity: 'error', path, message: 'a kind must be of type object' });
  return { type: 'object' };
}

// Converts the paths below an object into subresources of the native format, or into remarks.

/** Returns the type of a field of the kind; undefined if the field does not exist. */
type TypeAt = (path: readonly string[]) => string | undefined;

const USUAL_VERBS = 'get patch update';

/** Returns the subresources of a resource. */
function subresourcesOf(resource: ServedResource, typeAt: TypeAt, remarks: Remarks): JsonObject {
  const subresources: JsonObject = {};
  for (const [name, served] of resource.subresources) {
    const note = (message: string): void => remarks({ severity: 'note', path: served.path, message });
    const made = toSubresource(name, served, resource.kind, typeAt, note);
    if (made !== undefined) subresources[name] = made;
  }
  return subresources;
}

function toSubresource(
  name: string,
  served: ServedSubresource,
  kind: string,
  typeAt: TypeAt,
  note: (message: string) => void,
): JsonObject | undefined {
  const verbs = inOrder(served.verbs);
  const written = verbs.join(' ') === USUAL_VERBS || verbs.length === VERBS.length ? {} : { verbs: [...verbs] };
  if (served.connects) note(`subresource ${name} is left out: it opens a connection, or answers with text`);
  else if (name === 'scale') return scaleOf(written, typeAt, note);
  else if (!/^[a-z]+$/.test(name)) note(`subresource ${name} is left out: its name must have only lower-case letters`);
  else if (served.kind !== kind)
    note(`subresource ${name} is left out: it takes another kind (${served.kind || 'unknown'})`);
  else if (name !== 'status') {
    note(`subresource ${name} writes nothing yet: list in \`writes\` the fields that it may change`);
    return written;
  } else if (typeAt(['status']) !== undefined) return written;
  else note('subresource status is left out: the schema has no field of that name');
  return undefined;
}

/** Returns the paths of the replicas. Documents do not have them, so this tries the usual places. */
function scaleOf(verbs: JsonObject, typeAt: TypeAt, note: (message: string) => void): JsonObject | undefined {
  if (typeAt(['spec', 'replicas']) !== 'integer' || typeAt(['status', 'replicas']) !== 'integer') {
    note('subresource scale is left out: it needs integers spec.replicas and status.replicas');
    return undefined;
  }
  const selector = typeAt(['status', 'selector']) === 'string' ? { labelSelectorPath: '.status.selector' } : {};
  return { ...verbs, specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', ...selector };
}
