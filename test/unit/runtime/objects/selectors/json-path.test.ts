import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../../runtime/contract/index.js';
import { compileJsonPath } from '../../../../../runtime/objects/selectors/json-path.js';

const object: JsonValue = {
  kind: 'Box',
  metadata: { labels: { 'example.com/a': 'lab', plain: 'p' } },
  spec: {
    list: ['a', 'b', 'c', 'd'],
    items: [
      { n: 'a', v: 1, ok: true },
      { n: 'b', v: 2, deep: { n: 'x' } },
    ],
    nothing: null,
    wide: 9223372036854775807n,
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Synced', status: 'False' },
    ],
  },
};

function read(path: string): readonly JsonValue[] | string {
  const compiled = compileJsonPath(path);
  return compiled.ok ? compiled.value(object) : compiled.failure.message;
}

describe('compileJsonPath', () => {
  it.each<[string, readonly JsonValue[]]>([
    ['.kind', ['Box']],
    ['{.kind}', ['Box']],
    ['$.kind', ['Box']],
    ['.spec.missing.more', []],
    ['.kind.more', []],
    ['.spec.nothing', [null]],
    ['.spec.nothing.more', []],
    ['.constructor', []],
    ['.metadata.labels.plain', ['p']],
    ['.metadata.labels.example\\.com/a', ['lab']],
    ["['kind']", ['Box']],
    [".metadata.labels['example\\.com/a']", ['lab']],
    [".metadata.labels['example.com/a']", []],
    ['.spec.list[0]', ['a']],
    ['.spec.list[-1]', ['d']],
    ['.spec.list[-9]', []],
    ['.spec.list[9]', []],
    ['.spec.list[1:3]', ['b', 'c']],
    ['.spec.list[:-1]', ['a', 'b', 'c']],
    ['.spec.list[::2]', ['a', 'c']],
    ['.spec.list[0,2]', ['a', 'c']],
    ['.spec.list[*]', ['a', 'b', 'c', 'd']],
    ['.spec.items[*].n', ['a', 'b']],
    ['.spec.items[0].*', ['a', 1, true]],
    ['.spec..n', ['a', 'b', 'x']],
    ['.spec.kind[0]', []],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type == 'Synced')].status", ['False']],
    ['.status.conditions[?(@.type!="Ready")].status', ['False']],
    ['.status.conditions[?(@.type=="None")].status', []],
    ['.spec.items[?(@.v>1)].n', ['b']],
    ['.spec.items[?(@.v<=1)].n', ['a']],
    ['.spec.items[?(@.v>="1")].n', []],
    ['.spec.items[?(@.ok==true)].n', ['a']],
    ['.spec.items[?(@.ok!=false)].n', ['a']],
    ['.spec.items[?(@.deep)].n', ['b']],
    ['.spec.items[?(@.deep.n=="x")].v', [2]],
    ['.spec[?(@.x=="y")]', []],
    ['.spec.wide', [9223372036854775807n]],
    ['', [object]],
  ])('%s', (path, expected) => {
    expect(read(path)).toEqual(expected);
  });

  it.each([
    ['spec', 'unexpected character "s"'],
    ['.spec[', 'unterminated array'],
    ['.spec[x]', 'invalid array index x'],
    ['.spec[::0]', 'step must be > 0'],
    ['.spec[?(@.a=~"x")]', 'unrecognized filter operator'],
    ['.spec[?(!@.a)]', 'unrecognized filter operator'],
    ['.spec[?(@.a==b)]', 'cannot compare with "b"'],
    [`.a${"['b']".repeat(2000)}`, 'longer than 4096 characters'],
    [`${'[?(@'.repeat(9)}.a${')]'.repeat(9)}`, 'nested too deep'],
  ])('refuses %s', (path, problem) => {
    expect(read(path)).toContain(problem);
  });

  it('limits its input', () => {
    const wide = Array.from({ length: 20_000 }, (_, i) => ({ i }));
    const compiled = compileJsonPath('[*].i');
    expect(compiled.ok && compiled.value(wide)).toHaveLength(10_000);
  });

  it('never crashes, whatever the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'.[]()?@*\'"\\:,=<a0- ') }), (path) => {
        const compiled = compileJsonPath(path);
        if (compiled.ok) expect(Array.isArray(compiled.value(object))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
