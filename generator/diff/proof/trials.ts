/** The objects that a difference is tried on: those made for its place, in order of size, and some made by chance. */

import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import type { Segment } from '../../../runtime/schema/index.js';
import { createRandom } from '../../check/conversion/random.js';
import { type Carrier, carriersOf } from './carriers.js';
import type { Trial } from './effects.js';
import { randomObjects } from './random-objects.js';
import { below, type PlaceSchemas } from './values/place-schemas.js';
import { CLOSE, type ValueMaker } from './values/value-maker.js';
import { sizeOf } from './values/value-text.js';

/** The source of objects for one place. */
export interface TrialSource {
  readonly maker: ValueMaker;
  readonly root: PlaceSchemas;
  readonly path: readonly Segment[];
  /** Parts that only the `status` subresource writes. */
  readonly statusParts: readonly string[];
}

/** Carriers that are used for each value, of those that carry a valid one. */
const CARRIERS = 3;

/** Objects made for the place; `isValid` says whether the definition that they are made for accepts one. */
export function trialsAt(source: TrialSource, isValid: (trial: Trial) => boolean): readonly Trial[] {
  const { maker, root, path, statusParts } = source;
  const place = path.reduce(below, root);
  const values: readonly (JsonValue | undefined)[] = [undefined, ...maker.values(place, CLOSE)];
  const trialsOf = (carrier: Carrier, value: JsonValue | undefined): readonly Trial[] =>
    asTrials(withHead(carrier(value)), statusParts);
  const carriers = carriersOf(maker, root, path).filter((carrier) =>
    values.some((value) => value !== undefined && trialsOf(carrier, value).some(isValid)),
  );
  const trials = carriers.slice(0, CARRIERS).flatMap((carrier) => values.flatMap((value) => trialsOf(carrier, value)));
  return trials.sort((a, b) => sizeOf(a.object) - sizeOf(b.object));
}

/** Objects made by chance; the same sequence at each call. */
export function* chanceTrials({ maker, root, statusParts }: TrialSource, seed = 1): Generator<Trial> {
  const make = randomObjects(maker, root, createRandom(seed));
  for (;;) yield* asTrials(withHead(make()), statusParts);
}

/** An object as a user writes it. */
export function withHead(object: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...body } = object;
  return { apiVersion: '', kind: '', metadata: { name: 'a' }, ...body };
}

/** An object that holds a status comes by it through the subresource. */
export function asTrials(object: JsonObject, statusParts: readonly string[]): readonly Trial[] {
  if (!statusParts.some((part) => object[part] !== undefined)) return [{ object }];
  const before = Object.fromEntries(Object.entries(object).filter(([key]) => !statusParts.includes(key)));
  return [{ before, object, through: 'status' }];
}
