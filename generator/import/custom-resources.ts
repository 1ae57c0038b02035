/** Makes files of a server's CustomResourceDefinitions, without the fields that the server added. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { get, list, type Raw, string } from '../../runtime/schema/read.js';
import { compare } from '../write/order.js';
import { toPresent } from './former-custom-resources.js';
import type { Imported } from './import-openapi.js';
import { type ImportedFile, isPathName, resourcePath, withOwnPaths } from './imported-file.js';
import { withoutRefused } from './refused.js';
import type { Remark, Remarks } from './remarks.js';

/** Metadata that only the server writes, or that is only valid on that server. */
const OF_THE_SERVER = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generation',
  'managedFields',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** The annotation with the configuration that a client applied last, under both names. */
const LAST_APPLIED = /^kubectl\.(kubernetes|platform)\.io\/last-applied-configuration$/;

const KIND = 'CustomResourceDefinition';

/**
 * Returns the CustomResourceDefinitions in documents: single ones, or lists of them, such as `kubectl get -o yaml`
 * prints. Returns `undefined` if a document is neither.
 */
export function customResourcesIn(documents: readonly Raw[]): readonly Raw[] | undefined {
  const found: Raw[] = [];
  for (const document of documents) {
    const kind = get(document, 'kind');
    const items = kind === 'List' || kind === `${KIND}List` ? get(document, 'items') : undefined;
    if (kind === KIND) found.push(document);
    else if (Array.isArray(items))
      found.push(...items.map((item) => (kind === 'List' ? item : ofTheList(document, item))));
    else return undefined;
  }
  return found;
}

/** Returns an item with the kind of its list, if it has none. */
function ofTheList(list: Raw, item: JsonValue): JsonValue {
  return isObject(item) ? { apiVersion: get(list, 'apiVersion') ?? null, kind: KIND, ...item } : item;
}

/** Converts each definition into a file. Reports an error if a definition does not have the names for its file. */
export function importCustomResources(objects: readonly Raw[]): Imported {
  const errors: Remark[] = [];
  const notes: Remark[] = [];
  const remarks: Remarks = (remark) => void (remark.severity === 'note' ? notes : errors).push(remark);
  const files = objects.flatMap((each, index): ImportedFile[] => {
    const group = string(get(get(each, 'spec'), 'group')) ?? '';
    const plural = string(get(get(get(each, 'spec'), 'names'), 'plural')) ?? '';
    if (isObject(each) && isPathName(group) && isPathName(plural)) {
      const named = withAcceptedNames(each, index, remarks);
      return named ? [{ path: resourcePath(group, plural), value: presentOf(named, index, remarks) }] : [];
    }
    const message = 'this is not a CustomResourceDefinition: spec.group and spec.names.plural must be DNS names';
    errors.push({ severity: 'error', path: ['items', index], message });
    return [];
  });
  if (errors.length > 0) return { files: [], resources: 0, errors, notes: [] };
  const sorted = withOwnPaths(files).sort((a, b) => compare(a.path, b.path));
  return { files: sorted, resources: sorted.length, errors, notes };
}

/**
 * Returns the definition without the server's own fields. Also removes what v1 refuses from the schemas of a former
 * definition.
 */
function presentOf(object: JsonObject, index: number, remarks: Remarks): JsonObject {
  const written = withoutServerFields(object);
  const present = toPresent(written, ['items', index], remarks);
  if (present === written) return written;
  const [file] = withoutRefused([{ path: `items[${index}]`, value: present }], remarks);
  return file?.value ?? present;
}

function withoutServerFields(object: JsonObject): JsonObject {
  const { apiVersion, kind, metadata, spec } = object;
  return { ...defined({ apiVersion, kind }), metadata: metadataOf(metadata), ...defined({ spec }) };
}

function metadataOf(raw: Raw): JsonObject {
  const kept = Object.entries(isObject(raw) ? raw : {}).filter(([key]) => !OF_THE_SERVER.has(key));
  const metadata: JsonObject = Object.fromEntries(kept);
  if (!isObject(metadata.annotations)) return metadata;
  const annotations = Object.entries(metadata.annotations).filter(([key]) => !LAST_APPLIED.test(key));
  const { annotations: _, ...rest } = metadata;
  return annotations.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(annotations) };
}

function defined(fields: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

// Gives definitions the names that their server has accepted: two resources of a group never share a name.

/**
 * Returns the definition with its accepted names, and reports if they differ from the wanted ones. Returns `undefined`,
 * with a report, if the server does not serve it because of a conflict of names. A definition without a status stays as
 * it is.
 */
function withAcceptedNames(object: JsonObject, index: number, remarks: Remarks): JsonObject | undefined {
  const { spec, status } = object;
  const accepted = conditionIn(status, 'NamesAccepted');
  if (!isObject(spec) || string(get(accepted, 'status')) !== 'False') return object;
  const because = string(get(accepted, 'message')) ?? 'the server has not accepted its names';
  const tell = (path: readonly string[], message: string): void =>
    remarks({ severity: 'note', path: ['items', index, ...path], message: `${message}: ${because}` });
  const names = get(status, 'acceptedNames');
  if (string(get(conditionIn(status, 'Established'), 'status')) !== 'True' || !isObject(names)) {
    tell([], 'the definition is left out, because the server does not serve it');
    return undefined;
  }
  tell(['spec', 'names'], 'the file has the names that the server has accepted');
  return { ...object, spec: { ...spec, names } };
}

const conditionIn = (status: Raw, type: string): Raw =>
  list(get(status, 'conditions')).find((condition) => string(get(condition, 'type')) === type);
