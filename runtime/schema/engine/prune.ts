/** Removes what a schema does not know. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import { isHead, type Node } from './table.js';
import { dropContents, UnknownFields } from './unknown-fields.js';
import { Path } from './value.js';

type Value = JsonValue | undefined;

/** Prunes the fields of a whole object in place, all but the head of it; what is removed goes to `unknown`. */
export function pruneObject(root: Node, object: JsonObject, unknown: UnknownFields): void {
  new Pruner(unknown).fields(root, object, { keeping: root.keepsUnknown, head: true });
}

/** Prunes a value at a path in place. */
export function pruneValue(node: Node, value: Value, path: string, unknown: UnknownFields): void {
  const pruner = new Pruner(unknown);
  pruner.path.enter(path);
  pruner.value(node, value);
}

/** How the fields of an object are pruned. */
interface Manner {
  /** Fields that the schema does not know stay. */
  readonly keeping: boolean;
  /** The fields that every object has stay as they are. */
  readonly head: boolean;
}

const strict: Manner = { keeping: false, head: false };
const keeping: Manner = { keeping: true, head: false };
const strictWithHead: Manner = { keeping: false, head: true };
const keepingWithHead: Manner = { keeping: true, head: true };

class Pruner {
  readonly path = new Path();

  constructor(private readonly unknown: UnknownFields) {}

  fields({ fields, values, anyValues }: Node, object: JsonObject, manner: Manner): void {
    const { byName } = fields;
    for (const key in object) {
      if (manner.head && isHead(key)) continue;
      const field = byName.get(key);
      const node = field === undefined ? values : field.node;
      if (node !== undefined || anyValues) {
        const value = object[key];
        if (typeof value !== 'object' || value === null) continue;
        this.path.enter(field === undefined ? `.${key}` : field.step);
        if (node === undefined) this.empty(value);
        else this.value(node, value);
        this.path.leave();
      } else if (!manner.keeping) this.unknown.drop(object, key, this.path.toString());
    }
  }

  /** Prunes a value, and what is not of its schema's type as if nothing in it were known. */
  value(node: Node, value: Value): void {
    if (typeof value !== 'object' || value === null) return;
    if (node.again !== undefined) this.again(node, node.again, value);
    else if (node.keepsUnknown) this.known(node, value);
    else if (node.isOpaque) this.empty(value);
    else if (Array.isArray(value)) this.items(node.items, value);
    else if (holdsObjects(node)) this.fields(node, value, node.embedded ? strictWithHead : strict);
    else this.empty(value);
  }

  /** Prunes a value that keeps unknown fields, but only the parts that its schema describes. */
  private known(node: Node, value: JsonObject | JsonValue[]): void {
    if (node.again !== undefined) this.again(node, node.again, value);
    else if (!Array.isArray(value)) this.fields(node, value, node.embedded ? keepingWithHead : keeping);
    else if (node.items !== undefined) {
      for (const [i, item] of value.entries()) {
        if (typeof item !== 'object' || item === null) continue;
        this.path.enter(i);
        this.known(node.items, item);
        this.path.leave();
      }
    }
  }

  private items(node: Node | undefined, list: JsonValue[]): void {
    if (node === undefined || node.isOpaque) {
      this.empty(list);
      return;
    }
    for (let i = 0; i < list.length; i++) {
      this.path.enter(i);
      this.value(node, list[i]);
      this.path.leave();
    }
  }

  /** Prunes again without reports: clients do not see unknown fields of values that may be of another type. */
  private again(node: Node, type: Node, value: JsonObject | JsonValue[]): void {
    if (node.reading === 'again') this.value(type, value);
    else for (const one of Array.isArray(value) ? value : [value]) if (isObject(one)) untold(type, one);
  }

  private empty(value: JsonObject | JsonValue[]): void {
    dropContents(value, this.path.toString(), this.unknown);
  }
}

const untold = (type: Node, value: JsonObject): void => pruneValue(type, value, '', new UnknownFields());

const holdsObjects = (node: Node): boolean =>
  node.fields.list.length > 0 || node.values !== undefined || node.anyValues || node.embedded;
