/** The parts of a value maker that makers of lists and objects use. */
import type { JsonValue } from '../../../../runtime/contract/index.js';
import type { PlaceSchemas } from './place-schemas.js';

/** The limit of a quick search for any valid value, with the simplest lists and objects only. */
export const ROUGH = 8;

/** Makes values of places. */
export interface Making {
  /** Returns the smallest value that both definitions accept, or else one that the own definition accepts. */
  smallest(place: PlaceSchemas): JsonValue | undefined;
  /** Returns values to try. Not all of them are valid. */
  values(place: PlaceSchemas, limit: number): readonly JsonValue[];
  /** Returns whether the own definition accepts a value at a place, apart from everything around it. */
  fits(place: PlaceSchemas, value: JsonValue): boolean;
}
