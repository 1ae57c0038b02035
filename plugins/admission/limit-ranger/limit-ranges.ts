/** The limit ranges of each namespace, read once for all the objects that they judge. */
import type { ApiObject, JsonObject, ObjectSink } from '../../../runtime/contract/index.js';
import { type Amounts, amountsAt } from '../../../runtime/objects/amounts.js';
import { clone } from '../../../runtime/objects/clone.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';

/** One limit: bounds of what is of its type. */
export interface Limit {
  /** `Container`, `Pod` or `PersistentVolumeClaim`; others judge nothing. */
  readonly type: string;
  readonly min: Amounts;
  readonly max: Amounts;
  readonly ratio: Amounts;
}

export interface LimitRange {
  readonly limits: readonly Limit[];
  /** Amounts for containers that name none, as they are written. */
  readonly defaults: { readonly requests: JsonObject; readonly limits: JsonObject };
}

export class LimitRanges implements ObjectSink {
  readonly #byNamespace = new Map<string, Map<string, LimitRange>>();

  changed(object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const ranges = this.#byNamespace.get(namespace) ?? new Map<string, LimitRange>();
    this.#byNamespace.set(namespace, ranges.set(name, readRange(object)));
  }

  removed(namespace: string, name: string): void {
    const ranges = this.#byNamespace.get(namespace);
    ranges?.delete(name);
    if (ranges?.size === 0) this.#byNamespace.delete(namespace);
  }

  reset(): void {
    this.#byNamespace.clear();
  }

  /** Those of a namespace, in the order of their names. */
  of(namespace: string): readonly LimitRange[] {
    const ranges = this.#byNamespace.get(namespace);
    if (!ranges) return [];
    return [...ranges].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, range]) => range);
  }
}

function readRange(object: ApiObject): LimitRange {
  const limits = objectsAt(objectAt(object, 'spec'), 'limits');
  const ofContainers = limits.filter(({ type }) => type === 'Container');
  const gather = (key: string): JsonObject =>
    Object.assign({}, ...ofContainers.map((limit) => clone(objectAt(limit, key) ?? {})));
  return {
    limits: limits.map((limit) => ({
      type: stringAt(limit, 'type'),
      min: amountsAt(limit, 'min'),
      max: amountsAt(limit, 'max'),
      ratio: amountsAt(limit, 'maxLimitRequestRatio'),
    })),
    defaults: { requests: gather('defaultRequest'), limits: gather('default') },
  };
}
