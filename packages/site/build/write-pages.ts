/** Writes all pages of the site into a folder that VitePress builds. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import { type KindPage, kindPages, nameOf } from './kinds.js';
import { addressOf, withSiteLinks } from './links.js';
import { withHeadings } from './reports.js';

/**
 * Writes the pages of a checkout, and `entries.json` with the other entries of the sidebar, besides the pages of
 * `docs/`.
 */
export function writePages(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const path of sourcesIn(root)) {
    const address = addressOf(path) ?? '';
    const text = withSiteLinks(path, readFileSync(join(root, path), 'utf8'));
    const page = path.startsWith('docs/api/') ? withHeadings(text) : text;
    write(address === '/' ? 'index.md' : `${address}.md`, page);
  }
  write('api/index.md', apiIndex(reportsIn(root)));
  const { kinds, shared } = kindPages(loadDefinitions(join(root, 'schemas')).model);
  for (const { address, text } of [...kinds, ...shared])
    write(`kinds/${address}.md`, `---\npageClass: fields\n---\n\n${text}`);
  write('kinds/index.md', kindIndex(kinds));
  write('entries.json', JSON.stringify({ reports: reportsIn(root), kinds: kinds.map(({ text: _, ...kind }) => kind) }));
  cpSync(join(root, 'docs/pictures'), join(folder, 'public/pictures'), { recursive: true });
  cpSync(join(root, 'packages/console/public/icon.svg'), join(folder, 'public/icon.svg'));
}

/** Lists the pages of the repository. */
const sourcesIn = (root: string): readonly string[] => [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...reportsIn(root).map((name) => `docs/api/${name}.api.md`),
];

const reportsIn = (root: string): readonly string[] =>
  readdirSync(join(root, 'docs/api')).map((name) => name.replace(/\.api\.md$/, ''));

/** Returns the name with which programs import an entry point. */
const doorOf = (report: string): string =>
  report === 'kindforge' ? report : `kindforge/${report.replace('client-node', 'client/node')}`;

const apiIndex = (reports: readonly string[]): string =>
  [
    '# API of the package',
    '',
    'What each entry point of the package exports, with its types.',
    '',
    ...reports.map((name) => `- [\`${doorOf(name)}\`](/api/${name})`),
    '',
  ].join('\n');

function kindIndex(kinds: readonly KindPage[]): string {
  const rows = [...new Set(kinds.map(({ group }) => group))].map((group) => {
    const own = kinds.filter((one) => one.group === group);
    return `| ${nameOf(group)} | ${own.map(({ kind, address }) => `[${kind}](/kinds/${address})`).join(', ')} |`;
  });
  return [
    '# Kinds',
    '',
    'All kinds that a server has without definitions of your own, with every field. Made from the definitions in `schemas/`.',
    'Groups have their platform names here; [the two sets of names](/naming) lists the Kubernetes ones.',
    '',
    '| group | kinds |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
