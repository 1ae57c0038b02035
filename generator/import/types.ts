/** Collects the definitions that resources refer to into libraries of shared types, and cuts circles among them. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { withoutLeading, withoutTrailing } from '../../runtime/objects/scan/numbers.js';
import { get, object, type Raw, string } from '../../runtime/schema/read.js';
import { findReferences } from '../model/references.js';
import { compare } from '../write/order.js';
import { type ApiDocument, idOf } from './document.js';
import { withoutEnvelope } from './envelope.js';
import { distinctNames } from './imported-file.js';
import type { Remarks } from './remarks.js';
import { anything, convertNode } from './schema.js';

/** The shared types of a document. */
export interface SharedTypes {
  /** The conversion of a reference in a definition. */
  readonly refer: (from: string, id: string) => JsonObject | undefined;
  /** Types by name, by library; both in order. */
  readonly libraries: () => ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
}

/** Returns the start of references from a kind's own schema. Here the kind is a resource, not a type. */
export const rootOf = (id: string): string => `resource ${id}`;

/**
 * Prepares the types that these kinds refer to, directly or not. A kind is a type itself if another one refers to it.
 */
export function collectTypes(document: ApiDocument, kinds: readonly string[], remarks: Remarks): SharedTypes {
  const roots = new Map(kinds.map((id) => [rootOf(id), withoutEnvelope(document.definitions.get(id)?.raw)]));
  const { reached, closing } = circles([...roots.keys()], (id) =>
    referencesOf(roots.get(id) ?? document.definitions.get(id)?.raw),
  );
  const names = namesOf([...reached].filter((id) => document.definitions.has(id)).sort(compare));

  const refer = (from: string, id: string): JsonObject | undefined => {
    const definition = document.definitions.get(id);
    const name = names.get(id);
    if (definition === undefined || name === undefined) return undefined;
    const special = specialType(name);
    if (special?.inPlace !== undefined) return special.inPlace;
    const $ref = `${name.library}#/${name.name}`;
    if (!closing(from, id)) return { $ref };
    // At the end of a circle, an object keeps its unknown fields. Any other type becomes a schema that accepts
    // anything.
    return isObjectType(definition.raw) ? { $ref, ...anything() } : anything();
  };

  const convert = (id: string, name: LibraryType): JsonObject | undefined => {
    const definition = document.definitions.get(id);
    const special = specialType(name);
    if (definition === undefined || special?.inPlace !== undefined) return undefined;
    const { raw, path } = definition;
    if (special?.schema !== undefined) return { ...described(raw), ...special.schema };
    return convertNode(raw, path, { reference: (target) => refer(id, target), remarks });
  };

  return {
    refer,
    libraries: () => {
      const libraries = new Map<string, Map<string, JsonObject>>();
      for (const [id, name] of [...names].sort(([, a], [, b]) => byName(a, b))) {
        const type = convert(id, name);
        if (type === undefined) continue;
        const library = libraries.get(name.library) ?? new Map<string, JsonObject>();
        libraries.set(name.library, library.set(name.name, type));
      }
      return libraries;
    },
  };
}

function byName(a: LibraryType, b: LibraryType): number {
  return compare(a.library, b.library) || compare(a.name, b.name);
}

function described(raw: Raw): JsonObject {
  const description = string(get(raw, 'description'));
  return description === undefined ? {} : { description };
}

const isObjectType = (raw: Raw): boolean =>
  get(raw, 'type') === 'object' || object(get(raw, 'properties')) !== undefined;

/** Returns the ids that a schema refers to, each once, in the order of the text, even if they do not exist. */
function referencesOf(schema: Raw): readonly string[] {
  return [...new Set(findReferences(schema).flatMap(({ target }) => idOf(target) ?? []))];
}

// Types that the native format can describe more exactly than documents: times, quantities, and values of any shape.

/** The schema to write for such a type. */
interface SpecialType {
  /** Written in place of each reference to the type. */
  readonly inPlace?: JsonObject;
  /** Written in the library, beside the description. */
  readonly schema?: JsonObject;
}

const OPEN: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const TYPES: ReadonlyMap<string, SpecialType> = new Map<string, SpecialType>([
  ['IntOrString', { inPlace: { 'x-kubernetes-int-or-string': true } }],
  ['Quantity', { schema: { type: 'string', format: 'quantity' } }],
  ['Time', { schema: { type: 'string', format: 'date-time' } }],
  ['MicroTime', { schema: { type: 'string', format: 'date-time', 'x-kindforge-time': 'micros' } }],
  ['RawExtension', { schema: OPEN }],
  ['FieldsV1', { schema: OPEN }],
]);

