/** Chooses identifiers: turns the words of definitions into names that TypeScript accepts and people would write. */
import { withoutTrailing } from '../../../runtime/objects/scan/numbers.js';

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

const KEYWORDS = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** Type names that generated files use, or that would hide a global name of TypeScript. */
const RESERVED_TYPES = new Set(
  (
    'Any Array ArrayBuffer Awaited BigInt Boolean DataView Date Error Exclude Extract Function Infinity Intl Iterable ' +
    'Iterator JSON ListMeta Map Math NaN Never NonNullable Null Number Object ObjectMeta ApplyObjectMeta Omit ' +
    'Parameters Partial Pick Promise PropertyKey Proxy Readonly ReadonlyArray ReadonlyMap ReadonlySet Record Reflect ' +
    'RegExp Required ReturnType Set String Symbol Undefined Unknown WeakMap WeakRef WeakSet'
  ).split(' '),
);

/** Returns whether a property of this name needs no quotes. */
export const isIdentifier = (name: string): boolean => IDENTIFIER.test(name);

/**
 * Returns whether every object inherits a member of this name. For TypeScript, such a property has the inherited type
 * if an object lacks it. `__proto__` is not such a name.
 */
export const isInherited = (name: string): boolean => name in Object.prototype && !name.startsWith('__');

/** Returns a name as a variable: keywords get an underscore. */
export const toVariable = (name: string): string => {
  const start = /^[0-9]/.test(name) ? `_${name}` : name;
  return KEYWORDS.has(start) ? `${start}_` : start;
};

/**
 * Returns a name in Pascal case: `x-kubernetes-foo`, `foo_bar`, `fooBar` → `XKubernetesFoo`, `FooBar`, `FooBar`. Empty
 * if nothing can be kept.
 */
export const toPascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/**
 * Writes the first word in lower case and leaves the rest: `CSIDriver` → `csiDriver`, `URL` → `url`, `Event` → `event`.
 */
export const toCamel = (text: string): string => {
  const pascal = toPascal(text);
  const capitals = /^[A-Z]+/.exec(pascal)?.[0].length ?? 0;
  const followed = /[a-z]/.test(pascal.charAt(capitals));
  const lowered = capitals > 1 && followed ? capitals - 1 : capitals;
  return pascal.slice(0, lowered).toLowerCase() + pascal.slice(lowered);
};

/**
 * Returns the name of a kind's type: the kind itself, unless it is not an identifier or hides a name of the language.
 */
export const toTypeName = (kind: string): string => {
  const pascal = toPascal(kind);
  const name = /^[0-9]/.test(pascal) || pascal === '' ? `Kind${pascal}` : pascal;
  return RESERVED_TYPES.has(name) ? `${name}Resource` : name;
};

/** Endings in the order they are tried. */
const SINGULARS: readonly (readonly [RegExp, string])[] = [
  [/(cookie|series|species)s?$/i, '$1'],
  [/([^aeiou])ies$/i, '$1y'],
  [/(ss|sh|[tnr]ch|x|zz|alias|status|bus)es$/i, '$1'],
  [/(ss|us|is)$/i, '$1'],
  [/s$/i, ''],
];

/** Returns the name of one item of a list: `tokenRequests` → `tokenRequest`. Uses the ending; keeps short words. */
export const toSingular = (plural: string): string => {
  const before = withoutTrailing(plural, 'abcdefghijklmnopqrstuvwxyz0123456789');
  const lastWord = plural.slice(before.length - (/^[A-Z]$/.test(before.slice(-1)) ? 1 : 0));
  if (lastWord.length <= 3 || /kubernetes$/i.test(lastWord)) return plural;
  const rule = SINGULARS.find(([ending]) => ending.test(plural));
  return rule === undefined ? plural : plural.replace(rule[0], rule[1]);
};

/** Fields of all objects, in Pascal case. Their names mean nothing without their owner. */
const ENVELOPE: ReadonlySet<string> = new Set(['Metadata', 'Spec', 'Status']);

/** Returns the name that a field gives to its content, by the steps to it in Pascal case: the last, or the last two. */
export const fieldTypeName = (path: readonly string[]): string => {
  const last = path.at(-1) ?? '';
  return ENVELOPE.has(last) ? joinNames(path.at(-2) ?? '', last) : last;
};

/** Returns the words of a name, split at capitals and digits: `CSIDriver2` → `CSI`, `Driver`, `2`. */
export const wordsOf = (name: string): string[] => name.match(/[A-Z]+(?![a-z])|[A-Z][a-z]*|[a-z]+|[0-9]+/g) ?? [];

/** Joins two names in Pascal case, with a common part only once: `PodTemplate` + `TemplateSpec` → `PodTemplateSpec`. */
export const joinNames = (first: string, second: string): string => {
  const head = wordsOf(first);
  const tail = wordsOf(second);
  for (let shared = Math.min(head.length, tail.length); shared > 0; shared--) {
    if (head.slice(-shared).join(' ') === tail.slice(0, shared).join(' ')) {
      return first + tail.slice(shared).join('');
    }
  }
  return first + second;
};
