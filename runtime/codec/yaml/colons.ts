/**
 * Texts that end in a colon within `[…]` or `{…}`, as `[fd00::]`: YAML 1.2 takes the colon for the end of a key
 * there.
 */
import { type YamlToken, yamlTokens } from './tokens.js';

/** A colon that something directly follows which a text within brackets cannot go on with. */
const suspicious = /:[,[\]{}]/;

/**
 * Puts such texts in quotes, since for API servers a colon ends a key only where a blank follows. All other texts come
 * back as they are, and cost no more than a search.
 */
export function quoteColons(text: string): string {
  if (!suspicious.test(text)) return text;
  let depth = 0;
  let quoted = '';
  let taken = 0;
  let before: YamlToken | undefined;
  for (const token of yamlTokens(text)) {
    depth += opens(token) - closes(token);
    const end = token.offset + token.text.length;
    const isColon = depth > 0 && token.type === 'map-value-ind' && suspicious.test(text.slice(end - 1, end + 1));
    if (isColon && isPlain(before, token)) {
      const { offset } = before;
      quoted += `${text.slice(taken, offset)}'${text.slice(offset, end).replaceAll("'", "''")}'`;
      taken = end;
    }
    before = token;
  }
  return quoted + text.slice(taken);
}

/** Whether a token is a text without quotes that the colon directly follows. */
function isPlain(before: YamlToken | undefined, colon: YamlToken): before is YamlToken {
  return before?.type === 'scalar' && before.offset + before.text.length === colon.offset;
}

const opens = ({ type }: YamlToken): number => Number(type === 'flow-seq-start' || type === 'flow-map-start');
const closes = ({ type }: YamlToken): number => Number(type === 'flow-seq-end' || type === 'flow-map-end');
