/** Label selectors, held against objects that are here already. */

/** Says whether labels are among those that a selector means. */
export type LabelMatch = (labels: Readonly<Record<string, string>>) => boolean;

/** One requirement: a key alone, or a key with an operator and values; each stands between commas. */
const requirement =
  /\s*(?:(!)\s*([^\s,!=()<>]+)|([^\s,!=()<>]+)(?:\s*(==|!=|=|>|<)(?:\s*([^\s,!=()<>]+))?|\s+(in|notin)\s*\(([^()]*)\))?)\s*(?:,(?=\s*\S)|$)/y;

/**
 * Reads a selector, as in `app=web,tier!=cache,stage in (test, live),!old,size>3`; the empty one means all.
 * Throws a TypeError where it makes no sense.
 */
export function readLabelSelector(selector: string): LabelMatch {
  const matches: LabelMatch[] = [];
  requirement.lastIndex = 0;
  for (let at = 0; at < selector.trimEnd().length; at = requirement.lastIndex) {
    const match = requirement.exec(selector);
    if (match === null) throw new TypeError(`${JSON.stringify(selector)} is no label selector`);
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

/** A label that is an integer, and lies beyond a bound; whatever else it is, it does not. */
function compared(key: string, operator: '<' | '>', value: string): LabelMatch {
  const bound = integerIn(value);
  if (bound === undefined)
    throw new TypeError(`${key}${operator}${value} is no label selector: a label is compared with an integer`);
  return (labels) => {
    const own = Object.hasOwn(labels, key) ? integerIn(labels[key] ?? '') : undefined;
    return own !== undefined && (operator === '>' ? own > bound : own < bound);
  };
}

/** An integer of 64 bits; labels have no signs before them. */
function integerIn(text: string): bigint | undefined {
  if (!/^\d{1,64}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
