/** The rules of the console in its README, for every file of the console. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/shared.js';

const source = join(root, 'packages/console/src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(svelte|ts|css)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));
const page = { path: '../index.html', text: readFileSync(join(source, '../index.html'), 'utf8') };
const components = files.filter(({ path }) => path.endsWith('.svelte'));

/** Returns the places of matching lines, as in `pages/home/Chart.svelte:12: …`. Comments are skipped. */
function found(among: readonly { readonly path: string; readonly text: string }[], pattern: RegExp): readonly string[] {
  return among.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => `${path}:${index + 1}: ${line.trim()}`)
      .filter((line) => {
        const code = line.replace(/^\S+ /, '').replace(/^(\/?\*+|\/\/|<!--).*|\s\/\/ .*$/, '');
        return pattern.test(code);
      }),
  );
}

describe('a component', () => {
  it('has at most 150 lines', () => {
    const long = components.filter(({ text }) => text.trimEnd().split('\n').length > 150);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

describe('markup', () => {
  it('is never made from text', () => {
    const sinks =
      /\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|srcdoc|\beval\(|new Function/;
    expect(found([...files, page], sinks)).toEqual([]);
  });

  it('has no styles and no handlers in text, which the policy of the server blocks', () => {
    expect(found([...components, page], /\sstyle=["'{]/)).toEqual([]);
    expect(found([...components, page], /\son[a-z]+=["']/)).toEqual([]);
    expect(found([page], /<script(?![^>]*\ssrc=)/)).toEqual([]);
  });
});

describe('looks', () => {
  const styled = files.filter(({ path }) => path !== 'design/tokens.css');

  it('have their colors from the tokens', () => {
    expect(found(styled, /#[0-9a-f]{3,8}\b(?=[\s;,)'"])|\b(rgba?|hsla?|oklch|lab|light-dark)\(/i)).toEqual([]);
  });

  it('have their sizes and durations from the tokens, except the widths of media queries', () => {
    const own = found(styled, /(?<![\w.#-])\d*\.?\d+(px|rem|pt|ms|s)\b/);
    expect(own.filter((line) => !/@media|@container|MediaQuery\(|\/\*\* /.test(line))).toEqual([]);
  });

  it('use only existing tokens', () => {
    const tokens = new Set(files.flatMap(({ text }) => text.match(/--[a-z][\w-]*(?=\s*[:=])/g) ?? []));
    const used = files.flatMap(({ path, text }) =>
      [...text.matchAll(/var\((--[a-z][\w-]*)/g)].map(([, name = '']) => ({ path, name })),
    );
    expect(used.filter(({ name }) => !tokens.has(name))).toEqual([]);
  });
});

describe('an address', () => {
  /** Calls of functions that make addresses below the console's address, with all parts encoded. */
  const maker = /\b(href|withQuery|\w+Href|hrefOf)\(/;
  /** Returns the values of `href`, as in `href={value}` and `{href}`. */
  const hrefsOf = (text: string): readonly string[] =>
    [...text.matchAll(/\shref=\{((?:[^{}]|\{[^{}]*\})*)\}|\s\{(href)\}/g)].map(
      ([, given, short]) => given ?? short ?? '',
    );

  /** Reports whether a name is a value that the component makes with a maker, or receives from its parent. */
  function isMade(text: string, name: string): boolean {
    const [, statement] = new RegExp(`const ${name} = ([^]*?)\\n(  \\S|</script>)`).exec(text) ?? [];
    return /^\w+$/.test(name) && (statement === undefined || maker.test(statement));
  }

  it('in a link comes from a function that makes addresses', () => {
    const values = components.flatMap(({ path, text }) => hrefsOf(text).map((value) => ({ path, text, value })));
    expect(values.length).toBeGreaterThan(20);
    const unknown = values.filter(({ text, value }) => !maker.test(value) && !isMade(text, value));
    expect(unknown.map(({ path, value }) => `${path}: ${value}`)).toEqual([]);
  });

  it('for a component comes from such a function too', () => {
    const given = found(files, /\bhref: (?!string|undefined)/).filter(
      (line) => !/\bhref: [^,}]*\b(href|withQuery|\w+Href|hrefOf)\(/.test(line),
    );
    expect(given).toEqual([]);
  });

  it('outside of the console is never opened, except the HTTPS address of a provider', () => {
    const others = files.filter(({ path }) => path !== 'session/provider.ts');
    expect(found(others, /window\.open|location\.(assign|replace)\(|location\.href = |target="_blank"/)).toEqual([]);
  });
});
