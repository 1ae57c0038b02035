/** Turns the links of a page in the repository into links of the site. */
import { posix } from 'node:path';

/** The address for links to files that the site does not have. */
const repository = 'https://github.com/kindforge/kindforge';

/** Returns the address of a file of the repository on the site, or undefined if the site does not have it. */
export function addressOf(path: string): string | undefined {
  if (path === 'README.md') return '/';
  if (path === 'docs/README.md') return '/overview';
  if (path === 'docs/api') return '/api/';
  const [, picture] = /^docs\/pictures\/(.+)$/.exec(path) ?? [];
  if (picture !== undefined) return `/pictures/${picture}`;
  const [, report] = /^docs\/api\/([\w-]+)\.api\.md$/.exec(path) ?? [];
  if (report !== undefined) return `/api/${report}`;
  const [, page] = /^docs\/([\w-]+)\.md$/.exec(path) ?? [];
  return page === undefined ? undefined : `/${page}`;
}

/** Returns the text of a page with links for the site. Does not change code. `path` is the page in the repository. */
export function withSiteLinks(path: string, text: string): string {
  const blocks = text.split(/(^ {0,3}```[\s\S]*?^ {0,3}```$)/m);
  return blocks.map((block, index) => (index % 2 === 1 ? block : linksIn(path, block))).join('');
}

const linksIn = (path: string, text: string): string =>
  text.replaceAll(/(`+)[\s\S]*?\1|\]\(([^)\s]+)\)/g, (whole: string, _ticks, link?: string) =>
    link === undefined ? whole : `](${siteLink(path, link)})`,
  );

function siteLink(path: string, link: string): string {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [file = '', heading] = link.split('#');
  const target = posix.join(posix.dirname(path), file).replace(/\/$/, '');
  const anchor = heading === undefined ? '' : `#${heading}`;
  const address = addressOf(target);
  if (address !== undefined) return address + anchor;
  const isFolder = posix.extname(target) === '' && !/(^|\/)[A-Z]+$/.test(target);
  return `${repository}/${isFolder ? 'tree' : 'blob'}/main/${target}${anchor}`;
}

/** Returns the anchor of a heading as GitHub makes it, so that links to headings work there and on the site. */
export const anchorOf = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
