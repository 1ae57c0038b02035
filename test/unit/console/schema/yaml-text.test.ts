import { describe, expect, it } from 'vitest';
import { lineOf, printYaml, readYaml } from '../../../../packages/console/src/schema/yaml-text.js';

describe('readYaml', () => {
  it('reads scalars like API servers: by YAML 1.1, dates as text, wide integers with all digits', () => {
    const text = 'a: yes\nb: 0777\nc: 2026-01-31\nd: 9223372036854775807\ne: 1e3\nf: ~\n<<: {g: 1}\nh: "no"\n';
    expect(readYaml(text).value).toEqual({
      ...{ a: true, b: 511, c: '2026-01-31', d: 9223372036854775807n, e: 1000, f: null, g: 1, h: 'no' },
    });
  });

  it.each([
    ['an open bracket', 'a: 1\nb: [\n', 2],
    ['a key that is there twice', 'a: 1\nb: 2\na: 3\n', 3],
    ['an alias without its anchor', 'a: 1\nb: *x\n', 2],
    ['a second object', 'a: 1\n---\nb: 2\n', 2],
  ])('names the line of %s, and has no value', (_, text, line) => {
    expect(readYaml(text)).toMatchObject({ value: null, errors: [{ line }], root: undefined });
  });

  it('reads an empty text as null', () => {
    for (const text of ['', '# mine\n', '---\n']) expect(readYaml(text)).toMatchObject({ value: null, errors: [] });
  });

  it('refuses aliases that grow without limit, and reads all others', () => {
    const line = (name: string, of: string): string => `${name}: &${name} [${Array(10).fill(of).join(', ')}]\n`;
    const names = ['b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const bomb = `${line('a', 'x')}${names.map((name, i) => line(name, `*${['a', ...names][i]}`)).join('')}`;
    expect(readYaml(bomb).errors).toEqual([{ line: 1, message: 'aliases make the object too large' }]);
    expect(readYaml(bomb.split('\n').slice(0, 4).join('\n')).errors).toEqual([]);
  });
});

describe('printYaml', () => {
  it('prints like kubectl, and quotes text that another reader could misread', () => {
    const value = { a: [{ b: 'yes', c: '012' }], d: 'x\ny\n', e: 2n ** 63n, f: '2026-01-31', g: undefined, h: [] };
    expect(printYaml(value)).toBe(
      'a:\n- b: "yes"\n  c: "012"\nd: |\n  x\n  y\ne: 9223372036854775808\nf: "2026-01-31"\nh: []\n',
    );
  });

  it('prints a value that is used twice at each place', () => {
    const shared = { a: 1 };
    expect(printYaml({ b: shared, c: shared })).toBe('b:\n  a: 1\nc:\n  a: 1\n');
  });
});

describe('lineOf', () => {
  const text = '# c\nspec:\n  # about\n  ports:\n  - name: a\n  -\n  - {name: c,\n     port: 1}\nstatus: {}\n';
  it.each([
    [[], 2],
    [['spec', 'ports'], 4],
    [['spec', 'ports', 1], 6],
    [['spec', 'ports', 2, 'port'], 8],
    [['spec', 'ports', 2, 'missing'], 7],
    [['status', 'missing'], 9],
  ])('finds %j in line %d', (place, line) => {
    expect(lineOf(readYaml(text), place)).toBe(line);
  });
});
