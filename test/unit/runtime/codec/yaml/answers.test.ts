/** Short texts of all kinds, many of them odd: accepted and refused as by the YAML reader of the reference. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeYaml } from '../../../../../runtime/codec/yaml/yaml.js';

/** A text with the recorded answer: its value and the warnings about repeated keys, or the error that refuses it. */
interface Row {
  readonly text: string;
  readonly value?: unknown;
  readonly remarks?: readonly string[];
  readonly problem?: string;
}

const rows: Row[] = readFileSync(new URL('answers.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

function answer(text: string): Omit<Row, 'text'> {
  const decoded = decodeYaml(text);
  if (!decoded.ok) return { problem: decoded.problem };
  const { value, remarks } = decoded;
  return remarks.length === 0 ? { value } : { value, remarks };
}

describe('recorded answers', () => {
  it.each(rows)('$text', ({ text, ...expected }) => {
    expect(answer(text)).toEqual(expected);
  });

  it('are of all kinds', () => {
    expect(rows.filter(({ problem }) => problem !== undefined).length).toBeGreaterThan(200);
    expect(rows.filter(({ value }) => value !== undefined).length).toBeGreaterThan(150);
    expect(rows.filter(({ remarks }) => remarks !== undefined).length).toBeGreaterThan(10);
  });
});
