/** The patterns of English that is hard to read, each as a check of one piece of prose. */
import type { Prose } from './prose.js';

export interface Pattern {
  readonly name: string;
  /** The words to use. */
  readonly instead: string;
  /** The files that it is not counted in. */
  readonly except?: RegExp;
  readonly found: (prose: Prose) => boolean;
}

const matches =
  (pattern: RegExp) =>
  ({ text }: Prose): boolean =>
    pattern.test(text);

/** All patterns. Each prefers to miss a case over finding one that reads well. */
export const patterns: readonly Pattern[] = [
  {
    name: 'no-verb',
    instead: 'open the docstring of a function with a verb: Returns, Checks, Writes',
    // The functions of strategies are rules of the API, and their docstrings are these rules.
    except: /^strategies\//,
    found: ({ text, ofFunction }) => ofFunction && !opensWithVerb(text),
  },
  {
    name: 'question',
    instead: 'say it; do not open a docstring with What, Which or Why',
    // Fields may open with Whether or How: it is the usual way to describe a condition or an amount.
    found: ({ kind, text, ofFunction }) =>
      kind === 'docstring' &&
      /^(What|How|Which|Whether|Where|When|Why|That)\b/.test(text) &&
      (ofFunction || !/^(Whether|How)\b/.test(text)),
  },
  { name: 'repeats-name', instead: 'delete the comment, or add a fact', found: repeatsName },
  {
    name: 'where',
    instead: 'write if or when; where is for places',
    found: matches(
      /\bwhere (absent|there|they|it|no|none|nobody|nothing|one|this|that|an? \w+ (is|are|has|have))\b|\balso where\b/i,
    ),
  },
  {
    name: 'is-no',
    instead: 'write is not a',
    found: matches(
      /\b(is|are|was|were) no (?!longer|more\b|such\b|other\b|later|earlier|newer|older|less|greater|better)/i,
    ),
  },
  { name: 'tells', instead: 'write returns, reports, logs or prints', found: matches(/\b(tells?|told)\b/i) },
  { name: 'stands', instead: 'write is', found: matches(/\b(stands?|stood|lies)\b(?! for\b|-)/i) },
  {
    name: 'whose',
    instead: 'make two sentences',
    found: matches(/\b(of which|that of|those of|whose)\b/i),
  },
  { name: 'anew', instead: 'write again or in flight', found: matches(/\b(anew|under way)\b/i) },
  { name: 'those-that', instead: 'name them', found: matches(/\bthose (that|which|who)\b/i) },
  { name: 'yet', instead: 'write but, or still', found: matches(/[,;] yet\b|^Yet\b|\. Yet\b|\byet to\b/) },
  { name: 'so-that-it-is', instead: 'give the reason', found: matches(/\bso that it is\b/i) },
  { name: 'is-to', instead: 'write must or will', found: matches(/\b(is|are|was|were) to [a-z]/i) },
  { name: 'has-to-be', instead: 'write must be', found: matches(/\b(has|have|had) (\w+ )?to be\b/i) },
  { name: 'comes-of', instead: 'write results or follows from', found: matches(/\b(comes?|came) of\b/i) },
  { name: 'as-long-as-there', instead: 'write while', found: matches(/\bas long as there\b/i) },
  { name: 'but-for', instead: 'write except', found: matches(/\bbut for\b/i) },
];

/** Plurals that a docstring opens with, and that are not verbs; and other words that end in an s. */
const nouns = new Set(
  `as its this always others various unless plus less is was accesses addresses administrators amounts annotations
  appliers bindings bits blanks bodies bombs bookmarks branches bytes carriers cases causes certificates chains characters
  classes clients codes columns combinations commands comparisons conditions confirmations connections containers
  credentials days declarations definitions dependents descriptors documents doors drivers emitters entries evaluations
  events exceptions exponents expressions facts families fields finalizers findings fixtures flags functions gates halves
  handlers headers hints hours ids images imports insertions integers items keys keywords kinds labels lamps layouts letters
  levels lines machines managers manifests members mentions messages metrics microseconds milliseconds minutes mistakes
  multiples nanoseconds nodes objects offsets operators options pairs parameters parts paths pods ports problems processes
  profiles programs properties quantities questions references remarks replicas requests resources rights roles rows
  rules schemas seats seconds secrets sentences services settings sockets states subresources suites sysctls tabs teams
  terms texts times tokens topologies trials types unions units users values verbs versions volumes warnings webhooks
  wildcards words zeros`.split(/\s+/),
);

/** Finds words that follow a plural, as in "Lists of names", but not a verb. */
const pluralInUse = /^\S+s,? (of|which|who|whose|are|have|may|can|must|were|and)\b/;

function opensWithVerb(text: string): boolean {
  const first = /^[A-Z][\w-]*s\b(?!')/.exec(text)?.[0];
  if (first === undefined) return text.startsWith('@');
  return !nouns.has(first.toLowerCase()) && !pluralInUse.test(text);
}

/** Words that add nothing to a name. */
const fillers = new Set(
  'a an the of in on at to for by with and or as is are its it that this from one all'.split(' '),
);

const stem = (word: string): string => word.toLowerCase().replace(/(ies|es|s|y|ed|e)$/, '');

/** Finds docstrings of five words or fewer that have no word which the line of code below does not have too. */
function repeatsName({ kind, text, code }: Prose): boolean {
  if (kind !== 'docstring') return false;
  const words = text
    .replace(/[^\w\s]/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0 || words.length > 5) return false;
  const said = new Set((code.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).map(stem));
  const rest = words.filter((word) => !fillers.has(word.toLowerCase()));
  return rest.length > 0 && rest.every((word) => said.has(stem(word)));
}
