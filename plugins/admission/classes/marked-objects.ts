/** The objects of a resource that have a mark, such as that of a default class, kept as they change. */
import type { ApiObject, ObjectSink } from '../../../runtime/contract/index.js';

/** Knows the marked objects of a cluster-scoped resource without asking for the others. */
export class MarkedObjects implements ObjectSink {
  readonly #marked = new Map<string, ApiObject>();
  readonly #isMarked: (object: ApiObject) => boolean;

  constructor(isMarked: (object: ApiObject) => boolean) {
    this.#isMarked = isMarked;
  }

  changed(object: ApiObject): void {
    const name = object.metadata.name ?? '';
    if (this.#isMarked(object)) this.#marked.set(name, object);
    else this.#marked.delete(name);
  }

  removed(_namespace: string, name: string): void {
    this.#marked.delete(name);
  }

  reset(): void {
    this.#marked.clear();
  }

  all(): readonly ApiObject[] {
    return this.#marked.size === 0 ? [] : [...this.#marked.values()];
  }
}

/** Whether an object has an annotation that says `true`. */
export const saysTrue = ({ metadata: { annotations = {} } }: ApiObject, key: string): boolean =>
  Object.hasOwn(annotations, key) && annotations[key] === 'true';
