/** Reads manifests from YAML or JSON texts: each document, and each item of a list in them. */
import type { DynamicObject } from './types.js';

/** A text without manifests, or a document that is not an object of the API. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  /** The line at which the text is not YAML, counted from 1. */
  readonly line: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly line?: number } = {}) {
    super(message, options);
    this.line = options.line;
  }
}

/**
 * Reads a text with any number of YAML documents. Skips empty documents, and returns the items of lists. Reads scalars
 * by YAML 1.1, as API servers do. Rejects with a `ManifestError` if the text is not YAML, or if an object has no
 * `apiVersion`, `kind` or name.
 */
export async function readManifests(text: string): Promise<DynamicObject[]> {
  // Loaded on first use, because most clients do not read YAML.
  const [{ loadAll, YAMLException }, { manifestSchema }] = await Promise.all([
    import('js-yaml'),
    import('./yaml-schema.js'),
  ]);
  try {
    return loadAll(text, { schema: manifestSchema }).flatMap(openDocument);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? {} : { line: error.mark.line + 1 };
    throw new ManifestError(error.message, { cause: error, ...line });
  }
}

/** Returns the objects in parsed documents. Throws a `ManifestError`. */
export const openManifests = (values: readonly unknown[]): DynamicObject[] => values.flatMap(openDocument);

function openDocument(value: unknown, index: number): DynamicObject[] {
  if (value === null || value === undefined) return [];
  const where = `document ${index + 1}`;
  if (isList(value)) return value.items.flatMap((item, i) => [toObject(item, `item ${i + 1} of ${where}`)]);
  return [toObject(value, where)];
}

/** Returns whether a value is a list of any kind, as `get -o yaml` prints one. */
const isList = (value: unknown): value is { readonly items: readonly unknown[] } =>
  hasText(value, 'kind') && value.kind.endsWith('List') && 'items' in value && Array.isArray(value.items);

function toObject(value: unknown, where: string): DynamicObject {
  const missing = ['apiVersion', 'kind'].filter((field) => !hasText(value, field));
  if (missing.length > 0) throw new ManifestError(`${where} has no ${missing.join(' and no ')}`);
  if (isDynamicObject(value)) return value;
  throw new ManifestError(`${where} has no name in its metadata`);
}

const hasText = <K extends string>(value: unknown, field: K): value is Record<K, string> =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, text]) => key === field && typeof text === 'string' && text !== '');

const isDynamicObject = (value: unknown): value is DynamicObject =>
  typeof value === 'object' &&
  value !== null &&
  'metadata' in value &&
  (hasText(value.metadata, 'name') || hasText(value.metadata, 'generateName'));
