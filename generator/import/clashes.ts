/** Opens fields that versions of a resource have with different types: documents do not say how servers convert them. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, isObject, list, object, type Raw, string } from '../../runtime/schema/reading/read.js';
import { NOUNS } from '../check/conversion/type-nouns.js';
import { resourcePath } from './file-paths.js';
import type { Remarks } from './remarks.js';
import { ANYTHING, INT_OR_STRING } from './schema.js';

/** The shared type that a `$ref` names. */
type TypeNamed = (reference: string) => Raw;

/** One field as two versions have it. */
interface Pair {
  readonly own: JsonObject;
  readonly stored: JsonObject;
  readonly field: string;
}

/**
 * Has a field of two types hold anything in both versions, so that each can show what was written through the other.
 * Changes the nodes, those of shared types included.
 */
export function openClashes(resources: readonly JsonObject[], typeNamed: TypeNamed, remarks: Remarks): void {
  // A field that is opened for one pair of versions may be shared with another pair, which is then looked at again.
  for (let opened = true; opened; ) {
    opened = false;
    for (const resource of resources) {
      const path = placeOf(resource);
      for (const pair of pairsOf(resource)) {
        const found = [...clashesIn(pair, typeNamed, new Map())];
        for (const { own, stored, field } of found) {
          const message = `\`${field}\` may hold anything: it is ${nounOf(own, typeNamed)} in one version, and ${nounOf(stored, typeNamed)} in another`;
          remarks({ severity: 'note', path, message });
          open(own);
          open(stored);
        }
        opened ||= found.length > 0;
      }
    }
  }
}

function placeOf({ spec }: JsonObject): readonly string[] {
  return [resourcePath(string(get(spec, 'group')) ?? '', string(get(get(spec, 'names'), 'plural')) ?? '')];
}

/** Each other version beside the stored one. */
function pairsOf({ spec }: JsonObject): readonly Pair[] {
  const versions = list(get(spec, 'versions'));
  const schemaOf = (version: Raw): Raw => get(get(version, 'schema'), 'openAPIV3Schema');
  const stored = schemaOf(versions.find((version) => get(version, 'storage') === true));
  return versions.map(schemaOf).flatMap((own) => {
    return isObject(own) && isObject(stored) && own !== stored ? [{ own, stored, field: '' }] : [];
  });
}

/** Pairs of nodes that have been compared, by what their references lead to. */
type Seen = Map<JsonObject, Set<JsonObject>>;

/** The outermost fields with two types. As deep as the types, and no pair of them twice. */
function* clashesIn(pair: Pair, typeNamed: TypeNamed, seen: Seen): Generator<Pair> {
  const [own, stored] = [resolve(pair.own, typeNamed), resolve(pair.stored, typeNamed)];
  const known = seen.get(own) ?? new Set();
  if (own === stored || known.has(stored)) return;
  seen.set(own, known.add(stored));
  if (nounOf(own, typeNamed) !== nounOf(stored, typeNamed)) yield pair;
  else for (const child of childrenOf(own, stored, pair.field)) yield* clashesIn(child, typeNamed, seen);
}

function* childrenOf(own: JsonObject, stored: JsonObject, field: string): Generator<Pair> {
  const names = new Set([own, stored].flatMap((node) => Object.keys(object(node.properties) ?? {})));
  for (const name of names) yield* pairOf(memberOf(own, name), memberOf(stored, name), join(field, name));
  yield* pairOf(own.items, stored.items, `${field}[]`);
  yield* pairOf(own.additionalProperties, stored.additionalProperties, `${field}{}`);
}

function* pairOf(own: Raw, stored: Raw, field: string): Generator<Pair> {
  if (isObject(own) && isObject(stored)) yield { own, stored, field };
}

/** The schema of a field, which a map has for all. */
const memberOf = ({ properties, additionalProperties }: JsonObject, name: string): Raw =>
  get(properties, name) ?? additionalProperties;

const join = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

/** The type that a node refers to, or the node itself. */
function resolve(node: JsonObject, typeNamed: TypeNamed): JsonObject {
  const reference = string(node.$ref);
  const type = reference === undefined ? undefined : typeNamed(reference);
  return isObject(type) ? resolve(type, typeNamed) : node;
}

/** The type of a node in words. */
function nounOf(node: JsonObject, typeNamed: TypeNamed): string {
  const { type, [INT_OR_STRING]: isIntOrString } = resolve(node, typeNamed);
  if (isIntOrString === true) return 'an integer or string';
  const found = Object.entries(NOUNS).find(([name]) => name === type);
  return found === undefined ? 'anything' : found[1];
}

/** Leaves of a node its words. */
function open(node: JsonObject): void {
  for (const key of Object.keys(node)) if (key !== 'description') delete node[key];
  node[ANYTHING] = true;
}
