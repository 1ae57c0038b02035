/** Matches label selectors against objects in memory. */

/** Returns whether a selector selects these labels. */
export type LabelMatch = (labels: Readonly<Record<string, string>>) => boolean;

/** One requirement between commas: a key alone, or a key with an operator and values. */
const requirement =
  /\s*(?:(!)\s*([^\s,!=()<>]+)|([^\s,!=()<>]+)(?:\s*(==|!=|=|>|<)(?:\s*([^\s,!=()<>]+))?|\s+(in|notin)\s*\(([^()]*)\))?)\s*(?:,(?=\s*\S)|$)/y;

/**
 * Reads a selector, as in `app=web,tier!=cache,stage in (test, live),!old,size>3`. The empty selector selects all
 * labels. Throws a TypeError if the selector is not valid.
 */
export function readLabelSelector(selector: string): LabelMatch {
  const matches: LabelMatch[] = [];
  requirement.lastIndex = 0;
  for (let at = 0; at < selector.trimEnd().length; at = requirement.lastIndex) {
    const match = requirement.exec(selector);
    if (match === null) throw new TypeError(`${JSON.stringify(selector)} is not a label selector`);
    matches.push(readRequirement(match));
  }
  return (labels) => matches.every((matches) => matches(labels));
}

function readRequirement([, not, absent, key = '', operator, value = '', set, list = '']: RegExpExecArray): LabelMatch {
  if (not !== undefined && absent !== undefined) return (labels) => !Object.hasOwn(labels, absent);
  const has = (labels: Readonly<Record<string, string>>): string | undefined =>
    Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (operator === '<' || operator === '>') return compared(key, operator, value);
  if (operator !== undefined)
    return operator === '!=' ? (labels) => has(labels) !== value : (labels) => has(labels) === value;
  if (set === undefined) return (labels) => has(labels) !== undefined;
  const values = new Set(list.split(',').map((text) => text.trim()));
  const isIn: LabelMatch = (labels) => {
    const own = has(labels);
    return own !== undefined && values.has(own);
  };
  return set === 'in' ? isIn : (labels) => !isIn(labels);
}

/** Matches a label that is an integer beyond a bound. Any other label does not match. */
function compared(key: string, operator: '<' | '>', value: string): LabelMatch {
  const bound = integerIn(value);
  if (bound === undefined)
    throw new TypeError(`${key}${operator}${value} is not a label selector: a label is compared with an integer`);
  return (labels) => {
    const own = Object.hasOwn(labels, key) ? integerIn(labels[key] ?? '') : undefined;
    return own !== undefined && (operator === '>' ? own > bound : own < bound);
  };
}

/** Reads an integer of 64 bits without a sign. */
function integerIn(text: string): bigint | undefined {
  if (!/^\d{1,64}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
