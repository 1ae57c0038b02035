/** Marks lines of the text with messages: a sign beside the line, and a wave under its text. */
import { type Extension, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { Mark } from './editor-state.svelte.js';

/** Replaces all marks. */
export const setMarks = StateEffect.define<readonly Mark[]>();

class Sign extends GutterMarker {
  readonly mark: Mark;

  constructor(mark: Mark) {
    super();
    this.mark = mark;
  }

  override eq({ mark }: Sign): boolean {
    return mark.message === this.mark.message && mark.severity === this.mark.severity;
  }

  override toDOM(): Node {
    const sign = document.createElement('span');
    sign.className = `cm-sign cm-sign-${this.mark.severity}`;
    sign.title = this.mark.message;
    return sign;
  }
}

interface Marked {
  readonly signs: RangeSet<Sign>;
  readonly waves: DecorationSet;
}

const marked = StateField.define<Marked>({
  create: () => ({ signs: RangeSet.empty, waves: Decoration.none }),
  update(old, { changes, docChanged, effects, state }) {
    const next = effects.find((effect) => effect.is(setMarks));
    if (next?.is(setMarks)) return drawn(state.doc, next.value);
    return docChanged ? { signs: old.signs.map(changes), waves: old.waves.map(changes) } : old;
  },
  provide: (field) => EditorView.decorations.from(field, ({ waves }) => waves),
});

function drawn(doc: Text, marks: readonly Mark[]): Marked {
  const signs = [...byLine(doc, marks)].map(([line, mark]) => new Sign(mark).range(doc.line(line).from));
  const waves = [...byLine(doc, marks)].flatMap(([line, { message, severity }]) => {
    const { from, to, text } = doc.line(line);
    const start = from + text.length - text.trimStart().length;
    const wave = Decoration.mark({ class: `cm-wave-${severity}`, attributes: { title: message } });
    return start < to ? [wave.range(start, to)] : [];
  });
  return { signs: RangeSet.of(signs, true), waves: Decoration.set(waves, true) };
}

/** Returns one mark for each line, with all its messages, a line each. */
function byLine(doc: Text, marks: readonly Mark[]): ReadonlyMap<number, Mark> {
  const all = new Map<number, Mark>();
  for (const mark of marks) {
    const line = Math.min(Math.max(mark.line, 1), doc.lines);
    const before = all.get(line);
    if (before === undefined) all.set(line, mark);
    else {
      const severity = before.severity === 'error' ? 'error' : mark.severity;
      all.set(line, { line, severity, message: `${before.message}\n${mark.message}` });
    }
  }
  return all;
}

/** Underlines the marked lines, and shows the messages in the gutter and in a tooltip. */
export const textMarks: Extension = [
  marked,
  gutter({ class: 'cm-signs', markers: ({ state }) => state.field(marked).signs }),
  EditorView.theme({
    '.cm-signs': { width: 'var(--space-3)' },
    '.cm-sign': {
      display: 'block',
      width: 'var(--space-2)',
      height: 'var(--space-2)',
      margin: '0.45em auto 0',
      borderRadius: '50%',
      backgroundColor: 'var(--bad)',
    },
    '.cm-sign-warning': { backgroundColor: 'var(--warn)' },
    '.cm-wave-error': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: 'var(--stroke)' },
    '.cm-wave-warning': { textDecoration: 'underline wavy var(--warn)', textUnderlineOffset: 'var(--stroke)' },
  }),
];
