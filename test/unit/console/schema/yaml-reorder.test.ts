import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withMoved, withRenamed } from '../../../../packages/console/src/schema/place.js';
import { isSame } from '../../../../packages/console/src/schema/yaml-edit.js';
import { moveItem, renameKey } from '../../../../packages/console/src/schema/yaml-reorder.js';
import { printYaml, readYaml } from '../../../../packages/console/src/schema/yaml-text.js';

const text = `spec:
  # about ports
  ports:
  # the first
  - name: http   # plain
    port: 80
  - name: https
    text: |
      a
  # the last
  - name: x
labels: {a: "1", 'b': 2} # kept
"old key": # kept
  deep: 1
short: [1, {a: 2}, 3]`;

describe('moveItem', () => {
  it('moves the lines of an item with the comments above it', () => {
    const down = moveItem(text, ['spec', 'ports', 0], 1);
    expect(down).toBe(
      text.replace(
        /( {2}# the first\n.*port: 80\n)( {2}- name: https\n.* a\n)/s,
        (_: string, one: string, two: string) => two + one,
      ),
    );
    expect(moveItem(down, ['spec', 'ports', 1], -1)).toBe(text);
    expect(moveItem(text, ['spec', 'ports', 2], -1)).toContain('  # the last\n  - name: x\n  - name: https\n');
  });

  it('moves an item in brackets, and one that shares its line', () => {
    expect(moveItem(text, ['short', 0], 1)).toBe(text.replace('[1, {a: 2}, 3]', '[{a: 2}, 1, 3]'));
    expect(readYaml(moveItem('a:\n- - 1\n  - 2\n', ['a', 0, 1], -1)).value).toEqual({ a: [[2, 1]] });
  });

  it('leaves the first item first and the last one last', () => {
    expect(moveItem(text, ['spec', 'ports', 0], -1)).toBe(text);
    expect(moveItem(text, ['spec', 'ports', 2], 1)).toBe(text);
  });
});

describe('renameKey', () => {
  it('changes only the key', () => {
    expect(renameKey(text, ['old key'], 'new')).toBe(text.replace('"old key"', 'new'));
    expect(renameKey(text, ['labels', 'b'], 'c/d')).toBe(text.replace("'b'", '"c/d"'));
    expect(renameKey(text, ['spec', 'ports', 0, 'port'], 'yes')).toBe(text.replace('port: 80', '"yes": 80'));
  });

  it('keeps a key if the map has the other one', () => {
    expect(renameKey(text, ['labels', 'a'], 'b')).toBe(text);
  });
});

describe('moves and renames', () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'x\ny\n', '# c', 1, null, true, '- x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
    ),
  }));

  it('read as the wanted value, whatever it is', () => {
    const one = fc.tuple(fc.array(value, { minLength: 2, maxLength: 4 }), fc.nat(2), fc.constantFrom<1 | -1>(1, -1));
    fc.assert(
      fc.property(one, fc.string(), ([items, at, by], name) => {
        const before = { items, map: { a: items, b: 1 } };
        const printed = printYaml(before);
        const moved = readYaml(moveItem(printed, ['items', at], by));
        expect(moved.errors).toEqual([]);
        expect(isSame(moved.value, withMoved(before, ['items', at], by))).toBe(true);
        const renamed = readYaml(renameKey(printed, ['map', 'a'], name));
        expect(isSame(renamed.value, withRenamed(before, ['map', 'a'], name))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
