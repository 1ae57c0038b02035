/** Checks the built site: each link within it must lead to an existing page, and to an existing part of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Returns the broken links of a built site as `page: link`. `base` is the address of the site on its server. */
export function brokenLinks(folder: string, base: string): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
  const texts = new Map(pages.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]));
  const anchors = new Map([...texts].map(([path, text]) => [path, valuesOf(text, 'id')]));
  const isBroken = (page: string, link: string): boolean => {
    const [address = '', anchor = ''] = link.split('#');
    const target = address === '' ? page : fileOf(base, page, decodeURI(address.replace(/\?.*/, '')));
    const known = anchors.get(target);
    if (known === undefined) return !existsSync(join(folder, target));
    return anchor !== '' && !known.has(decodeURIComponent(anchor));
  };
  return [...texts].flatMap(([page, text]) =>
    [...new Set([...valuesOf(text, 'href'), ...valuesOf(text, 'src')])]
      .filter((link) => !/^([a-z]+:|\/\/)/.test(link) && isBroken(page, link))
      .map((link) => `${page}: ${link}`),
  );
}

/** Returns the values of an attribute in the tags of a page. */
const valuesOf = (html: string, attribute: string): ReadonlySet<string> =>
  new Set(
    [...html.matchAll(new RegExp(`<[^<>]*\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => unescaped(value)),
  );

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** Returns the file of an address. Addresses may leave out `.html` and `index.html`. */
function fileOf(base: string, page: string, address: string): string {
  const path = address.startsWith(base) ? address.slice(base.length) : posix.join(posix.dirname(page), address);
  if (path === '' || path.endsWith('/')) return `${path}index.html`;
  return posix.extname(path) === '' || !/\.(html|css|js|svg|webp|json|woff2)$/.test(path) ? `${path}.html` : path;
}
