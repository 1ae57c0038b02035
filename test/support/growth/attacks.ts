/** Texts that are likely to make a regular expression slow, built from its own structure. */
import type { Node } from './parse-expression.js';

/** A text that grows: `before`, `pump` again and again, `after`. */
export interface Attack {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

type Accepts = (character: string) => boolean;

/** Characters of every kind that expressions distinguish. */
const pool = [
  ...'a1xAZz09fFeEhsmugGTn_- .:/=,;"\'\\()[]{}<>!?*+$^|&%#@~`\t\n\r',
  ...'bcdijklopqrtvwyBCDHIJKLMNOPQRSTUVWXY2345678\v\f\0\x7f',
  ...'\u00a0\u00b5\u00e9\u03bc\u2003\u2028\u4e00\ud800\ufeff\ufffd',
];

/** Builds attacks on each unbounded repetition of an expression. */
export function* attacksOn(node: Node): Generator<Attack> {
  const all = charactersIn(node);
  const repeats = [...repeatsIn(node, [''])];
  const strangers = pool.filter((one) => !all.some((accepts) => accepts(one))).slice(0, 1);
  const kinds = kindsOf(all);
  const afters = unique([...strangers, '', '\n', ...kinds.filter((one) => !/\w/.test(one)), ...kinds]).slice(0, 10);
  const anywhere = unique([...kinds, ...pairsOf(all)]);
  const built = new Set<string>();
  for (const { prefixes, body } of repeats) {
    const characters = charactersIn(body);
    const words = wordsOf(body, kinds).slice(0, 4);
    const led = prefixes.flatMap((prefix) => words.map((word) => prefix + word));
    const pumps = unique([...kindsOf(characters), ...words, ...prefixes, ...led, ...pairsOf(characters), ...anywhere]);
    const befores = unique([...prefixes, '', ...strangers, ...led.slice(0, 3)]);
    for (const pump of pumps.filter((one) => one !== '')) {
      for (const before of befores) {
        if (built.has(`${before} ${pump}`)) continue;
        built.add(`${before} ${pump}`);
        for (const after of afters) yield { before, pump, after };
      }
    }
  }
}

/**
 * Lists pairs of a few characters that a repetition accepts, both word characters and others, because `\b`
 * distinguishes them.
 */
function pairsOf(all: readonly Accepts[]): string[] {
  const few = kindsOf(all);
  const chosen = unique([...few.slice(0, 2), ...few.filter((one) => !/\w/.test(one)).slice(0, 4)]);
  return chosen.flatMap((one) => chosen.map((other) => one + other));
}

interface Repeat {
  readonly body: Node;
  /** Texts that lead to the repetition from the beginning of the expression. */
  readonly prefixes: readonly string[];
}

/** The work does not grow by a repetition with a smaller bound. */
const many = 1000;

/** Yields the repetitions without a small upper bound, each with the texts that lead to it. */
function* repeatsIn(node: Node, prefixes: readonly string[]): Generator<Repeat> {
  if (node.kind === 'sequence') {
    let before = prefixes;
    for (const part of node.parts) {
      yield* repeatsIn(part, before);
      const words = wordsOf(part, pool);
      before = unique(before.flatMap((text) => words.map((word) => text + word))).slice(0, 4);
    }
  } else if (node.kind === 'choice') {
    for (const option of node.options) yield* repeatsIn(option, prefixes);
  } else if (node.kind === 'repeat') {
    if (node.max >= many) yield { body: node.body, prefixes };
    yield* repeatsIn(node.body, prefixes);
  } else if (node.kind === 'group' || node.kind === 'look') {
    yield* repeatsIn(node.body, prefixes);
  }
}

/** Lists a few texts that a part accepts: the shortest one, and one for each option and repetition. */
function wordsOf(node: Node, kinds: readonly string[]): string[] {
  if (node.kind === 'character') return [kinds.find(node.accepts) ?? pool.find(node.accepts) ?? ''];
  if (node.kind === 'choice') return unique(node.options.flatMap((option) => wordsOf(option, kinds)));
  if (node.kind === 'group') return wordsOf(node.body, kinds);
  if (node.kind === 'repeat') {
    const once = wordsOf(node.body, kinds);
    return unique(once.flatMap((word) => [word.repeat(node.min), word.repeat(Math.max(node.min, 1))]));
  }
  if (node.kind !== 'sequence') return [''];
  let texts = [''];
  for (const part of node.parts) {
    const words = wordsOf(part, kinds);
    texts = unique(texts.flatMap((text) => words.map((word) => text + word))).slice(0, 8);
  }
  return texts;
}

function charactersIn(node: Node): Accepts[] {
  if (node.kind === 'character') return [node.accepts];
  if (node.kind === 'sequence') return node.parts.flatMap(charactersIn);
  if (node.kind === 'choice') return node.options.flatMap(charactersIn);
  return 'body' in node ? charactersIn(node.body) : [];
}

/** Picks one character of each kind that the parts of an expression distinguish, if any part accepts it. */
function kindsOf(all: readonly Accepts[]): string[] {
  const kinds = new Map<string, string>();
  for (const one of pool) {
    const accepted = all.map((accepts) => Number(accepts(one))).join('');
    // Word characters and others differ for `\b`.
    const kind = `${accepted} ${/\w/.test(one)}`;
    if (accepted.includes('1') && !kinds.has(kind)) kinds.set(kind, one);
  }
  return [...kinds.values()];
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
