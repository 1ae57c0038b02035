/** Colours, folds and indents YAML in CodeMirror, line by line: the text may have errors, and may be long. */
import {
  foldService,
  HighlightStyle,
  indentService,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from '@codemirror/language';
import type { EditorState, Extension, Line } from '@codemirror/state';
import { tags } from '@lezer/highlight';

interface State {
  /** The column of the last key or dash in the line. */
  column: number;
  /** The column of the key of a text after `|`. The lines of the text are further right. -1 outside such a text. */
  block: number;
  /** The closing quote of a text with several lines; empty outside such a text. */
  quote: string;
  /** How many brackets and braces are open. */
  flow: number;
}

/** Reads one token, and returns the name of its colour. */
export function readToken(stream: StringStream, state: State): string | null {
  if (stream.sol()) {
    state.column = -1;
    if (state.block >= 0 && !stream.match(/^\s*$/, false)) {
      if (stream.indentation() > state.block) return rest(stream, 'string');
      state.block = -1;
    }
    if (stream.match(/^(?:---|\.\.\.)(?=\s|$)/)) return 'meta';
  }
  if (state.quote !== '') return readQuoted(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.peek() === '#') return rest(stream, 'comment');
  if (stream.match(/^[[{]/)) return bracket(state, 1);
  if (stream.match(/^[\]}]/)) return bracket(state, -1);
  return readBlockSign(stream, state) ?? readScalar(stream, state);
}

function readBlockSign(stream: StringStream, state: State): string | undefined {
  const column = stream.column();
  if (stream.match(/^[-?](?=\s|$)/)) {
    state.column = column;
    return 'punctuation';
  }
  if (stream.match(/^[:,]/)) return 'punctuation';
  if (state.flow === 0 && stream.match(/^[|>][-+\d]*(?=\s*(?:#.*)?$)/)) {
    state.block = Math.max(state.column, 0);
    return 'keyword';
  }
  if (stream.match(/^[&*][^\s,[\]{}]+/)) return 'labelName';
  return stream.match(/^![^\s,[\]{}]*/) ? 'typeName' : undefined;
}

const key = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#,[\]{}](?:[^:#]|:(?=\S)|(?<=\S)#)*?)(?=\s*:(?:\s|$))/;
const flowKey = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#,[\]{}][^:,[\]{}]*?)(?=\s*:)/;
const plain = /^(?:[^\s#]|(?<=\S)#)(?:[^#]|(?<=\S)#)*/;
const flowPlain = /^[^\s,[\]{}][^#,[\]{}]*/;

function readScalar(stream: StringStream, state: State): string | null {
  const column = stream.column();
  if (stream.match(state.flow > 0 ? flowKey : key)) {
    state.column = column;
    return 'propertyName';
  }
  const quote = stream.eat(/["']/);
  if (typeof quote === 'string') {
    state.quote = quote;
    return readQuoted(stream, state);
  }
  if (!stream.match(state.flow > 0 ? flowPlain : plain)) return rest(stream, null);
  const text = stream.current().trim();
  if (/^[-+]?(?:0[xob][\da-f_]+|[\d_]*\.?\d+(?:e[-+]?\d+)?)$/i.test(text)) return 'number';
  if (/^(?:true|false|yes|no|on|off)$/i.test(text)) return 'bool';
  return /^(?:null|~)$/i.test(text) ? 'null' : null;
}

function readQuoted(stream: StringStream, state: State): string {
  const end = state.quote === '"' ? /^(?:[^"\\]|\\.)*"/ : /^(?:[^']|'')*'(?!')/;
  if (!stream.match(end)) return rest(stream, 'string');
  state.quote = '';
  return 'string';
}

function rest<Name extends string | null>(stream: StringStream, name: Name): Name {
  stream.skipToEnd();
  return name;
}

function bracket(state: State, by: number): string {
  state.flow = Math.max(0, state.flow + by);
  return 'punctuation';
}

/** Makes the state before the first line. */
export const startState = (): State => ({ column: -1, block: -1, quote: '', flow: 0 });

const language = StreamLanguage.define<State>({
  name: 'yaml',
  startState,
  token: readToken,
  languageData: { commentTokens: { line: '#' } },
});

const isBlank = (text: string): boolean => /^\s*(?:#.*)?$/.test(text);
const indentOf = (text: string): number => text.length - text.trimStart().length;

/** Returns the lines below a line that belong to it: they are further right, or items of a list below a key. */
export function foldOf(state: EditorState, line: Line): { from: number; to: number } | null {
  if (isBlank(line.text) || line.number === state.doc.lines) return null;
  const own = indentOf(line.text);
  const isKey = /:\s*(?:#.*)?$/.test(line.text) && !/^\s*- /.test(line.text);
  let to = line.to;
  let end = line.to;
  for (const text of state.doc.iterLines(line.number + 1)) {
    end += text.length + 1;
    if (isBlank(text)) continue;
    const by = indentOf(text);
    if (by < own || (by === own && !(isKey && /^\s*-(?:\s|$)/.test(text)))) break;
    to = end;
  }
  return to > line.to ? { from: line.to, to } : null;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--series-3)' },
  { tag: tags.comment, color: 'var(--text-faint)', fontStyle: 'italic' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--series-2)' },
  { tag: tags.punctuation, color: 'var(--text-faint)' },
]);

/** Indents a new line like the line above, and more below a key without a value or a new item with keys. */
const indents = indentService.of((context, at) => {
  const { text } = context.lineAt(at, -1);
  const [, dash = ''] = /^\s*((?:- +)*)/.exec(text) ?? [];
  return (
    indentOf(text) + (/\S:\s*[|>]?[-+]?$/.test(text) ? context.unit : 0) + (/:(?:\s|$)/.test(text) ? dash.length : 0)
  );
});

/** Colours tokens, folds by depth, and indents new lines. */
export const yaml: Extension = [
  language,
  syntaxHighlighting(colours),
  indents,
  foldService.of((state, from) => foldOf(state, state.doc.lineAt(from))),
];
