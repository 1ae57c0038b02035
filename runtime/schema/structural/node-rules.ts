/** The rules of a single schema: it has one type, by a keyword or a marker, and objects of the API are objects. */
import { stringAt } from '../../objects/guards.js';
import type { Finding } from './findings.js';
import { propertyOf, says, schemaAt, schemasAt, valueAt, type WrittenSchema } from './reading.js';

export const embedded = 'x-kubernetes-embedded-resource';
export const keepsUnknown = 'x-kubernetes-preserve-unknown-fields';
export const intOrString = 'x-kubernetes-int-or-string';

export type NodeRule =
  | 'untyped'
  | 'root-type'
  | 'root-map'
  | 'list-without-items'
  | 'int-or-string-marker'
  | 'embedded-type'
  | 'embedded-map'
  | 'embedded-in-meta'
  | 'embedded-empty'
  | 'meta-type';

/** Where a schema stands. */
export interface Stand {
  readonly isRoot: boolean;
  /** Whether it describes the apiVersion, kind or metadata of an object, or something in them. */
  readonly isInMeta: boolean;
  /** Whether the root needs a type also beside a marker that takes the place of one. */
  readonly needsRootType: boolean;
}

const metaTypes = { kind: 'string', apiVersion: 'string', metadata: 'object' } as const;

/** The rules that a schema breaks by itself. */
export function* nodeFindings(schema: WrittenSchema, { isRoot, isInMeta, needsRootType }: Stand): Findings {
  const type = stringAt(schema, 'type');
  const value = type === '' ? undefined : type;
  const isMarked = says(schema, intOrString) || says(schema, keepsUnknown);
  if (says(schema, embedded) && type !== 'object') yield { rule: 'embedded-type', at: ['type'], value };
  else if (type === '' && (!isMarked || (isRoot && needsRootType))) yield { rule: 'untyped', at: ['type'] };
  if (isRoot && type !== '' && type !== 'object') yield { rule: 'root-type', at: ['type'], value };
  const isMap = valueAt(schema, 'additionalProperties') !== undefined;
  if (isRoot && isMap) yield { rule: 'root-map', at: ['additionalProperties'] };
  if (type === 'array' && schemaAt(schema, 'items') === undefined) yield { rule: 'list-without-items', at: ['items'] };
  for (const name of says(schema, intOrString) ? [keepsUnknown, embedded] : []) {
    if (says(schema, name)) yield { rule: 'int-or-string-marker', at: [name], value: true, name };
  }
  if (says(schema, embedded)) {
    if (isMap) yield { rule: 'embedded-map', at: ['additionalProperties'] };
    if (isInMeta) yield { rule: 'embedded-in-meta', at: [embedded] };
    if (!says(schema, keepsUnknown) && schemasAt(schema, 'properties').length === 0) {
      yield { rule: 'embedded-empty', at: ['properties'] };
    }
  }
  if (isRoot || says(schema, embedded)) yield* metaFindings(schema);
}

type Findings = Generator<Finding<NodeRule>>;

/** The fields that every object has are of their types. */
function* metaFindings(schema: WrittenSchema): Findings {
  for (const [name, wanted] of Object.entries(metaTypes)) {
    const property = propertyOf(schema, name);
    const type = stringAt(property, 'type');
    if (property === undefined || type === wanted) continue;
    yield { rule: 'meta-type', at: ['properties', name, 'type'], value: type, name };
  }
}
