/** Rules on `$ref`: it must lead to a type and not in a circle, and nothing beside it may change the type. */
import { didYouMean } from '../../../runtime/objects/suggest.js';
import { string } from '../../../runtime/schema/read.js';
import { isReference, libraryOf } from '../../model/references.js';
import type { ResolvedTypes } from '../../model/shared-types.js';
import { type NodeRule, type Say, type SchemaNode, written } from './schema-node.js';

/** Keys that decide a type. They come with the reference; only keys that narrow the type may be beside it. */
const SHAPE = [
  'type',
  'format',
  'properties',
  'additionalProperties',
  'items',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
] as const;

/** The inputs of the rule, without the node. */
export interface ReferenceContext {
  readonly types: ResolvedTypes;
  /** Nodes with a reference back to the type that contains them. */
  readonly cycles: ReadonlySet<unknown>;
  /** Whether a file could not be read. Then a missing library is not reported. */
  readonly isIncomplete: boolean;
}

/** Makes the rule on references for the existing types. */
export function referenceRule({ types, cycles, isIncomplete }: ReferenceContext): NodeRule {
  const libraries = (): string[] => [...new Set([...types.keys()].map(libraryOf))];
  return (node, say) => {
    const target = string(written(node, '$ref'));
    if (target === undefined || !node.isNative) return;
    checkSiblings(node, say);
    if (!isReference(target)) {
      say(
        'KF3017',
        '$ref',
        `\`${target}\` is not a reference`,
        'write `<library>#/<Type>`, as in `bakery/v1#/Topping`',
      );
    } else if (cycles.has(node.raw)) {
      const suggestion = 'end the circle with `x-kubernetes-preserve-unknown-fields: true` beside the $ref';
      say('KF3019', '$ref', `\`${target}\` contains this field again, so its schema would be infinite`, suggestion);
    } else if (!types.has(target) && !isIncomplete) {
      const isKnown = libraries().includes(libraryOf(target));
      const message = isKnown
        ? `library \`${libraryOf(target)}\` has no such type`
        : `library \`${libraryOf(target)}\` does not exist`;
      say(
        'KF3018',
        '$ref',
        `${message}: \`${target}\``,
        () => didYouMean(target, types.keys()) ?? choices(target, types),
      );
    }
  };
}

/** Maximum number of listed libraries or types. */
const MOST_LISTED = 10;

/** Returns the types of the library of a reference, or the libraries if there is no such library. */
function choices(target: string, types: ResolvedTypes): string {
  const library = libraryOf(target);
  const known = [...types.keys()];
  const own = known.filter((each) => libraryOf(each) === library);
  if (own.length > 0) return `it has ${listed(own.map((each) => each.slice(library.length + '#/'.length)))}`;
  if (known.length > 0) return `the libraries are ${listed([...new Set(known.map(libraryOf))])}`;
  return 'these definitions have no libraries; write one, of `kind: TypeLibrary`';
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map((name) => `\`${name}\``);
  return [...shown, ...(names.length > MOST_LISTED ? ['…'] : [])].join(', ');
}

function checkSiblings(node: SchemaNode, say: Say): void {
  for (const key of SHAPE) {
    const value = written(node, key);
    if (value === undefined || value === null) continue;
    const suggestion = 'write a type of its own, or put it into the shared type';
    say('KF3020', key, `\`${key}\` beside \`$ref\` would make it another type`, suggestion);
  }
}
