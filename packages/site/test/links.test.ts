/** The links of pages on the site, and the check for broken links. */
import { describe, expect, it } from 'vitest';
import { scratchFolder, write } from '../../../test/support/scratch-folder.js';
import { brokenLinks } from '../build/check-links.js';
import { anchorOf, withSiteLinks } from '../build/links.js';

describe('withSiteLinks', () => {
  const onSite = (link: string, path = 'docs/serve.md'): string => withSiteLinks(path, `See [it](${link}).`);

  it('leads to pages of the site', () => {
    expect(onSite('storage.md#damage')).toBe('See [it](/storage#damage).');
    expect(onSite('api')).toBe('See [it](/api/).');
    expect(onSite('../README.md')).toBe('See [it](/).');
    expect(onSite('docs/api/cel.api.md', 'README.md')).toBe('See [it](/api/cel).');
    expect(onSite('docs/pictures/dev.svg', 'README.md')).toBe('See [it](/pictures/dev.svg).');
  });

  it('leads to the repository for all other files of it', () => {
    expect(onSite('../test/e2e/serve.test.ts')).toBe(
      'See [it](https://github.com/kindforge/kindforge/blob/main/test/e2e/serve.test.ts).',
    );
    expect(onSite('../examples/hello/')).toBe(
      'See [it](https://github.com/kindforge/kindforge/tree/main/examples/hello).',
    );
    expect(onSite('LICENSE', 'README.md')).toBe('See [it](https://github.com/kindforge/kindforge/blob/main/LICENSE).');
  });

  it('does not change links to other sites, to parts of the same page, and code', () => {
    for (const text of ['[a](https://h3.dev)', '[a](#tls)', '`[a](b.md)`', '```md\n[a](b.md)\n```\n'])
      expect(withSiteLinks('docs/serve.md', text)).toBe(text);
  });

  it('names headings as GitHub does', () => {
    expect(anchorOf('Tests that need `../shared`')).toBe('tests-that-need-shared');
    expect(anchorOf('Who is let in?')).toBe('who-is-let-in');
  });
});

describe('brokenLinks', () => {
  const folder = scratchFolder();

  const build = (body: string): void => {
    write(folder, {
      'index.html': '<h1 id="top">A</h1><a href="/docs/kinds/">b</a>',
      'logo.svg': '<svg/>',
      'kinds/index.html': `<h2 id="a-b">B</h2>${body}`,
    });
  };

  it('finds pages, parts of pages and pictures that do not exist', () => {
    build('<a href="/docs/none">x</a><a href="#c">x</a><a href="/docs/#none">x</a><img alt="" src="/docs/none.svg">');
    expect(brokenLinks(folder, '/docs/')).toEqual([
      'kinds/index.html: /docs/none',
      'kinds/index.html: #c',
      'kinds/index.html: /docs/#none',
      'kinds/index.html: /docs/none.svg',
    ]);
  });

  it('finds nothing on a site without broken links', () => {
    build(
      '<a href="#a-b">x</a><a href="/docs/#top">x</a><a href="https://h3.dev">x</a><img alt="" src="/docs/logo.svg">',
    );
    expect(brokenLinks(folder, '/docs/')).toEqual([]);
  });
});
