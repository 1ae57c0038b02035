/**
 * Makes fields accept any value if they have different types in several versions: documents do not say how servers
 * convert them.
 */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, isObject, list, object, type Raw, string } from '../../runtime/schema/read.js';
import { NOUNS } from '../check/conversion/type-nouns.js';
import { ENVELOPE } from './envelope.js';
import { resourcePath } from './imported-file.js';
import type { Remarks } from './remarks.js';
import { ANYTHING, anything, INT_OR_STRING } from './schema.js';

/** The shared type that a `$ref` names. */
type TypeNamed = (reference: string) => Raw;

/** A field as two versions have it. */
interface Pair {
  readonly own: JsonObject;
  readonly stored: JsonObject;
  readonly field: string;
}

/**
 * Makes fields with two types accept any value in both versions, so that each can show values of the other. Changes the
 * nodes, including nodes of shared types.
 */
export function openClashes(resources: readonly JsonObject[], typeNamed: TypeNamed, remarks: Remarks): void {
  // Another pair of versions may share a field that was changed for this pair, so it must be checked again.
  for (let opened = true; opened; ) {
    opened = false;
    for (const resource of resources) {
      const path = placeOf(resource);
      for (const pair of pairsOf(resource)) {
        const found = clashesIn(pair, typeNamed);
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

/** Returns each other version paired with the stored one. */
function pairsOf({ spec }: JsonObject): readonly Pair[] {
  const versions = list(get(spec, 'versions'));
  const schemaOf = (version: Raw): Raw => get(get(version, 'schema'), 'openAPIV3Schema');
  const stored = schemaOf(versions.find((version) => get(version, 'storage') === true));
  return versions.map(schemaOf).flatMap((own) => {
    return isObject(own) && isObject(stored) && own !== stored ? [{ own, stored, field: '' }] : [];
  });
}

/** Returns the outermost fields with two types. Compares each pair of nodes once, without recursion. */
function clashesIn(start: Pair, typeNamed: TypeNamed): readonly Pair[] {
  const found: Pair[] = [];
  const pending = [start];
  // Pairs that have been compared, by the targets of their references.
  const seen = new Map<JsonObject, Set<JsonObject>>();
  for (const pair of pending) {
    const [own, stored] = [resolve(pair.own, typeNamed), resolve(pair.stored, typeNamed)];
    const known = seen.get(own) ?? new Set();
    if (own === stored || known.has(stored)) continue;
    seen.set(own, known.add(stored));
    const noun = nounOf(own, typeNamed);
    if (noun !== nounOf(stored, typeNamed)) found.push(pair);
    else if (noun !== ANY) pending.push(...childrenOf(own, stored, pair.field));
  }
  return found;
}

function* childrenOf(own: JsonObject, stored: JsonObject, field: string): Generator<Pair> {
  const names = new Set([own, stored].flatMap((node) => Object.keys(object(node.properties) ?? {})));
  for (const name of names) {
    if (isEmbedded(own) && ENVELOPE.includes(name)) continue;
    yield* pairOf(memberOf(own, name), memberOf(stored, name), join(field, name));
  }
  yield* pairOf(own.items, stored.items, `${field}[]`);
  yield* pairOf(unnamedOf(own), unnamedOf(stored), `${field}{}`);
}

function* pairOf(own: Raw, stored: Raw, field: string): Generator<Pair> {
  if (isObject(own) && isObject(stored)) yield { own, stored, field };
}

/** Returns the schema of a field. All fields of a map have the same one. */
const memberOf = (node: JsonObject, name: string): Raw => get(node.properties, name) ?? unnamedOf(node);

/** Returns the schema of fields without a name; `undefined` if there cannot be any. */
const unnamedOf = (node: JsonObject): Raw =>
  node.additionalProperties ?? (node[ANYTHING] === true ? anything() : undefined);

const join = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

/** Returns the type that a node refers to, or the node itself. */
function resolve(node: JsonObject, typeNamed: TypeNamed): JsonObject {
  let resolved = node;
  for (let type = typeOf(node, typeNamed); isObject(type); type = typeOf(type, typeNamed)) resolved = type;
  return resolved;
}

function typeOf({ $ref }: JsonObject, typeNamed: TypeNamed): Raw {
  const reference = string($ref);
  return reference === undefined ? undefined : typeNamed(reference);
}

/** The noun for a value of any type. */
const ANY = 'anything';

const isEmbedded = (node: JsonObject): boolean => node['x-kubernetes-embedded-resource'] === true;

/** Returns the type of a node in words. */
function nounOf(node: JsonObject, typeNamed: TypeNamed): string {
  const resolved = resolve(node, typeNamed);
  const { type, [INT_OR_STRING]: isIntOrString } = resolved;
  if (isIntOrString === true) return 'an integer or string';
  if (isEmbedded(resolved)) return 'an embedded object';
  const found = Object.entries(NOUNS).find(([name]) => name === type);
  return found === undefined ? ANY : found[1];
}

/** Removes everything from a node except its texts. */
function open(node: JsonObject): void {
  for (const key of Object.keys(node)) if (key !== 'description') delete node[key];
  node[ANYTHING] = true;
}
