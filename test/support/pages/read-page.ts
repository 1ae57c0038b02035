/** Reads the pages of the documentation: their fenced blocks and their links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../shared.js';

/** A fenced block. */
export interface Block {
  /** The word behind the opening fence; empty if there is none. */
  readonly language: string;
  /** Lines between the fences. */
  readonly lines: readonly string[];
  /** Line of the page that `lines` begins at, from 1. */
  readonly line: number;
}

/** A page of the documentation. */
export interface Page {
  /** Relative to the repository, as in `docs/serve.md`. */
  readonly path: string;
  readonly blocks: readonly Block[];
  /** Targets of links, as they are written. */
  readonly links: readonly string[];
  /** Lines that Markdown takes for code, although no fence names a language. */
  readonly indented: readonly number[];
  readonly text: string;
}

/** Reads README and all pages of `docs/`. */
export function readPages(): readonly Page[] {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => `docs/${name}`)].map((path) =>
    parsePage(path, readFileSync(join(root, path), 'utf8')),
  );
}

/** Splits a page into its parts. */
export function parsePage(path: string, text: string): Page {
  const blocks: { language: string; line: number; lines: string[] }[] = [];
  const indented: number[] = [];
  const prose: string[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  let before = '';
  text.split('\n').forEach((content, index) => {
    const fence = /^ {0,3}```+(.*)$/.exec(content);
    if (open) {
      if (fence) open = undefined;
      else open.lines.push(content);
    } else if (fence) {
      open = { language: (fence[1] ?? '').trim(), line: index + 2, lines: [] };
      blocks.push(open);
    } else {
      if (/^( {4}|\t)\S/.test(content) && before.trim() === '') indented.push(index + 1);
      prose.push(content);
    }
    before = content;
  });
  const links = [...prose.join('\n').matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return { path, blocks, links, indented, text };
}

/**
 * Returns the file that a block quotes, if its first line is a comment that names one: `// examples/a/b.ts`, `#
 * a/b.yaml`, `<!-- a/b.html -->`.
 */
export const quotedFile = ({ lines }: Block): string | undefined =>
  /^(?:\/\/|#|<!--) ((?:[\w.-]+\/)+[\w.-]+)(?: -->)?$/.exec(lines[0] ?? '')?.[1];
