/**
 * Builds the site into `packages/site/dist`: `npm run docs`. With `--serve`, shows the pages at a local address
 * instead, and follows changes of theme and settings. `--base /path/` is the address of the site on its server.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, createServer } from 'vitepress';
import { brokenLinks } from './check-links.js';
import { writePages } from './write-pages.js';

const site = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, serve: { type: 'boolean', default: false } },
});

writePages(join(site, '../..'), join(site, '.pages'));
if (values.serve) {
  const server = await createServer(site, { base: values.base });
  await server.listen();
  server.printUrls();
} else {
  await build(site, { base: values.base });
  const broken = brokenLinks(join(site, 'dist'), values.base);
  for (const link of broken) console.error(`broken link: ${link}`);
  if (broken.length > 0) process.exitCode = 1;
}
