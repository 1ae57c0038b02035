/** Pages name only flags of `kindforge` that exist. The commands that a test runs are left out. */
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../../bin/program.js';
import { readPages } from '../../support/pages/read-page.js';

const everyOption = ({ options, commands }: Command): readonly string[] => [
  ...options.map(({ long }) => long ?? ''),
  ...commands.flatMap(everyOption),
];
const flags = new Set([...everyOption(createProgram()), '--help', '--version']);

/** Returns the flags of the commands of kindforge on a page. */
const named = (text: string): readonly string[] =>
  [
    ...text
      .replaceAll(/^```(?:sh|console)\n.*?^```/gms, '')
      .matchAll(/(?:^|[`$>(] ?)(?:npx )?kindforge ((?:[^`|&;\n]|\\\n)*)/gm),
  ].flatMap(([, words = '']) => [...words.matchAll(/(?:^|\s)(--[a-z][\w-]*)/g)].map(([, flag = '']) => flag));

it.each(readPages().map((page) => [page.path, page.text] as const))('%s names flags that exist', (_path, text) =>
  expect(named(text).filter((flag) => !flags.has(flag.replace(/^--no-/, '--')) && !flags.has(flag))).toEqual([]),
);
