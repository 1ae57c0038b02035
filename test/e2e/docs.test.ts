/**
 * Does what the documentation says, word for word. Runs each page's commands in order in a folder like a checkout,
 * compares transcripts with the output, and type-checks the code in pages.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentConsole } from '../../bin/current-build.mjs';
import { hasEtcd } from '../support/etcd.js';
import { hasKubectl } from '../support/kubectl.js';
import { programsOf, typeErrors } from '../support/pages/check-types.js';
import { type Page, quotedFile, readPages } from '../support/pages/read-page.js';
import { patience, type RanPage, runPage } from '../support/pages/run-page.js';
import { hasPostgres } from '../support/postgres.js';
import { hasRedis } from '../support/redis.js';
import { hasShared, root } from '../support/shared.js';

/** The languages of fences, and the use of each. */
const languages: Readonly<Record<string, string>> = {
  sh: 'run',
  console: 'run, and its output compared',
  ts: 'type-checked, or compared with the file that it quotes',
  yaml: 'compared with the file that it quotes',
  go: 'compared with the file that it quotes',
  python: 'compared with the file that it quotes',
  text: 'nothing: docs/testing.md says why, if it has commands',
};

/** The languages of blocks that always quote a file. */
const quotes: ReadonlySet<string> = new Set(['yaml', 'go', 'python']);

/**
 * The two set-up commands install and build everything, or run all tests. Everyone who runs this test has done the
 * same.
 */
const setUp = new Set(['npm ci && npm start', 'npm ci && npm test']);

/** Returns the file or folder of a command that runs some tests of `npm test`. */
const testedAlready = (command: string): string | undefined =>
  /^(?:[A-Z_]+=\d+ )?npx vitest run --project (?:unit|system) (test\/\S+)(?: -t \w+)?$/.exec(command)?.[1];

/** Reports whether other tests do what a command does. */
function isExempt(command: string): boolean {
  const path = testedAlready(command);
  return setUp.has(command.trim()) || (path !== undefined && existsSync(join(root, path)));
}

const pages = readPages();
const isTutorial = ({ path }: Page): boolean => path.startsWith('docs/tutorial');
const runs = (page: Page): boolean => page.blocks.some(({ language }) => /^(sh|console|ts)$/.test(language));
const hasCode = (page: Page): boolean =>
  programsOf(page).length > 0 || page.blocks.some(({ language }) => language === 'ts');
const commandsOf = (page: Page): string =>
  page.blocks.flatMap(({ language, lines }) => (/^(sh|console)$/.test(language) ? lines : [])).join('\n');

const python = '/usr/bin/python3';
const hasPythonClient = spawnSync(python, ['-c', 'import kubernetes']).status === 0;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Returns why the commands of a page cannot run here, or undefined if they can. */
function missing(page: Page): string | undefined {
  if (/^(\$ )?kubectl /m.test(commandsOf(page)) && !hasKubectl) return 'kubectl is not installed';
  if (commandsOf(page).includes(python) && !hasPythonClient) return 'python3-kubernetes is not installed';
  if (/^(\$ )?etcd /m.test(commandsOf(page)) && !hasEtcd) return 'etcd is not installed';
  if (/^(\$ )?initdb /m.test(commandsOf(page)) && !hasPostgres) return 'PostgreSQL is not installed';
  if (/^(\$ )?openssl /m.test(commandsOf(page)) && !hasOpenssl) return 'openssl is not installed';
  if (/^(\$ )?redis-server /m.test(commandsOf(page)) && !hasRedis) return 'redis-server is not installed';
  const [, example] = /--prefix examples\/(mounting|web)\b/.exec(page.text) ?? [];
  if (example !== undefined && !existsSync(join(root, 'examples', example, 'node_modules')))
    return '`npm run install:all` has not been run';
  return commandsOf(page).includes('../shared/') && !hasShared ? 'the recordings are not there' : undefined;
}

/** Reports whether a link is broken. Does not check links to other sites. */
function isBroken({ path }: Page, link: string): boolean {
  if (/^https?:/.test(link)) return false;
  const [file = '', heading] = link.split('#');
  const target = join(root, file === '' ? path : posix.join(posix.dirname(path), file));
  if (!existsSync(target)) return true;
  return heading !== undefined && !headingsOf(readFileSync(target, 'utf8')).includes(heading);
}

/** Returns the headings of a page in the form of links. */
const headingsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

