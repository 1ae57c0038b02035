/** Conditions on devices: CEL expressions about the variable `device`. */

import type { DeviceSelector } from '../../generated/types/resource/v1/types.js';
import {
  compileExpression,
  type DataType,
  describeIssues,
  dynamicData,
  Environment,
  formatType,
  type Type,
} from '../../runtime/cel/index.js';
import { deviceLibraries, environmentOf } from '../../runtime/cel/releases.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { memoize, memoizeByObject } from '../../runtime/objects/memoize.js';
import { byteLength } from '../../runtime/objects/names/name-checks.js';
import type { Release } from '../../runtime/objects/release.js';
import type { FieldErrors } from '../shared/field-checks.js';

/** The longest expression, in bytes. */
const maxLength = 10 * 1024;

/** The highest estimated cost of an expression. */
const maxCost = 1_000_000;

/** The most attributes and capacities of a device, together. */
export const maxProperties = 32;

const string: Type = { kind: 'string' };
const mapOf = (values: DataType): DataType => ({
  shape: 'map',
  type: { kind: 'map', key: string, value: values.type },
  nullable: false,
  maxSize: maxProperties,
  values,
});
const quantity: DataType = {
  ...dynamicData,
  type: { kind: 'opaque', name: 'kubernetes.Quantity', params: [] },
  nullable: false,
};

/** The fields of `device`. Attributes and capacities are found by domain, then by name. */
const fields: Readonly<Record<string, DataType>> = {
  driver: { shape: 'text', type: string, nullable: false, maxSize: 63 },
  attributes: mapOf(mapOf({ ...dynamicData, maxSize: 64 })),
  capacity: mapOf(mapOf(quantity)),
  allowMultipleAllocations: { shape: 'bool', type: { kind: 'bool' }, nullable: false },
};
const device: DataType = {
  shape: 'object',
  type: { kind: 'object', name: 'kubernetes.DRADevice' },
  nullable: false,
  fields: new Map(Object.entries(fields).map(([property, data]) => [property, { property, data }])),
};
const types = [
  {
    name: 'kubernetes.DRADevice',
    fields: Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type])),
  },
];

/** Returns the environment of new conditions. All releases have semantic versions and `cel.bind` there. */
function environmentFor(release: Release): Environment {
  const options = environmentOf(release, 'new');
  const libraries = new Set([...options.libraries, ...deviceLibraries]);
  return new Environment({
    ...options,
    libraries: [...libraries],
    types,
    variables: { device: { type: device.type, data: device } },
  });
}

/** Checks conditions on devices. */
export function* checkSelectors(
  selectors: readonly Draft<DeviceSelector>[] = [],
  path: string,
  release: Release,
): FieldErrors {
  for (const [i, { cel }] of selectors.entries()) {
    if (cel) yield* checkExpression(cel.expression ?? '', `${path}[${i}].cel.expression`, release);
    else yield required(`${path}[${i}].cel`);
  }
}

function* checkExpression(text: string, path: string, release: Release): FieldErrors {
  // The schema reports an empty expression.
  if (text === '') return;
  if (byteLength(text) > maxLength) {
    yield tooLong(path, maxLength);
    return;
  }
  const problem = problemsIn(release)(text);
  if (problem) yield problem(path);
}

type Report = (path: string) => FieldError;

/** Returns a function that finds the problem of an expression in a release. Recent results are cached. */
const problemsIn = memoizeByObject((release: Release) => {
  const environment = environmentFor(release);
  const limits = { most: Number.POSITIVE_INFINITY, longest: maxLength, together: 1024 * 1024 };
  return memoize((text: string) => problemOf(text, environment), limits);
});

/** Returns a function that reports the problem of an expression, or `undefined` if it has none. */
function problemOf(text: string, environment: Environment): Report | undefined {
  const compiled = compileExpression(text, environment);
  if (!compiled.ok) {
    const problem = `compilation failed: ${describeIssues(text, compiled.failure.issues)}`;
    return (path) => invalidValue(path, text, problem);
  }
  const { type, cost } = compiled.expression;
  if (type.kind !== 'bool' && type.kind !== 'dyn') {
    const problem = `must evaluate to bool or the unknown type, not ${formatType(type)}`;
    return (path) => invalidValue(path, text, problem);
  }
  return cost.max > maxCost ? (path) => forbidden(path, 'too complex, exceeds cost limit') : undefined;
}
