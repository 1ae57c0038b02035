/** Extracts one version from the Swagger 2.0 document of another server, and adds it to the document of this server. */
import type { JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { isObject } from '../../objects/guards.js';
import type { OpenApiV2Document } from './document.js';

const definitionRef = '#/definitions/';
const parameterRef = '#/parameters/';

/** Checks the outer shape of a document from another server. */
export const isOpenApiV2 = (value: unknown): value is OpenApiV2Document =>
  isObject(value) && value.swagger === '2.0' && isObject(value.paths) && isObject(value.definitions);

/** Returns the paths of one version, with the definitions and parameters that they need. */
export function versionOfOpenApiV2(document: OpenApiV2Document, group: string, version: string): OpenApiV2Document {
  const root = `/apis/${group}/${version}/`;
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith(root)));
  const needed = new Set<string>();
  let next = refsIn(paths);
  while (next.length > 0) {
    for (const ref of next) needed.add(ref);
    const found = next.map((ref) => targetOf(document, ref));
    next = refsIn(found).filter((ref) => !needed.has(ref));
  }
  const only = <T>(values: Readonly<Record<string, T>> = {}, prefix: string): Record<string, T> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => needed.has(prefix + name)));
  return {
    ...document,
    paths,
    definitions: only(document.definitions, definitionRef),
    parameters: only(document.parameters, parameterRef),
  };
}

const targetOf = ({ definitions, parameters = {} }: OpenApiV2Document, ref: string): unknown =>
  ref.startsWith(definitionRef)
    ? definitions[ref.slice(definitionRef.length)]
    : parameters[ref.slice(parameterRef.length)];

/** Returns all references in a value, each once. */
function refsIn(value: unknown): readonly string[] {
  const refs = new Set<string>();
  JSON.stringify(value, (key, one) => {
    if (key === '$ref' && typeof one === 'string') refs.add(one);
    return one;
  });
  return [...refs];
}

/**
 * Adds documents of other servers to a document. Renames a definition or parameter that has another content under the
 * same name, as in `Widget_v2`.
 */
export function mergeOpenApiV2(own: OpenApiV2Document, others: readonly OpenApiV2Document[]): OpenApiV2Document {
  let merged = own;
  for (const other of others) {
    const added = withFreeNames(other, merged);
    merged = {
      ...merged,
      paths: { ...added.paths, ...merged.paths },
      definitions: { ...added.definitions, ...merged.definitions },
      parameters: { ...added.parameters, ...merged.parameters },
    };
  }
  return merged;
}

/** Returns the document to add with new names for definitions and parameters that have another content in `to`. */
function withFreeNames(added: OpenApiV2Document, to: OpenApiV2Document): OpenApiV2Document {
  const renames = new Map([
    ...renamesOf(added.definitions, to.definitions, definitionRef),
    ...renamesOf(added.parameters ?? {}, to.parameters, parameterRef),
  ]);
  if (renames.size === 0) return added;
  const renamed = (values: Readonly<Record<string, unknown>> = {}, prefix: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        (renames.get(prefix + name) ?? prefix + name).slice(prefix.length),
        value,
      ]),
    );
  const result = {
    ...added,
    definitions: renamed(added.definitions, definitionRef),
    parameters: renamed(added.parameters, parameterRef),
  };
  return JSON.parse(
    JSON.stringify(result, (key, one) => (key === '$ref' && typeof one === 'string' ? (renames.get(one) ?? one) : one)),
  );
}

function renamesOf(
  added: Readonly<Record<string, object>>,
  known: Readonly<Record<string, object>>,
  prefix: string,
): readonly (readonly [from: string, to: string])[] {
  return Object.entries(added).flatMap(([name, value]) => {
    const before = known[name];
    if (before === undefined || equal(comparable(before), comparable(value))) return [];
    let number = 2;
    const free = (): string => `${name}_v${number}`;
    while (free() in known || free() in added) number++;
    return [[prefix + name, prefix + free()]];
  });
}

/** Returns a definition without the list of kinds that use it. Each server lists only its own kinds. */
const comparable = (value: object): JsonValue =>
  JSON.parse(JSON.stringify({ ...value, 'x-kubernetes-group-version-kind': undefined }));
