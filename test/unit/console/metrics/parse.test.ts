/** Reading metrics in the text format of Prometheus. */
import { describe, expect, it } from 'vitest';
import { parseMetrics } from '../../../../packages/console/src/metrics/parse.js';

const read = (text: string, ...names: readonly string[]) => Object.fromEntries(parseMetrics(text, new Set(names)));

describe('metrics', () => {
  it('are read with their labels, and others are skipped', () => {
    const text = '# HELP a Words.\n# TYPE a counter\na{x="1",y="two"} 3\na 4.5e2\nother{x="1"} 7\n';
    expect(read(text, 'a')).toEqual({
      a: [
        { labels: { x: '1', y: 'two' }, value: 3 },
        { labels: {}, value: 450 },
      ],
    });
  });

  it('may have escapes, braces and blanks in labels, and times after values', () => {
    const text = 'a{x="say \\"hi\\" {now} \\\\ \\n"} 1 1700000000000\na{x=""} +Inf';
    expect(read(text, 'a')).toEqual({
      a: [{ labels: { x: 'say "hi" {now} \\ \n' }, value: 1 }],
    });
  });

  it('are left out if a line is broken', () => {
    expect(read('a{x="1" 3\na\na{x="1"} many\n{} 1\na 2', 'a')).toEqual({ a: [{ labels: {}, value: 2 }] });
  });
});