/** Returns the special treatment of a type of the meta library, if there is one. */
function specialType({ library, name }: LibraryType): SpecialType | undefined {
  return library === 'meta/v1' ? TYPES.get(name) : undefined;
}

/** The definitions that some others reach, and the references that close a circle. */
interface Circles {
  /** All ids that some reference names. */
  readonly reached: ReadonlySet<string>;
  /** Returns whether a reference leads back to what is being defined, directly or through others. */
  readonly closing: (from: string, to: string) => boolean;
}

/** Walks depth first, without recursion. Linear in definitions and references. */
function circles(starts: readonly string[], references: (id: string) => readonly string[]): Circles {
  const reached = new Set<string>();
  const entered = new Set<string>();
  const open = new Set<string>();
  const closing = new Map<string, Set<string>>();
  const calls: { readonly id: string; readonly next: Iterator<string> }[] = [];

  const enter = (id: string): void => {
    entered.add(id);
    open.add(id);
    calls.push({ id, next: references(id)[Symbol.iterator]() });
  };
  const follow = (from: string, to: string): void => {
    reached.add(to);
    if (open.has(to)) closing.set(from, (closing.get(from) ?? new Set()).add(to));
    else if (!entered.has(to)) enter(to);
  };

  for (const start of starts) {
    if (!entered.has(start)) enter(start);
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const step = call.next.next();
      if (step.done !== true) follow(call.id, step.value);
      else {
        open.delete(call.id);
        calls.pop();
      }
    }
  }
  return { reached, closing: (from, to) => closing.get(from)?.has(to) === true };
}

// Converts ids of definitions to names of shared types: the inverse of how OpenAPI documents are generated.

/** The place of a shared type. */
interface LibraryType {
  /** As in `apps/v1`. */
  readonly library: string;
  /** As in `DeploymentSpec`. */
  readonly name: string;
}

/** Types of the meta library that live in packages of their own. */
const META_PACKAGES = /^io\.[^.]+\.apimachinery\.pkg\.(?:apis\.meta\.v1|api\.resource|util\.intstr|runtime|version)$/;

/** Packages of built-in groups: `io.k8s.api.apps.v1`, `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1`. */
const BUILT_IN = /^io\.(?:k8s|platform)\.(?:api|[a-z-]+\.pkg\.apis)\.([a-z0-9]+)\.(v[a-z0-9]+)$/;

/** Any other package that ends in a version: `com.example.stable.v1`. */
const REVERSED = /^([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)\.(v\d[a-z0-9]*)$/;

/** Returns the type of a definition. Different ids can have the same type, and `namesOf` gives them different names. */
function typeOf(id: string): LibraryType {
  const dot = id.lastIndexOf('.');
  const name = id.slice(dot + 1).replaceAll(/[^A-Za-z0-9]/g, '');
  return {
    library: libraryOf(dot < 0 ? '' : id.slice(0, dot)),
    name: /^[A-Za-z]/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : `Type${name}`,
  };
}

function libraryOf(home: string): string {
  if (META_PACKAGES.test(home)) return 'meta/v1';
  const [, pack, version] = BUILT_IN.exec(home) ?? [];
  if (pack !== undefined && version !== undefined) return `${pack}/${version}`;
  const [, domain, otherVersion] = REVERSED.exec(home) ?? [];
  const library = domain === undefined ? home : `${domain.split('.').reverse().join('.')}/${otherVersion}`;
  const parts = library
    .toLowerCase()
    .replaceAll(/[^a-z0-9./-]+/g, '-')
    .slice(0, 100)
    .split('/')
    .map((part) => withoutTrailing(withoutLeading(part, '.-'), '.-'));
  return parts.filter((part) => part !== '').join('/') || 'types';
}

/** Returns a type for each id, all different: if ids have the same type, the later ones get a number. */
export function namesOf(ids: Iterable<string>): ReadonlyMap<string, LibraryType> {
  const distinct = distinctNames();
  const names = new Map<string, LibraryType>();
  for (const id of ids) {
    const { library, name } = typeOf(id);
    const own = distinct(`${library}#/${name}`);
    names.set(id, { library, name: own.slice(library.length + 2) });
  }
  return names;
}
