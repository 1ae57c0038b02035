/** Sets CodeMirror up for YAML. Pages load this file with the first edited text. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { foldEffect, foldGutter, foldKeymap } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Mark } from './editor-state.svelte.js';
import { setMarks, textMarks } from './text-marks.js';
import { yaml } from './yaml-mode.js';

export interface TextEditor {
  /** Shows another text. The cursor stays if the text around it does not change. */
  show(text: string): void;
  mark(marks: readonly Mark[]): void;
  /** Scrolls to a line. */
  reveal(line: number | undefined): void;
  setReadonly(readonly: boolean): void;
  destroy(): void;
}

interface Setup {
  readonly text: string;
  readonly label: string;
  readonly onchange: (text: string) => void;
}

/** Makes an editor in a shadow root: there, its styles need no inline style elements. Escape, then Tab leaves it. */
export function openTextEditor(root: ShadowRoot, { text, label, onchange }: Setup): TextEditor {
  const readonly = new Compartment();
  let isShowing = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...[lineNumbers(), foldGutter(), textMarks, history(), drawSelection()],
        ...[highlightActiveLine(), highlightActiveLineGutter(), search({ top: true })],
        highlightSpecialChars(),
        ...[yaml, theme, EditorView.lineWrapping, readonly.of([])],
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isShowing) onchange(state.doc.toString());
        }),
      ],
    }),
  });
  foldManagers(view);
  return {
    show(next) {
      const change = changeBetween(view.state.doc.toString(), next);
      if (change === undefined) return;
      const wasEmpty = view.state.doc.length === 0;
      isShowing = true;
      view.dispatch({ changes: change });
      isShowing = false;
      if (wasEmpty) foldManagers(view);
    },
    mark(marks) {
      view.dispatch({ effects: setMarks.of(marks) });
    },
    reveal(line) {
      if (line === undefined || line > view.state.doc.lines) return;
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(line).from, { y: 'center' }) });
    },
    setReadonly(isReadonly) {
      view.dispatch({ effects: readonly.reconfigure(EditorState.readOnly.of(isReadonly)) });
    },
    destroy: () => view.destroy(),
  };
}

/** Folds managedFields: they are long, and nobody edits them. */
function foldManagers(view: EditorView): void {
  const found = /^ {2}managedFields:(?:\n(?: {2}- | {3,}).*)+/m.exec(view.state.doc.toString());
  if (found === null) return;
  const from = view.state.doc.lineAt(found.index).to;
  view.dispatch({ effects: foldEffect.of({ from, to: found.index + found[0].length }) });
}

/** Returns the part in which two texts differ. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: 'var(--text-m)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: 'var(--space-2) 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-faint)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selected)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--flash)' },
  '.cm-searchMatch-selected': { outline: 'var(--hairline) solid var(--accent)' },
  '.cm-panels, .cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--border)' },
  '.cm-panels-top': { borderBottom: 'var(--hairline) solid var(--border)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: 'var(--hairline) solid var(--border-strong)',
    borderRadius: 'var(--radius-s)',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--raised)',
    border: 'var(--hairline) solid var(--border-strong)',
    borderRadius: 'var(--radius-s)',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunken)', border: 'none', color: 'var(--text-faint)' },
});
