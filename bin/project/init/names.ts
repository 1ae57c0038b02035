/** The names in a new project: of the project itself, of its API group, and of its first kind. */
import { withoutTrailing } from '../../../runtime/objects/scan/numbers.js';

export interface ProjectNames {
  /** As in `my-shop`: the name of the package. */
  readonly project: string;
  /** As in `shop.example.com`. */
  readonly group: string;
  /** As in `Order`. */
  readonly kind: string;
}

/** A kind with the names that follow from it. */
export interface KindNames extends ProjectNames {
  /** As in `orders`. */
  readonly plural: string;
  /** As in `order`. */
  readonly singular: string;
  /** The group as generated clients have it, as in `shop`. */
  readonly groupKey: string;
}

/** The names that a project has where nobody says others; `folder` is the last part of its path. */
export function usualNames(folder: string): ProjectNames {
  const project =
    withoutTrailing(
      folder
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-')
        .replace(/^[^a-z]+/, ''),
      '-',
    ) || 'my-api';
  return { project, group: `${project}.example.com`, kind: 'Order' };
}

/** The fault of a name, in words that say what it may be; `undefined` for a good name. */
export function nameProblem({ project, group, kind }: ProjectNames): string | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(project)) return `the name ${quoted(project)} is no name of a package, as in my-shop`;
  if (!/^[a-z]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(group)) {
    return `the API group ${quoted(group)} is no domain name in lower case, as in shop.example.com`;
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) return `the kind ${quoted(kind)} is no name in camel case, as in Order`;
  return undefined;
}

const quoted = (text: string): string => JSON.stringify(text);

/** The names with those that follow from them. */
export function kindNames(names: ProjectNames): KindNames {
  const singular = names.kind.toLowerCase();
  return { ...names, singular, plural: pluralOf(singular), groupKey: names.group.split('.')[0] ?? names.group };
}

function pluralOf(word: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
