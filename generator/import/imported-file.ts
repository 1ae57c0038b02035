/** A file of an import, its path, and its text. */

import {
  DEFAULT_SCALAR_STYLE_RULES,
  DUMP_SCHEMA,
  dump,
  intYaml11Tag,
  SCALAR_STYLE,
  type ScalarStyleRule,
  type ScalarTagDefinition,
  type TagDefinition,
} from 'js-yaml';
import type { JsonObject } from '../../runtime/contract/index.js';

export interface ImportedFile {
  /** Relative to the folder of definitions, with forward slashes. */
  readonly path: string;
  readonly value: JsonObject;
}

/** Matches names that can be part of a path. Resources and groups have DNS names anyway. */
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Returns whether a group, version or plural can be part of a path. Not called for the core group. */
export function isPathName(name: string): boolean {
  return NAME.test(name);
}

/** Returns the path of a resource, relative to the folder of definitions. */
export function resourcePath(group: string, plural: string): string {
  return `${group || 'core'}/${plural}.yaml`;
}

/** Returns the path of a library, relative to the folder of definitions. */
export function libraryPath(library: string): string {
  return `types/${library.replaceAll('/', '-')}.yaml`;
}

/** Returns the files with unique paths: if several have the same path, the later ones get a number. */
export function withOwnPaths<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const distinct = distinctNames();
  return files.map((file) => ({ ...file, path: `${distinct(file.path.replace(/\.yaml$/, ''))}.yaml` }));
}

/** Returns a function that returns its argument, or, if that is taken, adds the first free number. */
export function distinctNames(): (name: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    let count = counts.get(name) ?? 1;
    let own = count === 1 ? name : `${name}${count}`;
    while (taken.has(own)) {
      count += 1;
      own = `${name}${count}`;
    }
    counts.set(name, count);
    taken.add(own);
    return own;
  };
}

/** Prints a file. Keys keep their order, and long texts are folded. */
export function printDefinition(value: JsonObject): string {
  return dump(value, {
    schema,
    noRefs: true,
    skipInvalid: true,
    lineWidth: 120,
    quoteStyle: 'double',
    scalarStyleRules,
  });
}

const isInteger = (tag: TagDefinition): tag is ScalarTagDefinition =>
  tag.nodeKind === 'scalar' && tag.tagName === intYaml11Tag.tagName;
const integers = DUMP_SCHEMA.tags.find(isInteger) ?? intYaml11Tag;
/** Writes integers of 64 bits in full. */
const schema = DUMP_SCHEMA.withTags({
  ...integers,
  identify: (value: unknown) => typeof value === 'bigint' || integers.identify(value),
});

/** Keeps the lines of a text if it has no invisible characters. */
const keepLines: ScalarStyleRule = (layout) => {
  const { value } = layout.node;
  const allowed = (layout.allowedStylesMask & (1 << SCALAR_STYLE.LITERAL_BLOCK)) !== 0;
  const isVisible = !/[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/.test(value);
  if (!layout.isKey && allowed && isVisible && /\S[^\S\r\n\u2028\u2029]*\n/.test(value))
    layout.style = SCALAR_STYLE.LITERAL_BLOCK;
};
const scalarStyleRules = [keepLines, ...Object.values(DEFAULT_SCALAR_STYLE_RULES)];
