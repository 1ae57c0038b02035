/** Full names of tags. */
import type { DocumentDirective } from 'js-yaml';

/** Prefix of the tags that YAML itself defines. */
export const coreTag = 'tag:yaml.org,2002:';

/** A function from tags as they are written (`!!int`, `!<…>`, `!own`) to their names, given the directives of a document. */
export function tagNames(directives: readonly DocumentDirective[]): (written: string) => string {
  const prefixes = new Map([['!!', coreTag]]);
  for (const directive of directives) {
    if (directive.kind === 'tag') prefixes.set(directive.handle, directive.prefix);
  }
  return (written) => {
    if (written.startsWith('!<')) return written.slice(2, -1);
    const handle = /^!(?:[0-9A-Za-z_-]*!)?/.exec(written)?.[0] ?? '';
    return `${prefixes.get(handle) ?? handle}${written.slice(handle.length)}`;
  };
}
