/** The tests of the documentation notice differences between it and the product. */
import { describe, expect, it } from 'vitest';
import { createProgress } from '../../../generator/diagnostics/progress.js';
import { typeErrors } from '../../support/pages/check-types.js';
import { parsePage, quotedFile } from '../../support/pages/read-page.js';
import { runPage } from '../../support/pages/run-page.js';
import { commandsShown, printsAs, withoutProgress } from '../../support/pages/transcript.js';
import { testFolder } from '../../support/scratch-folder.js';

const fenced = (language: string, ...lines: string[]): string => [`\`\`\`${language}`, ...lines, '```'].join('\n');
const page = (...parts: string[]) => parsePage('docs/page.md', parts.join('\n\n'));

describe('reading a page', () => {
  it('finds fenced blocks with their language and line, links, and code without a fence', () => {
    const { blocks, links, indented } = page(
      '# Title',
      'See [there](other.md#part) and ![picture](p.png).',
      fenced('sh', 'one', 'two [no](link.md)'),
      '    bare code',
      fenced('', 'three'),
    );
    expect(blocks).toEqual([
      { language: 'sh', line: 6, lines: ['one', 'two [no](link.md)'] },
      { language: '', line: 13, lines: ['three'] },
    ]);
    expect(links).toEqual(['other.md#part', 'p.png']);
    expect(indented).toEqual([10]);
  });

  it('recognizes a quotation by its first line', () => {
    const [ts, yaml, other] = page(
      fenced('ts', '// examples/a/b.ts', 'x'),
      fenced('yaml', '# a/b.yaml', 'x'),
      fenced('ts', '// just words', 'x'),
    ).blocks;
    expect([ts, yaml, other].map((block) => block && quotedFile(block))).toEqual([
      'examples/a/b.ts',
      'a/b.yaml',
      undefined,
    ]);
  });
});

describe('a transcript', () => {
  it('has commands, their further lines, and their output', () => {
    const lines = ['$ cat <<EOF', '> a', '> EOF', 'a', '$ true', '$ echo "> b"', '> b'];
    expect(commandsShown({ lines, line: 10 })).toEqual([
      { line: 10, command: 'cat <<EOF\na\nEOF', output: ['a'] },
      { line: 14, command: 'true', output: [] },
      { line: 15, command: 'echo "> b"\nb', output: [] },
    ]);
  });

  it.each<[string[], string, boolean]>([
    [['a  b', ''], 'a b\n', true],
    [['a'], 'a\nb\n', false],
    [['a', '…', 'd'], 'a\nb\nc\nd\n', true],
    [['a', '…', 'd'], 'a\nd\n', true],
    [['took … ms.'], 'took 15 ms.\n', true],
    [['took … ms.'], 'took 15 msx\n', false],
    [['(a|b)'], 'a\n', false],
    [[], '', true],
    [[], 'something\n', false],
    [['something'], '', false],
  ])('%j beside %j: %s', (expected, found, same) => expect(printsAs(expected, found)).toBe(same));
});

describe('the output of a slow machine', () => {
  it('is the same except for the lines about progress', () => {
    let printed = 'before\n';
    let time = 0;
    const progress = createProgress({ write: (text) => (printed += text) }, () => (time += 10_000));
    progress.step('reading', 1, 3, 'a.yaml');
    progress.step('migrating', 84, undefined, 'objects, now clusterroles');
    progress.step('checking bytes', 7, 8, 'a.kfs');
    printed += 'kindforge: reads what is stored: 450,000 records, 45 %\n';
    expect(printed.split('\n')).toHaveLength(6);
    expect(withoutProgress(`${printed}3 objects, reading 4/5 of them\n`)).toBe(
      'before\n3 objects, reading 4/5 of them\n',
    );
  });
});

describe('running a page', () => {
  const problemsOf = async (...parts: string[]): Promise<string> => {
    const { problems, dispose } = await runPage(page(...parts), (command) => command === 'exempt');
    await dispose();
    return problems.join('\n');
  };

  it('finds nothing wrong if every output is as on the page', async () => {
    const problems = await problemsOf(
      fenced('sh', 'exempt', 'A=5', 'test -d examples -a -d schemas -a -f package.json'),
      fenced('console', '$ echo $A', '5', '$ cat <<EOF', '> six', '> EOF', 'six', '$ ls nowhere', 'ls: …', '$ true'),
      fenced('console', '$ (sleep 0.2; echo ready; sleep 60) &', 'ready', '$ echo next', 'next'),
    );
    expect(problems).toBe('');
  });

  it('names the line of a command that fails', async () => {
    expect(await problemsOf('Words.', fenced('sh', 'true', 'ls nowhere', 'echo never'))).toContain(
      'line 5: "ls nowhere"',
    );
    expect(await problemsOf(fenced('sh', 'curl -sf http://127.0.0.1:8080/ | cat'))).toContain('line 2');
  });

  it('names the line of a command in a transcript that fails without output', async () =>
    expect(await problemsOf(fenced('console', '$ true', '$ false'))).toContain('line 3'));

  it('names the line of a command with another output', async () => {
    const problems = await problemsOf(fenced('console', '$ echo a', 'a', '$ echo b', 'c'));
    expect(problems).toContain('line 4: `echo b` printed\nb');
    expect(problems).not.toContain('line 2');
  });

  it('has the command under its name, and free ports', async () => {
    const problems = await problemsOf(
      fenced(
        'console',
        '$ kindforge --version-of-nothing',
        "error: unknown option '--version-of-nothing'; --help lists what there is",
      ),
      fenced('console', '$ echo 8080 8081 8089 | tr -d "[:digit:]"', '', '$ [ 8080 != 8081 ] && echo differ', 'differ'),
    );
    expect(problems).toBe('');
  });
});

describe('the code on a page', () => {
  it('is checked as one module, with the lines of the page', () => {
    const folder = testFolder({ 'package.json': '{ "type": "module" }' });
    const shown = page(
      fenced('ts', "import { isGone } from 'kindforge/client';"),
      fenced('ts', 'isGone(1);', 'isGone(1, 2);'),
    );
    expect(typeErrors([{ page: shown, folder }])).toEqual(['docs/page.md:7: Expected 1 arguments, but got 2.']);
  });
});
