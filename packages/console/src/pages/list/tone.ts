/** The tone of a cell with a state of an object. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

const words: readonly (readonly [Tone, RegExp])[] = [
  [
    'good',
    /^(active|available|approved|approved,issued|bound|complete|completed|established|healthy|ready|running|succeeded)$/i,
  ],
  ['bad', /(error|fail|denied|crash|evicted|unavailable|notready|lost|oom|invalid)/i],
  ['warn', /^(pending|progressing|terminating|containercreating|podinitializing|waiting|released)$|scheduling/i],
  ['info', /^(unknown|suspended)$/i],
];

const columns = /^(status|phase|state|condition|ready|health|established|available)$/i;

/** Returns the tone by the name of the column and the value; `undefined` for plain text. */
export function toneOf(column: string, value: string): Tone | undefined {
  if (!columns.test(column) || value === '') return undefined;
  if (/^true$/i.test(value)) return 'good';
  if (/^false$/i.test(value)) return 'warn';
  return words.find(([, pattern]) => pattern.test(value))?.[0];
}
