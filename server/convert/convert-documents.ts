/** Converts documents, the items of lists one by one, and says of each mistake which object it is in. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Convert } from '../../runtime/server/index.js';

export interface ConvertedDocuments {
  readonly documents: readonly JsonObject[];
  readonly problems: readonly string[];
  /** Fields that were left out. */
  readonly warnings: readonly string[];
}

/** Converts all documents, to the preferred version of each kind where none is given. */
export async function convertDocuments(
  file: string,
  documents: readonly JsonValue[],
  convert: Convert,
  apiVersion?: string,
): Promise<ConvertedDocuments> {
  const problems: string[] = [];
  const warnings: string[] = [];
  const one = async (value: JsonValue, place: string): Promise<JsonObject[]> => {
    if (!isObject(value)) {
      problems.push(`${file}: ${place} is not an object`);
      return [];
    }
    const converted = await convert(clone(value), apiVersion);
    const name = stringAt(objectAt(value, 'metadata'), 'name');
    const named = name === '' ? place : `${place} (${name})`;
    if (!converted.ok) {
      problems.push(`${file}: ${named}: ${converted.failure.message}`);
      return [];
    }
    for (const unknown of converted.value.unknownFields) warnings.push(`${file}: ${named}: ${unknown} is left out`);
    return [kindFirst(converted.value.object)];
  };
  const converted: JsonObject[] = [];
  for (const [index, document] of documents.entries()) {
    const place = `document ${index + 1}`;
    const items = isObject(document) ? itemsOf(document) : undefined;
    if (!items) {
      converted.push(...(await one(document, place)));
      continue;
    }
    const list: JsonObject[] = [];
    for (const [at, item] of items.entries()) list.push(...(await one(item, `${place}, items[${at}]`)));
    converted.push({ apiVersion: 'v1', kind: 'List', items: list });
  }
  return { documents: converted, problems, warnings };
}

/** The items of a list of any kind; those of one kind may leave out theirs. */
function itemsOf(document: JsonObject): readonly JsonValue[] | undefined {
  const kind = stringAt(document, 'kind');
  const items = getOwn(document, 'items');
  if (!kind.endsWith('List') || !isArray(items)) return undefined;
  if (kind === 'List') return items;
  const envelope = { apiVersion: stringAt(document, 'apiVersion'), kind: kind.slice(0, -'List'.length) };
  return items.map((item) => (isObject(item) ? { ...envelope, ...item } : item));
}

/** `apiVersion` and `kind` come first, as people write it; some objects have no metadata. */
function kindFirst({ apiVersion, kind, metadata, ...rest }: JsonObject): JsonObject {
  return { apiVersion, kind, ...(metadata === undefined ? {} : { metadata }), ...rest };
}
