/**
 * Counts the patterns of English that is hard to read, in comments, strings and test titles. The counts may only go down:
 * `UPDATE_KNOWN=1` writes the lower ones into `test/support/english/counts.txt`, and refuses higher ones.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { count, grown, keyOf, parse, print, roomOf } from '../support/english/counts.js';
import { patterns } from '../support/english/patterns.js';
import { type Prose, proseIn } from '../support/english/prose.js';
import { root } from '../support/shared.js';

interface Find extends Prose {
  readonly pattern: string;
  readonly file: string;
}

function findsIn(file: string, content: string): Find[] {
  const valid = patterns.filter(({ except }) => !except?.test(file));
  return proseIn(file, content).flatMap((prose) =>
    valid.filter(({ found }) => found(prose)).map(({ name }) => ({ ...prose, pattern: name, file })),
  );
}

/** Printed code, goldens and fixtures repeat texts of others. */
const others = /(^|\/)(generated|golden|fixtures)\//;

function sources(): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs', '*.js'];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\n');
  return files.filter((file) => file && !others.test(file) && existsSync(join(root, file)));
}

const advice = new Map(patterns.map(({ name, instead }) => [name, instead]));

/** Lists the finds of the keys with a better wording, and first those in the files that changed last. */
function listOf(finds: readonly Find[], keys: readonly string[]): string {
  const listed = finds.filter(({ pattern, file }) =>
    [roomOf(file), 'all'].some((room) => keys.includes(keyOf(pattern, room))),
  );
  const time = (file: string): number => Math.floor(statSync(join(root, file)).mtimeMs / 60_000);
  return listed
    .sort((a, b) => time(b.file) - time(a.file))
    .slice(0, 30)
    .map(
      ({ pattern, file, line, text }) => `${file}:${line}: ${pattern} (${advice.get(pattern)}): ${text.slice(0, 120)}`,
    )
    .join('\n');
}

describe('English that is hard to read', () => {
  const countsFile = join(root, 'test/support/english/counts.txt');

  it('only gets less', () => {
    const finds = sources().flatMap((file) => findsIn(file, readFileSync(join(root, file), 'utf8')));
    const found = count(finds);
    const listed = parse(readFileSync(countsFile, 'utf8'));
    const update = process.env.UPDATE_KNOWN !== undefined;
    // An update compares only sums, because files and their finds may move between folders. A pattern without a sum is
    // new.
    const more = grown(found, listed).filter((key) => {
      const [pattern = '', room] = key.split(' ');
      return update ? room === 'all' && listed.has(keyOf(pattern, 'all')) : room !== 'all';
    });
    const numbers = more.map((key) => `${key}: ${found.get(key)}, listed ${listed.get(key) ?? 0}`);
    expect(numbers, `more than listed:\n${listOf(finds, more)}\n`).toEqual([]);
    if (update) writeFileSync(countsFile, print(found));
    expect(readFileSync(countsFile, 'utf8'), 'fewer than listed: run this test with UPDATE_KNOWN=1').toBe(print(found));
  });

  const bad: readonly (readonly [pattern: string, source: string])[] = [
    ['no-verb', '/** The size of a file. */\nexport function sizeOf(): number {}'],
    ['no-verb', 'interface A {\n  /** A reader of files. */\n  read(): void;\n}'],
    ['no-verb', '/** Objects of a list. */\nconst objectsOf = (): void => {};'],
    ['question', '/** What runs. */\nlet running: boolean;'],
    ['repeats-name', '/** The options of a webhook. */\nexport interface AuditWebhookOptions {}'],
    ['where', '// Nobody writes where there is none.'],
    ['is-no', "const a = 'is no port number';"],
    ['tells', '/* The server tells it. */'],
    ['stands', '/** Returns the line where it stands. */\nfunction a() {}'],
    ['whose', '// A list whose items are gone.'],
    ['anew', `const a = \`begins \${what} anew\`;`],
    ['those-that', '// Keeps those that are left.'],
    ['yet', '// It waits, yet it is read.'],
    ['so-that-it-is', '// It is kept, so that it is seen.'],
    ['is-to', '// The port that it is to have.'],
    ['has-to-be', '// It has to be read.'],
    ['comes-of', '// What comes of it.'],
    ['as-long-as-there', '// Goes on as long as there is room.'],
    ['but-for', '// Empty but for a name.'],
  ];
  it.each(bad)('is found as %s in %s', (pattern, source) =>
    expect(findsIn('client/a.ts', source).map((find) => find.pattern)).toContain(pattern),
  );

  it('has a sample of each pattern', () =>
    expect(new Set(bad.map(([pattern]) => pattern))).toEqual(new Set(patterns.map(({ name }) => name))));

  it('is found in test titles, but not in code, in expressions, or in other strings of tests', () => {
    const text = [
      "it('tells a', () => {});",
      `describe.skipIf(no)(\`tells b \${'x'}\`, () => {});`,
      "expect('who tells c').toBe(/tells d/);",
      'const tells = 1;',
      '// Returns `tells e`.',
    ].join('\n');
    expect(findsIn('test/unit/a.test.ts', text).map((find) => find.text)).toEqual(['tells a', 'tells b']);
  });

  it('is not found in sentences that read well', () => {
    const text = [
      '/** Returns the size in bytes, or `undefined` if the file does not exist. */',
      'export function sizeOf() {}',
      "// The folder where the data is. It is no longer read. Lists aren't sorted yet.",
      "const expression = /'/; // A comment after an expression with a quote.",
      `const text = \`\${first} and // not a comment\`;`,
      '/** Names the thing. */',
      'const name = () => {};',
    ].join('\n');
    expect(findsIn('client/a.ts', text)).toEqual([]);
  });

  it('is counted by room, and the lower count of a merged line is valid', () => {
    const counts = count([
      { pattern: 'yet', file: 'runtime/cel/a.ts' },
      { pattern: 'yet', file: 'client/node/a.ts' },
      { pattern: 'yet', file: 'client/a.ts' },
    ]);
    const text = 'yet all 3\nyet client 2\nyet runtime/cel 1\n';
    expect(print(counts)).toBe(text);
    expect(parse(`${text}yet client 1\n`)).toEqual(new Map([...counts, ['yet client', 1]]));
    expect(grown(counts, parse(`${text}yet client 1\n`))).toEqual(['yet client']);
  });
});
