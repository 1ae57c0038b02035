/**
 * Serves the icons of Lucide to imports of `~icon/NAME`, one module for each, so that the build contains only icons in
 * use.
 */
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>;
}

const prefix = '~icon/';
const shape = /<(path|circle|rect|line|polyline|polygon|ellipse)\s([^>]*?)\/>/g;
const attribute = /([\w-]+)="([^"]*)"/g;

/** Makes the plugin. An import of an icon that Lucide does not have fails the build. */
export function icons(): Plugin {
  const set: IconSet = createRequire(import.meta.url)('@iconify-json/lucide/icons.json');
  return {
    name: 'icons',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const name = id.slice(prefix.length + 1);
      const found = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? ''];
      if (!found) throw new Error(`Lucide has no icon ${name}`);
      return `export default ${JSON.stringify(shapesOf(found.body))}`;
    },
  };
}

/**
 * Returns the shapes of an icon, each with its attributes. Leaves out the group around them, which is the same in all
 * icons.
 */
const shapesOf = (body: string): [string, Record<string, string>][] =>
  [...body.matchAll(shape)].map(([, tag = '', attributes = '']) => [
    tag,
    Object.fromEntries([...attributes.matchAll(attribute)].map(([, key = '', value = '']) => [key, value])),
  ]);
