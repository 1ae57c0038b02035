import type { DynamicObject } from 'kindforge/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EditorState } from '../../../../packages/console/src/editor/editor-state.svelte.js';

const text = `apiVersion: v1
kind: Box # a box
metadata:
  name: a
spec:
  size: 1
  ports:
  - name: http
    number: 80
`;

const value = (size: number): DynamicObject => ({
  ...{ apiVersion: 'v1', kind: 'Box', metadata: { name: 'a' } },
  ...{ spec: { size, ports: [{ name: 'http', number: 80 }] } },
});

function opened(written = text): EditorState {
  const editor = new EditorState();
  editor.write(written);
  return editor;
}

describe('the state of an editor', () => {
  it('has the value of the typed text', () => {
    const editor = opened();
    expect(editor.value).toEqual(value(1));
    editor.write(text.replace('size: 1', 'size: 2'));
    expect(editor.value).toEqual(value(2));
  });

  it('keeps the last valid value while the text has an error, and accepts no change of the form', () => {
    const editor = opened();
    editor.write(`${text}bad: [\n`);
    expect(editor.errors).toMatchObject([{ line: 10 }]);
    expect(editor.marks).toMatchObject([{ line: 10, severity: 'error' }]);
    editor.set(['spec', 'size'], 3);
    expect(editor.value).toEqual(value(1));
    expect(editor.text).toBe(`${text}bad: [\n`);
    editor.write('just a text');
    expect(editor.errors).toMatchObject([{ line: 1, message: expect.stringContaining('apiVersion') }]);
    editor.write(text);
    expect(editor.errors).toEqual([]);
  });

  it('writes a change of the form into its line of the text', () => {
    const editor = opened();
    editor.set(['spec', 'size'], 3);
    expect(editor.text).toBe(text.replace('size: 1', 'size: 3'));
    expect(editor.value).toEqual(value(3));
    editor.set(['spec', 'size'], undefined);
    expect(editor.text).toBe(text.replace('  size: 1\n', ''));
    expect(editor.value.spec).toEqual({ ports: [{ name: 'http', number: 80 }] });
  });

  it('moves items and renames keys, in the value and in the text', () => {
    const editor = opened(`${text}  - name: b\n`);
    editor.move(['spec', 'ports', 1], -1);
    editor.rename(['spec', 'ports', 1, 'number'], 'port');
    expect(editor.value.spec).toEqual({ size: 1, ports: [{ name: 'b' }, { name: 'http', port: 80 }] });
    expect(editor.text).toBe(text.replace('  - name: http\n    number', '  - name: b\n  - name: http\n    port'));
  });

  it('does not change read-only parts', () => {
    const editor = opened();
    editor.readonly = true;
    editor.set(['spec', 'size'], 3);
    expect(editor.text).toBe(text);
  });

  it('shows another object with the comments of the text', () => {
    const editor = opened();
    editor.show(value(4));
    expect(editor.text).toBe(text.replace('size: 1', 'size: 4'));
    expect(editor.value).toEqual(value(4));
  });

  it('finds the problems of a field, and how many are inside another one, and marks their lines', () => {
    const editor = opened();
    editor.problems = [
      { path: 'spec.ports[0].number', message: 'too low' },
      { path: 'spec.size', message: 'odd', severity: 'warning' },
      { path: '', message: 'all of it' },
    ];
    expect(editor.problemsAt(['spec', 'ports', 0, 'number'])).toMatchObject([{ message: 'too low' }]);
    expect(editor.problemsAt([])).toMatchObject([{ message: 'all of it' }]);
    expect(editor.problemsIn(['spec'])).toBe(2);
    expect(editor.problemsIn(['spec', 'ports'])).toBe(1);
    expect(editor.marks).toEqual([
      { line: 9, message: 'spec.ports[0].number: too low', severity: 'error' },
      { line: 6, message: 'spec.size: odd', severity: 'warning' },
      { line: 1, message: 'all of it', severity: 'error' },
    ]);
    editor.write(`# one more line\n${text}`);
    expect(editor.marks[0]?.line).toBe(10);
  });

  it('scrolls to the line of the field with the focus', () => {
    const editor = opened();
    editor.look(['spec', 'ports', 0, 'number']);
    expect(editor.line).toBe(9);
  });
});

describe('the state of an editor with a large object', () => {
  const large = `${text}data: ${'x'.repeat(200_000)}\n`;

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('reads the text after a pause, and then includes all changes of the form', () => {
    const editor = opened(large);
    vi.runAllTimers();
    editor.write(large.replace('size: 1', 'size: 2'));
    expect(editor.value.spec).toMatchObject({ size: 1 });
    vi.runAllTimers();
    expect(editor.value.spec).toMatchObject({ size: 2 });
    for (const size of [3, 4]) editor.set(['spec', 'size'], size);
    editor.move(['spec', 'ports', 0], 1);
    editor.set(['spec', 'ports', 0, 'number'], 81);
    expect(editor.value.spec).toMatchObject({ size: 4, ports: [{ number: 81 }] });
    expect(editor.text).toContain('size: 2');
    vi.runAllTimers();
    expect(editor.text).toBe(large.replace('size: 1', 'size: 4').replace('number: 80', 'number: 81'));
  });

  it('marks the lines of the text that was read last, without reading each typed text', () => {
    const editor = opened(large);
    vi.runAllTimers();
    editor.problems = [{ path: 'spec.size', message: 'odd' }];
    editor.write(`# one more line\n${large}`);
    expect(editor.marks[0]?.line).toBe(6);
    vi.runAllTimers();
    expect(editor.marks[0]?.line).toBe(7);
  });

  it('loses no change of the form when the user types into the YAML before it is in the text', () => {
    const editor = opened(large);
    vi.runAllTimers();
    editor.set(['spec', 'size'], 5);
    editor.write(large.replace('name: a', 'name: b'));
    vi.runAllTimers();
    expect(editor.value).toMatchObject({ metadata: { name: 'b' }, spec: { size: 5 } });
  });
});
