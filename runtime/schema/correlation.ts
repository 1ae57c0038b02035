/** Finds the earlier state of each part of an object, to find the parts that an update does not change. */
import type { JsonObject, JsonValue, Schema } from '../contract/index.js';
import { equal } from '../objects/equality.js';
import { getOwn, isArray, isObject } from '../objects/guards.js';
import { earlierItems } from './earlier-items.js';

/** The milliseconds of all comparisons in this process so far. */
export const comparing = { ms: 0 };

/** Whether a comparison is in progress. Comparisons of its parts are then not timed again. */
let isComparing = false;

function timed(compare: () => boolean): boolean {
  if (isComparing) return compare();
  const began = performance.now();
  isComparing = true;
  try {
    return compare();
  } finally {
    isComparing = false;
    comparing.ms += performance.now() - began;
  }
}

/** A value at the root of an object or below it, with its earlier state and its schema. */
export class Correlation {
  readonly #children = new Map<string | number, Correlation | undefined>();
  #earlier: ((item: JsonValue) => JsonValue | undefined) | undefined;
  #isUnchanged: boolean | undefined;

  /**
   * With `isRoot`, the value is the whole object. Its `apiVersion` and `kind` have no earlier state, because both
   * objects are converted.
   */
  constructor(
    private readonly schema: Schema,
    private readonly value: JsonValue,
    private readonly old: JsonValue,
    private readonly isRoot = true,
  ) {}

  /**
   * Returns the part at a field, a key or an index. Returns `undefined` if the value or its schema does not have the
   * part, or if the part has no earlier state. Finds items of a list of type `map` by their keys, and items of other
   * lists by their index. Items of sets and atomic lists have no earlier state.
   */
  child(step: string | number): Correlation | undefined {
    if (this.#children.has(step)) return this.#children.get(step);
    const made = typeof step === 'number' ? this.#item(step) : this.#member(step);
    this.#children.set(step, made);
    return made;
  }

  /**
   * Whether the value equals its earlier state. As in the reference, an object with a field that its schema does not
   * describe is never equal.
   */
  get isUnchanged(): boolean {
    this.#isUnchanged ??= timed(() => this.#compare());
    return this.#isUnchanged;
  }

  #member(name: string): Correlation | undefined {
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    if (this.isRoot && (name === 'apiVersion' || name === 'kind')) return undefined;
    const { properties = {}, additionalProperties: values } = this.schema;
    const schema = getOwn(properties, name) ?? (typeof values === 'object' ? values : undefined);
    return this.#below(schema, getOwn(this.value, name), getOwn(this.old, name));
  }

  #item(index: number): Correlation | undefined {
    if (!isArray(this.value) || !isArray(this.old)) return undefined;
    const value = this.value[index];
    // An old item that is null is not an earlier state.
    return this.#below(this.schema.items, value, this.#oldItem(this.old, value, index) ?? undefined);
  }

  #oldItem(old: readonly JsonValue[], value: JsonValue | undefined, index: number): JsonValue | undefined {
    switch (this.schema['x-kubernetes-list-type']) {
      case 'map':
        this.#earlier ??= earlierItems(old, this.schema['x-kubernetes-list-map-keys'] ?? []);
        return value === undefined ? undefined : this.#earlier(value);
      case 'set':
      case 'atomic':
        return undefined;
      default:
        return old[index];
    }
  }

  #below(
    schema: Schema | undefined,
    value: JsonValue | undefined,
    old: JsonValue | undefined,
  ): Correlation | undefined {
    if (schema === undefined || value === undefined || old === undefined) return undefined;
    return new Correlation(schema, value, old, false);
  }

  #compare(): boolean {
    const { value, old } = this;
    if (isArray(value) && isArray(old)) return value.length === old.length && this.#compareItems(value);
    if (!isObject(value) || !isObject(old)) return equal(value, old);
    const keys = presentKeys(value);
    return keys.length === presentKeys(old).length && keys.every((key) => this.child(key)?.isUnchanged);
  }

  #compareItems({ length }: readonly JsonValue[]): boolean {
    for (let i = 0; i < length; i++) {
      const item = this.child(i);
      // Compares a list as a whole if its items have no earlier states and its type is not `map`.
      if (item === undefined) return this.#earlier === undefined && equal(this.value, this.old);
      if (!item.isUnchanged) return false;
    }
    return true;
  }
}

const presentKeys = (object: JsonObject): readonly string[] =>
  Object.keys(object).filter((key) => object[key] !== undefined);
