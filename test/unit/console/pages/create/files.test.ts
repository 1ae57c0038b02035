/** Files that a user drops on the page. */
import { describe, expect, it } from 'vitest';
import { readFiles, withMore } from '../../../../../packages/console/src/pages/create/files.js';

const file = (name: string, text: string, size = text.length) => ({ name, size, text: () => Promise.resolve(text) });

describe('files', () => {
  it('become one text, with a marker between them', async () => {
    const files = [
      file('a.yaml', '---\na: 1\n'),
      file('b.yaml', '--- \r\nb: 2\n'),
      file('c.json', '{}'),
      file('d', ' \n'),
    ];
    expect(await readFiles(files)).toEqual({ text: '---\na: 1\n---\nb: 2\n---\n{}', refused: [] });
  });

  it('are refused if they are too large, not text, or cannot be read', async () => {
    const gone = { name: 'gone', size: 1, text: () => Promise.reject(new Error('gone')) };
    const files = [file('big', 'a: 1', 9e6), file('nul', 'a\0'), file('latin', 'caf\uFFFD'), gone, file('ok', 'a: 1')];
    expect(await readFiles(files)).toEqual({ text: 'a: 1', refused: ['big', 'nul', 'latin', 'gone'] });
  });

  it('are added after the existing text', () => {
    expect(withMore('a: 1\n\n', '---\nb: 2\n')).toBe('a: 1\n---\nb: 2\n');
    expect(withMore(' ', 'b: 2\n')).toBe('b: 2\n');
    expect(withMore('a: 1', '\n')).toBe('a: 1');
  });
});
