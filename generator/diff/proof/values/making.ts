/** The parts of a value maker that the makers of lists and objects use. */
import type { JsonValue } from '../../../../runtime/contract/index.js';
import type { PlaceSchemas } from './place-schemas.js';

/** A limit on values with which only the plainest lists and objects are made: some valid one is all that is looked for. */
export const ROUGH = 8;

/** Makes values of places. */
export interface Making {
  /** The smallest value that both definitions accept, else one that the own definition does. */
  smallest(place: PlaceSchemas): JsonValue | undefined;
  /** Values of interest, not all of which are valid. */
  values(place: PlaceSchemas, limit: number): readonly JsonValue[];
  /** Whether the own definition accepts a value at a place, all else left aside. */
  fits(place: PlaceSchemas, value: JsonValue): boolean;
}
