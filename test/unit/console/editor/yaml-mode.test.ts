import { describe, expect, it } from 'vitest';
import { foldOf, readToken, startState } from '../../../../packages/console/src/editor/yaml-mode.js';

// The console is a module, and its types differ from a script's.
const [{ StringStream }, { EditorState }] = await Promise.all([
  import('@codemirror/language'),
  import('@codemirror/state'),
]);

/** Returns the tokens of a text that have a color, as in `name=propertyName`. */
function tokensOf(text: string): string[] {
  const state = startState();
  return text.split('\n').flatMap((line) => {
    const stream = new StringStream(line, 2, 2);
    const tokens: string[] = [];
    while (!stream.eol()) {
      const name = readToken(stream, state);
      if (stream.pos === stream.start) throw new Error(`no step at ${stream.pos} of ${line}`);
      if (name !== null && name !== 'punctuation') tokens.push(`${stream.current().trim()}=${name}`);
      stream.start = stream.pos;
    }
    return tokens;
  });
}

describe('the colours of YAML', () => {
  it.each([
    ['a key and a number', 'size: 3 # three', ['size=propertyName', '3=number', '# three=comment']],
    ['a key with signs', 'a.b/c-d#e: yes', ['a.b/c-d#e=propertyName', 'yes=bool']],
    ['quotes', `'a b': "x: \\" y" # z`, [`'a b'=propertyName`, '"x: \\" y"=string', '# z=comment']],
    ['an address as a value', 'url: http://a:80/#x', ['url=propertyName']],
    ['items', '- name: a\n- - 1', ['name=propertyName', '1=number']],
    [
      'braces',
      '{a: 1, "b": [x, null], c: {}}',
      ['a=propertyName', '1=number', '"b"=propertyName', 'null=null', 'c=propertyName'],
    ],
    [
      'a text of lines',
      'a: |\n  b: 1\n\n  # no\nc: 1',
      ['a=propertyName', '|=keyword', 'b: 1=string', '# no=string', 'c=propertyName', '1=number'],
    ],
    [
      'a text in an item',
      '- a: >-\n    b\n  c: 1',
      ['a=propertyName', '>-=keyword', 'b=string', 'c=propertyName', '1=number'],
    ],
    [
      'a quoted text of more lines',
      'a: "x\n  y: 1"\nb: 2',
      ['a=propertyName', '"x=string', 'y: 1"=string', 'b=propertyName', '2=number'],
    ],
    [
      'anchors, aliases, tags, documents',
      '--- \na: &x !!str *y',
      ['---=meta', 'a=propertyName', '&x=labelName', '!!str=typeName', '*y=labelName'],
    ],
    ['signs that begin nothing', '@a: `b` %c\n: x\n] }', ['@a=propertyName']],
  ])('are right for %s', (_, text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });
});

describe('foldOf', () => {
  const doc = 'a:\n  b: 1\n\n  c:\n  - d: 1\n    e: 2\n  - f\n# end\ng: 1';
  const state = EditorState.create({ doc });
  it.each([
    [1, '\n  b: 1\n\n  c:\n  - d: 1\n    e: 2\n  - f'],
    [2, undefined],
    [4, '\n  - d: 1\n    e: 2\n  - f'],
    [5, '\n    e: 2'],
    [7, undefined],
    [9, undefined],
  ])('folds the lines inside line %d', (line, inside) => {
    const range = foldOf(state, state.doc.line(line));
    expect(range ? doc.slice(range.from, range.to) : undefined).toBe(inside);
  });

  it('folds nothing below the last line', () => {
    const last = EditorState.create({ doc: 'a:\nb:' });
    expect(foldOf(last, last.doc.line(2))).toBeNull();
  });
});
