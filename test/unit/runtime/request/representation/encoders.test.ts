/** Encoders for one answer: JSON in one line, indented JSON, YAML. */
import { describe, expect, it } from 'vitest';
import { encoderFor } from '../../../../../runtime/request/representation/encoders.js';

const value = { a: { b: [1] } };
const written = (mediaType: string, pretty: boolean): string =>
  Buffer.from(encoderFor(mediaType, pretty).encode(value)).toString();

describe('encoders', () => {
  it('write JSON in one line', () => {
    expect(written('application/json', false)).toBe('{"a":{"b":[1]}}');
  });

  it('write JSON for people on request', () => {
    expect(JSON.parse(written('application/json', true))).toEqual(value);
    expect(written('application/json', true)).toContain('\n  "a": {');
  });

  it('write YAML, which is never in one line', () => {
    expect(written('application/yaml', true)).toBe('a:\n  b:\n  - 1\n');
    expect(encoderFor('application/yaml', true)).toBe(encoderFor('application/yaml', false));
  });

  it('have different keys in caches', () => {
    const all = [
      encoderFor('application/json', false),
      encoderFor('application/json', true),
      encoderFor('application/yaml', false),
    ];
    expect(new Set(all.map(({ key }) => key)).size).toBe(3);
    expect(all.map(({ contentType }) => contentType)).toEqual([
      'application/json',
      'application/json',
      'application/yaml',
    ]);
  });
});
