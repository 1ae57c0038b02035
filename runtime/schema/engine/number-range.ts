/** The numbers that a type and its format can hold. */
import type { Schema } from '../../contract/index.js';
import { isInt64 } from './value.js';

export interface NumberRange {
  /** The type and the format, in the words of errors. */
  readonly name: string;
  readonly includes: (value: number | bigint) => boolean;
}

/** Returns whether a number is whole, at least `-limit` and less than `limit`. */
const isWithin = (value: number, limit: number): boolean => Number.isInteger(value) && value >= -limit && value < limit;

const int64 = (value: number | bigint): boolean =>
  isInt64(value) || (typeof value === 'number' && isWithin(value, 2 ** 63));

const ranges: Readonly<Record<string, NumberRange['includes']>> = {
  int32: (value) => isWithin(Number(value), 2 ** 31),
  int64,
  float: (value) => Number.isFinite(Math.fround(Number(value))),
};

/** Returns the range of a schema with a checked format or without format; `undefined` if it holds every number. */
export function numberRange({ type }: Schema, format: string | undefined): NumberRange | undefined {
  if (type !== 'integer' && type !== 'number') return undefined;
  if (format === undefined)
    return type === 'integer' ? { name: 'integer (default format)', includes: int64 } : undefined;
  const includes = Object.hasOwn(ranges, format) ? ranges[format] : undefined;
  return includes && { name: `${type} with format ${format}`, includes };
}
