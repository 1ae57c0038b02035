/** Compiles the expressions of a conversion, with the schemas of the places that each converts between. */
import type { ConversionStep, Schema } from '../contract/index.js';
import { expressionsOf, formatPath, type PlacedExpression, parsePath, type Segment } from '../schema/index.js';
import { formatType, type Type } from './check/types.js';
import { compileExpression, type Expression } from './compile-expression.js';
import { Environment } from './environment.js';
import { laterEnvironment } from './releases.js';
import { type DataType, dynamicData, maxRequestBytes } from './schema/data-type.js';
import { dataTypeOf, laterReading, minimalBytes } from './schema/from-schema.js';

/** The schemas of both versions. The stored one is absent if objects are stored as another resource. */
export interface ConvertedSchemas {
  readonly own: Schema;
  readonly stored?: Schema | undefined;
}

export type ConversionDirection = 'toStored' | 'fromStored';

/** The required JSON type of a result. */
export type ResultType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** An expression and the outcome of its compilation. */
export interface ConversionExpression {
  readonly direction: ConversionDirection;
  readonly placed: PlacedExpression;
  readonly text: string;
  /** The place of the result in the whole object. */
  readonly place: string;
  readonly result: ResultType | undefined;
  /** `cost` is the estimate for all places together; `problem` is the reason why the expression cannot be used. */
  readonly outcome:
    | { readonly ok: true; readonly expression: Expression; readonly cost: number }
    | { readonly ok: false; readonly problem: string };
}

/**
 * Compiles all expressions: first the expressions to the stored version, then the others, each group in the order of
 * numbers.
 */
export function compileExpressions(
  steps: readonly ConversionStep[],
  schemas: ConvertedSchemas,
): readonly ConversionExpression[] {
  const placed = expressionsOf(steps);
  return (['toStored', 'fromStored'] as const).flatMap((direction) =>
    placed.map((each) => compileOne(each, direction, schemas)),
  );
}

function compileOne(
  placed: PlacedExpression,
  direction: ConversionDirection,
  { own, stored }: ConvertedSchemas,
): ConversionExpression {
  const { step, isBoxed } = placed;
  const toStored = direction === 'toStored';
  const [from, to] = toStored ? [step.field, step.stored] : [step.stored, step.field];
  const [root, target] = toStored ? [own, stored] : [stored, own];
  const at = (schema: Schema | undefined, path: string): PlaceInSchema =>
    schema === undefined || isBoxed ? {} : placeIn(schema, [...placed.below, ...(parsePath(path) ?? [])]);
  const source = at(root, from);
  const wanted = at(target, to).schema;
  const text = step[direction];
  const object = root && dataTypeOf(root, 'object', { ...laterReading, isResource: true });
  const variables = { self: variable(dataOf(source.schema, 'self')), object: variable(object ?? dynamicData) };
  const environment = new Environment({ ...laterEnvironment, mixedLiterals: true, variables });
  const place = formatPath([...placed.below, ...(parsePath(to) ?? [])]);
  const common = { direction, placed, text, place, result: resultOf(wanted) };
  const compiled = compileExpression(text, environment);
  if (!compiled.ok) {
    const issues = compiled.failure.issues.map(({ line, column, message }) =>
      line > 0 ? `${line}:${column} ${message}` : message,
    );
    return { ...common, outcome: { ok: false, problem: `the expression cannot be compiled: ${issues.join('; ')}` } };
  }
  const { expression } = compiled;
  const data = dataOf(wanted, 'result');
  if (!fits(expression.type, data)) {
    const problem = `the expression yields ${formatType(expression.type)} for \`${to}\`, which is ${formatType(data.type)}`;
    return { ...common, outcome: { ok: false, problem } };
  }
  return { ...common, outcome: { ok: true, expression, cost: expression.cost.max * (source.count ?? 1) } };
}

const variable = (data: DataType) => ({ type: data.type, data });

const dataOf = (schema: Schema | undefined, name: string): DataType =>
  (schema && dataTypeOf(schema, name, laterReading)) ?? dynamicData;

/** The schema of a place, and how often the place may occur in an object. */
interface PlaceInSchema {
  readonly schema?: Schema;
  readonly count?: number;
}

/** Returns the place of a path. A temporary place, which begins with `$`, has no schema. */
function placeIn(schema: Schema, segments: readonly Segment[]): PlaceInSchema {
  let at: Schema | undefined = schema;
  let count: number | undefined = 1;
  for (const segment of segments) {
    if (segment === 'each') {
      const items: Schema | undefined = at?.items;
      const most: number | bigint | undefined =
        at?.maxItems ?? (items && Math.floor(maxRequestBytes / (minimalBytes(items) + 1)));
      count = most === undefined ? undefined : Math.min((count ?? 1) * Number(most), maxRequestBytes);
      at = items;
    } else at = childOf(at, segment.key);
  }
  return { ...(at === undefined ? {} : { schema: at }), ...(count === undefined ? {} : { count }) };
}

function childOf(schema: Schema | undefined, key: string): Schema | undefined {
  const { properties = {}, additionalProperties } = schema ?? {};
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function resultOf(schema: Schema | undefined): ResultType | undefined {
  return schema?.['x-kubernetes-int-or-string'] === true ? undefined : schema?.type;
}

/** Returns whether values of a type are valid as another type of data. Null means no value. */
function fits(type: Type, data: DataType): boolean {
  if (type.kind === 'dyn' || type.kind === 'any' || type.kind === 'null' || data.shape === 'dyn') return true;
  if (type.kind === 'wrapper') return fits(type.of, data);
  if (type.kind === 'opaque') {
    const [inner] = type.params;
    return type.name === 'optional_type' && inner !== undefined && fits(inner, data);
  }
  switch (data.shape) {
    case 'list':
      return type.kind === 'list' && (data.items === undefined || fits(type.element, data.items));
    case 'map':
      return type.kind === 'object' || (type.kind === 'map' && isText(type.key));
    case 'object':
      return type.kind === 'object' || (type.kind === 'map' && isText(type.key));
    case 'int':
      return type.kind === 'int' || type.kind === 'uint';
    case 'double':
      return type.kind === 'double' || type.kind === 'int' || type.kind === 'uint';
    case 'bool':
      return type.kind === 'bool';
    // A field with a format takes values of its own type, and texts.
    default:
      return ['string', 'bytes', 'timestamp', 'duration'].includes(type.kind);
  }
}

const isText = (key: Type): boolean => key.kind === 'string' || key.kind === 'dyn';