/** Matches a command at the beginning of a line, perhaps after a prompt and variables. */
const command =
  /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:kindforge|kubectl|npm|npx|node|go|curl|docker|etcdctl|psql|useradd|systemctl) /m;

/** Returns the pages that a section of a page links to. */
const linkedIn = (path: string, heading: string): readonly string[] => {
  const text = pages.find((page) => page.path === path)?.text ?? '';
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => `docs/${file}`);
};

// A page asks for the console as soon as the server is ready.
beforeAll(currentConsole, 300_000);
const ran = new Map<string, RanPage>();
afterAll(() => Promise.all([...ran.values()].map(({ dispose }) => dispose())), 300_000);

describe.each(pages.map((page) => [page.path, page] as const))('%s', (_path, page) => {
  it('has only fenced blocks of known languages', () => {
    const unknown = page.blocks.filter(({ language }) => !Object.hasOwn(languages, language));
    expect(unknown.map(({ line, language }) => `line ${line - 1}: \`\`\`${language}`)).toEqual([]);
    expect(page.indented, 'lines of code without a fence').toEqual([]);
  });

  it.skipIf(page.path.endsWith('README.md'))('begins with what readers get and need', () =>
    expect(page.text).toMatch(/^# .+\n\n(?:(?!#).+\n)+\n- \*\*You get:\*\* (?:.+\n)+?- \*\*You need:\*\* /),
  );

  it('is short enough to read at once', () =>
    expect(page.text.split('\n').length - 1).toBeLessThanOrEqual(page.path === 'README.md' ? 120 : 250));

  it('links to files and headings that exist', () =>
    expect(page.links.filter((link) => isBroken(page, link))).toEqual([]));

  it('quotes files word for word', () => {
    const differing = page.blocks.flatMap((block) => {
      const path = quotedFile(block);
      if (path === undefined) return quotes.has(block.language) ? [`line ${block.line} names no file`] : [];
      const file = join(root, path);
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const quoted = block.lines.slice(1).join('\n').trim();
      return quoted !== '' && text.includes(quoted) ? [] : [`line ${block.line} is not in ${path}`];
    });
    expect(differing).toEqual([]);
  });
});

describe.concurrent('commands', () => {
  for (const page of pages.filter((page) => runs(page) && !isTutorial(page))) {
    const why = missing(page);
    it.skipIf(why !== undefined)(
      `of ${page.path} do what it says${why === undefined ? '' : ` (skipped: ${why})`}`,
      async ({ expect }) => {
        const result = await runPage(page, isExempt);
        // The check of types needs the folders of pages with code.
        if (hasCode(page)) ran.set(page.path, result);
        else await result.dispose();
        expect(result.problems.join('\n')).toBe('');
      },
      patience + 20_000,
    );
  }
});

describe('the documentation', () => {
  it('shows and runs only code that type-checks', () => {
    const sources = pages.flatMap((page) => {
      const folder = ran.get(page.path)?.checkout.folder;
      return folder === undefined ? [] : [{ page, folder }];
    });
    expect(typeErrors(sources)).toEqual([]);
  }, 300_000);

  it('names the pages with commands that no test runs', () => {
    const found = pages.filter(({ blocks }) =>
      blocks.some(({ language, lines }) => language === 'text' && command.test(lines.join('\n'))),
    );
    const named = linkedIn('docs/testing.md', 'Commands that no test runs');
    expect(found.map(({ path }) => path).sort()).toEqual([...named].sort());
  });

  it('leads from docs/README.md to every page', () => {
    const linked = pages.flatMap(({ path, links }) =>
      path === 'docs/README.md' ? links.map((link) => posix.join('docs', link.replace(/#.*/, ''))) : [],
    );
    const orphans = pages.filter(
      ({ path }) => path !== 'docs/README.md' && path !== 'README.md' && !linked.includes(path),
    );
    expect(orphans.map(({ path }) => path)).toEqual([]);
  });

  it('mentions every example', () => {
    const told = new Set(pages.flatMap(programsOf));
    const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .map((path) => posix.join('examples', path))
      .filter((path) => path.endsWith('.ts') && !/\/(generated|node_modules)\//.test(path));
    expect(examples.filter((path) => !told.has(path))).toEqual([]);
    expect([...told].filter((path) => !examples.includes(path) && !path.includes('/generated/'))).toEqual([]);
  });
});
